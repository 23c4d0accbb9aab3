import NetworkKit
import PlatformBase

/// The whole client over a transport that answers by itself: what NetworkKit costs without a network.
struct StubClient: BenchmarkClient {
    let name: String
    private let client: NetworkClient

    /// - Parameter interceptors: how many that do nothing stand in front of the transport.
    init(_ name: String = "networkkit", interceptors: Int) {
        self.init(name, transport: Stub(), stack: Array(repeating: Passing(), count: interceptors))
    }

    /// The library's own interceptors over a transport that, as its own do, ends with the call: nothing needs a task of its own then.
    ///
    /// - Parameter stock: what stands in front of the transport.
    init(_ name: String = "networkkit", stock: [any Interceptor]) {
        self.init(name, transport: StockStub(), stack: stock)
    }

    private init(_ name: String, transport: any Transport, stack: [any Interceptor]) {
        self.name = name
        client = NetworkClient(session: HTTPSession(transport: transport, interceptors: stack))
    }

    /// A log, an observer and a tracer, all of which throw away what they are given.
    static var observed: [any Interceptor] { [.logging(sink: LogSink { _ in }), .observing(Deaf()), .tracing { _ in }] }

    /// All that makes calls withstand failures, outermost first.
    static var resilience: [any Interceptor] {
        [.coalescing(), .authentication(.bearer("token")), .retry(), .circuitBreaker(), .concurrencyLimit(perHost: 64)]
    }

    private struct Deaf: RequestObserver {
        func observe(_ event: RequestEvent) {}
    }

    func run(_ load: Load, within bounds: Bounds) async throws -> Round {
        let client = client
        return try await Tickets.run(bounds) { try await client.data(for: Stubbed()).get().count }
    }

    private struct Stub: Transport {
        let body = StubClient.body
        func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
            HTTPResponse(head: ResponseHead(status: 200, url: request.url), body: ResponseBody(body))
        }
    }

    private struct StockStub: StockTransport {
        let body = StubClient.body
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

    private static let body = Data(count: 1024)
    private static let address = Server.url("http", 80, "")
}
