import NetworkKit
import PlatformBase

/// The whole client over a transport that answers by itself: what NetworkKit costs without a network.
struct StubClient: BenchmarkClient {
    let name: String
    private let client: NetworkClient

    /// - Parameter interceptors: how many that do nothing stand in front of the transport.
    init(_ name: String = "networkkit", interceptors: Int) {
        self.init(name, stack: Array(repeating: Passing(), count: interceptors))
    }

    /// - Parameter stack: what stands in front of the transport.
    init(_ name: String = "networkkit", stack: [any Interceptor]) {
        self.name = name
        client = NetworkClient(session: HTTPSession(transport: Stub(), interceptors: stack))
    }

    /// A log, an observer and a tracer, all of which throw away what they are given.
    static var observed: [any Interceptor] { [.logging(sink: .none), .observing(Deaf()), .tracing { _ in }] }

    private struct Deaf: RequestObserver {
        func observe(_ event: RequestEvent) {}
    }

    func run(_ load: Load, within bounds: Bounds) async throws -> Round {
        let client = client
        return try await Tickets.run(bounds) { try await client.data(for: Stubbed()).get().count }
    }

    private struct Stub: Transport {
        let body = Data(count: 1024)
        func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
            HTTPResponse(head: ResponseHead(status: 200, url: request.url), body: ResponseBody(body))
        }
    }

    private struct Passing: Interceptor {
        func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse { try await next(request) }
    }

    private struct Stubbed: Endpoint {
        let baseURL = StubClient.address
        var path: Path { "1k" }
    }

    private static let address = Server.url("http", 80, "")
}
