import NetworkKit
import PlatformBase

/// NetworkKit with large answers that go to a file: by `download(_:to:)`, or as somebody would do it by hand over the bare transport.
final class DownloadClient: BenchmarkClient {
    let name: String
    private let client: NetworkClient
    private let transport: any Transport
    private let isByHand: Bool
    private let folder: URL

    init(isByHand: Bool) throws {
        name = isByHand ? "by-hand" : "networkkit"
        #if os(Linux)
        transport = CurlTransport(.init(proxy: .none))
        #else
        transport = URLSessionTransport()
        #endif
        client = NetworkClient(session: HTTPSession(transport: transport))
        self.isByHand = isByHand
        folder = try Self.makeFolder()
    }

    /// A folder of one's own for what is downloaded.
    static func makeFolder() throws -> URL {
        let folder = place.appending(path: "networkkit-benchmark-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Where there is a file system in memory: it is the library that is measured, and not a disk.
    private static var place: URL {
        let memory = URL(filePath: "/dev/shm", directoryHint: .isDirectory)
        return FileManager.default.isWritableFile(atPath: memory.path) ? memory : FileManager.default.temporaryDirectory
    }

    func run(_ load: Load, within bounds: Bounds) async throws -> Round {
        guard case .download(let url, let size) = load else { throw Unavailable("no scenario of \(name)") }
        let file = folder.appending(path: "file")
        if isByHand {
            return try await Tickets.run(bounds) {
                let response = try await transport.send(HTTPRequest(url: url))
                let descriptor = open(file.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
                defer { close(descriptor) }
                for try await chunk in response.body {
                    guard chunk.withUnsafeBytes({ write(descriptor, $0.baseAddress, $0.count) }) == chunk.count else {
                        throw Unavailable("the file can't be written")
                    }
                }
                return size
            }
        }
        return try await Tickets.run(bounds) {
            // The others give back what the file before has taken before they write, too.
            unlink(file.path)
            _ = try await client.download(Large(baseURL: url), to: file).get()
            return size
        }
    }

    private struct Large: Endpoint {
        let baseURL: URL
        var path: Path { "" }
    }
}
