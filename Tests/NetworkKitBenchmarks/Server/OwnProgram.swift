import PlatformBase
import TestSupport

extension ChildProcess {
    /// This program.
    static var own: String {
        #if os(Linux)
        if let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") { return path }
        #endif
        return CommandLine.arguments.first ?? ""
    }

    /// A program that was built beside this one.
    static func neighbour(_ name: String) -> String? {
        let path = URL(filePath: own).deletingLastPathComponent().appending(path: name).path
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }
}
