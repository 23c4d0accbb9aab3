import PlatformBase

@testable import NetworkKit

/// A directory for one test, gone with it.
final class TemporaryDirectory: Sendable {
    let url = FileManager.default.temporaryDirectory.appending(path: "networkkit-test-\(UUID().uuidString)")

    deinit {
        chmod(url.path, 0o700)
        try? FileManager.default.removeItem(at: url)
    }

    /// The names of the files in it.
    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted() }
    /// Those of entries.
    var entries: [String] { names.filter { $0.hasSuffix(EntryName.suffix) } }

    func file(_ name: String) -> URL { url.appending(path: name) }
    func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: file(name))) }
    func write(_ bytes: [UInt8], _ name: String) throws { try Data(bytes).write(to: file(name)) }

    func status(_ name: String) -> stat {
        var status = stat()
        lstat(file(name).path, &status)
        return status
    }

    /// The bytes of all entries and of what is on its way to be one.
    var size: Int { names.filter { $0 != "lock" && $0 != "key" }.reduce(0) { $0 + Int(status($1).st_size) } }
}
