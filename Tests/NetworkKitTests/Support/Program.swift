import PlatformBase

/// Programs that some tests need, where they are installed.
enum Program {
    static let nginx = find("nginx")
    static let openssl = find("openssl")
    static let curl = find("curl")

    private static func find(_ name: String) -> URL? {
        ["/usr/sbin/", "/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].map { URL(filePath: $0 + name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }
}
