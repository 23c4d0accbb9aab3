import NetworkKit
import PlatformBase

/// NetworkKit as a service uses it: the whole client, from endpoint to `Result`, with as many connections as it has unless told otherwise.
struct NetworkKitClient: BenchmarkClient {
    let name = "networkkit"
    private let client: NetworkClient
    private let session: HTTPSession

    /// A client with a transport of its own.
    init(server: Server) {
        #if os(Linux)
        let tls = TLSOptions(authorityFile: server.authorityFile)
        session = HTTPSession(transport: CurlTransport(.init(tls: tls, proxy: .none)))
        #else
        session = HTTPSession()
        #endif
        client = NetworkClient(session: session)
    }

    func run(_ load: Load, within bounds: Bounds) async throws -> Round {
        let client = client
        switch load {
        case .get(let url, 1):
            return try await Tickets.run(bounds) { try await client.data(for: Get(url)).get().count }
        case .get(let url, let inFlight):
            return try await Tickets.run(bounds, inFlight: inFlight) { try await client.data(for: Get(url)).get().count }
        case .getOnLoop(let url):
            guard let loopExecutor else { throw Unavailable("the session has no executor") }
            return try await withTaskExecutorPreference(loopExecutor) {
                try await Tickets.run(bounds) { try await client.data(for: Get(url)).get().count }
            }
        case .stream(let url):
            return try await Tickets.run(bounds) {
                let response = try await client.response(for: Get(url)).get()
                var count = 0
                for try await chunk in response.body { count += chunk.count }
                return count
            }
        case .buffer(let url):
            return try await Tickets.run(bounds) { try await client.data(for: Get(url)).get().count }
        case .upload(let url, let data):
            return try await Tickets.run(bounds) {
                _ = try await client.data(for: Put(url, .data(data))).get()
                return data.count
            }
        case .uploadFile(let url, let file):
            return try await Tickets.run(bounds) {
                _ = try await client.data(for: Put(url, .file(file))).get()
                return BigFile.size
            }
        case .model(let url):
            return try await Tickets.run(bounds) {
                try await client.sendRequest(endpoint: Get(url), responseModel: MoviePage.self).get().results.count
            }
        case .download, .stub, .observed, .resilience, .cached, .streamed, .program:
            throw Unavailable("no scenario of \(name)")
        }
    }

    private var loopExecutor: (any TaskExecutor)? { session.executor }
    var hasLoopExecutor: Bool { loopExecutor != nil }
}

/// A GET.
private struct Get: Endpoint {
    let baseURL: URL
    var path: Path { "" }

    init(_ url: URL) { baseURL = url }
}

/// A PUT of a body.
private struct Put: Endpoint {
    let baseURL: URL
    let body: RequestBody?
    var path: Path { "" }
    var method: any RequestMethod { .put }

    init(_ url: URL, _ body: RequestBody) {
        baseURL = url
        self.body = body
    }
}
