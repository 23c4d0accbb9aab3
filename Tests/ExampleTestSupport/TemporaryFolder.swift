public import PlatformBase

/// A folder that a test has to itself, and that is gone with it.
public final class TemporaryFolder: Sendable {
    /// Its path. Nothing is there at first.
    public let path: String

    /// A name that nothing has.
    public init() { path = FileManager.default.temporaryDirectory.appending(path: "networkkit-example-\(UUID().uuidString)").path }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The bytes of all files in it, one behind the other.
    public var bytes: Data {
        let files = (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []
        return files.reduce(into: Data()) { $0.append(FileManager.default.contents(atPath: "\(path)/\($1)") ?? Data()) }
    }
}
