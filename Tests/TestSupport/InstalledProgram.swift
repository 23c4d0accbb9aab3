internal import PlatformBase

/// Programs of the system that tests and benchmarks use where they are there.
package enum InstalledProgram {
    /// The path of one; `nil` where it isn't installed.
    package static func path(_ name: String) -> String? {
        ["/usr/sbin/", "/usr/bin/", "/usr/local/sbin/", "/usr/local/bin/", "/opt/homebrew/bin/"].map { $0 + name }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
