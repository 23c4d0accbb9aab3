import PlatformBase
import TestSupport

/// Programs that some tests need, where they are installed.
enum Program {
    static let nginx = find("nginx")
    static let openssl = find("openssl")
    static let curl = find("curl")
    static let gzip = find("gzip")

    /// A program of this package, which stands beside the tests.
    static func neighbour(_ name: String) -> URL? {
        let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: name)
        return FileManager.default.isExecutableFile(atPath: program.path) ? program : nil
    }

    private static func find(_ name: String) -> URL? {
        InstalledProgram.path(name).map { URL(filePath: $0) }
    }
}
