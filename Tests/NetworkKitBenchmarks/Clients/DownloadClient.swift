import NetworkKit
import PlatformBase

/// NetworkKit with large answers that go to a file, or are read and thrown away: the same requests either way.
final class DownloadClient: BenchmarkClient {
    let name: String
    private let client: NetworkClient
    /// Where files are kept; `nil` to keep none.
    private let folder: URL?

    /// - Parameter keeps: whether there is a file.
    init(keeps: Bool) throws {
        name = keeps ? "networkkit" : "stream"
        #if os(Linux)
        client = NetworkClient(session: HTTPSession(transport: CurlTransport(.init(proxy: .none))))
        #else
        client = NetworkClient(session: HTTPSession())
        #endif
        folder = keeps ? try Self.makeFolder() : nil
    }

    /// A folder of one's own for what is downloaded.
    static func makeFolder() throws -> URL {
        let folder = place.appending(path: "networkkit-benchmark-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    deinit {
        if let folder { try? FileManager.default.removeItem(at: folder) }
    }

    /// Where there is a file system in memory: it is the library that is measured, and not a disk.
    private static var place: URL {
        let memory = URL(filePath: "/dev/shm", directoryHint: .isDirectory)
        return FileManager.default.isWritableFile(atPath: memory.path) ? memory : FileManager.default.temporaryDirectory
    }

    func run(_ load: Load, within bounds: Bounds) async throws -> Round {
        guard case .download(let url, let size) = load else { throw Unavailable("no scenario of \(name)") }
        guard let file = folder?.appending(path: "file") else {
            return try await Tickets.run(bounds) {
                let response = try await client.response(for: Large(baseURL: url)).get()
                var count = 0
                for try await chunk in response.body { count += chunk.count }
                return count
            }
        }
        return try await Tickets.run(bounds) {
            _ = try await client.download(Large(baseURL: url), to: file, options: .init(existingFile: .replace)).get()
            return size
        }
    }

    private struct Large: Endpoint {
        let baseURL: URL
        var path: Path { "" }
    }
}
