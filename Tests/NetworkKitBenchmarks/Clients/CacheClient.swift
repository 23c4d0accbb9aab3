import NetworkKit
import PlatformBase

/// How a cache is met.
enum CacheCase: Sendable {
    /// The answer is in memory.
    case memoryHit
    /// The answer is in a file that this process wrote and has read before.
    case diskHit
    /// Each request is for another URL; the answer is stored in memory.
    case miss
}

/// NetworkKit with a cache in front of the network, or without one: the same requests either way.
final class CacheClient: BenchmarkClient {
    let name: String
    private let client: NetworkClient
    private let isMiss: Bool
    private let folder: URL?
    private let count = Atomic(0)

    /// With a cache.
    init(server: Server, _ kind: CacheCase) {
        name = "networkkit"
        isMiss = kind == .miss
        folder =
            kind == .diskHit ? FileManager.default.temporaryDirectory.appending(path: "networkkit-benchmark-\(UUID().uuidString)") : nil
        client = Self.client(server, [.cache(folder.map { HTTPCache(directory: $0) } ?? HTTPCache())])
    }

    /// Without one.
    init(withoutCache server: Server, _ kind: CacheCase) {
        name = "no-cache"
        isMiss = kind == .miss
        folder = nil
        client = Self.client(server, [])
    }

    deinit {
        if let folder { try? FileManager.default.removeItem(at: folder) }
    }

    private static func client(_ server: Server, _ interceptors: [any Interceptor]) -> NetworkClient {
        #if os(Linux)
        return NetworkClient(session: HTTPSession(transport: CurlTransport(.init(proxy: .none)), interceptors: interceptors))
        #else
        return NetworkClient(session: HTTPSession(interceptors: interceptors))
        #endif
    }

    func run(_ load: Load, within bounds: Bounds) async throws -> Round {
        guard case .cached(let url, _) = load else { throw Unavailable("no scenario of \(name)") }
        guard isMiss else { return try await Tickets.run(bounds) { try await client.data(for: Same(baseURL: url)).get().count } }
        return try await Tickets.run(bounds) {
            let number = count.wrappingAdd(1, ordering: .relaxed).newValue
            return try await client.data(for: Another(baseURL: url, number: number)).get().count
        }
    }

    private struct Same: Endpoint {
        let baseURL: URL
        var path: Path { "" }
    }

    private struct Another: Endpoint {
        let baseURL: URL
        let number: Int
        var path: Path { "" }
        var query: Query { ["n": number] }
    }
}
