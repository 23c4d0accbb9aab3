internal import NetworkKit
internal import PlatformBase

/// What a case works with: the transport, and servers that go when the case is over.
final class ConformanceBench: Sendable {
    /// An answer with its body.
    struct Answer {
        let response: HTTPResponse
        let body: Data

        var text: String { String(decoding: body, as: UTF8.self) }
        var code: Int { response.status.code }
    }

    let transport: any Transport
    private let servers = Lock<[LoopbackServer]>([])
    private let executor = CaseExecutor()

    init(_ transport: any Transport) { self.transport = transport }

    /// Starts a server. It stops when the case is over.
    func serve(
        limits: LoopbackServer.Limits = .init(), _ routes: (inout LoopbackRoutes) -> Void
    ) async throws(LoopbackError) -> LoopbackServer {
        let server = try await LoopbackServer.start(limits: limits, routes: routes)
        servers.withLock { $0.append(server) }
        return server
    }

    /// Starts a server that answers all requests with the same bytes.
    func serve(raw bytes: Data, thenClose: Bool = true) async throws(LoopbackError) -> LoopbackServer {
        try await serve { routes in routes.fallback { _ in .raw(bytes, thenClose: thenClose) } }
    }

    /// Runs work beside the case, on its threads.
    func task<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Task<Value, Never> {
        Task(executorPreference: executor) { await work() }
    }

    func close() async {
        for server in servers.withLock({ $0 }) { await server.stop() }
        executor.close()
    }
}

extension ConformanceBench {
    /// Sends a request and gives its answer when the head is there.
    func send(
        _ url: URL, _ method: HTTPMethod = .get, headers: HTTPFields = [:], body: RequestBody? = nil, options: RequestOptions = .init(),
        delivery: CallContext.Delivery = .stream
    ) async throws(RequestError) -> HTTPResponse {
        var context = CallContext()
        context.delivery = delivery
        return try await transport.send(
            HTTPRequest(url: url, method: method, headers: headers, body: body, options: options, context: context))
    }

    /// Sends a request and reads its answer whole.
    func answer(
        _ url: URL, _ method: HTTPMethod = .get, headers: HTTPFields = [:], body: RequestBody? = nil, options: RequestOptions = .init(),
        delivery: CallContext.Delivery = .stream
    ) async throws(RequestError) -> Answer {
        let response = try await send(url, method, headers: headers, body: body, options: options, delivery: delivery)
        return Answer(response: response, body: try await response.body.collect(upTo: options.maximumBodySize ?? 64 << 20))
    }

    /// What the transport makes of an answer that is these bytes, behind which the connection ends.
    func answer(toGetting raw: String, _ method: HTTPMethod = .get) async throws -> Answer {
        try await answer(toGetting: Data(raw.utf8), method)
    }

    /// The same for bytes that are no text.
    func answer(toGetting raw: Data, _ method: HTTPMethod = .get) async throws -> Answer {
        try await answer(try await serve(raw: raw).baseURL, method)
    }

    /// The error that the work ends with. It fails the case when there is none.
    func failure<Value>(
        _ what: String, of work: () async throws(RequestError) -> Value
    ) async throws(ConformanceFailure) -> RequestError {
        do throws(RequestError) {
            _ = try await work()
        } catch {
            return error
        }
        throw ConformanceFailure("\(what) went well, where it must fail")
    }

    /// Fails the case unless these bytes, in place of an answer, are refused, in the head or in the body, as a fault of the connection
    /// or the bytes.
    func expectRefusal(of raw: String, _ what: String) async throws {
        let url = try await serve(raw: Data(raw.utf8)).baseURL
        let error = try await failure(what) { () async throws(RequestError) in try await self.answer(url) }
        switch error {
        case .connection, .noResponse, .integrity, .stream, .responseTooLarge: return
        default: throw ConformanceFailure("\(what) failed in another way than by the connection: \(error)")
        }
    }

    /// Fails the case unless the head of an answer comes, and reading its body then fails.
    func expectBrokenBody(_ response: HTTPResponse, _ what: String) async throws -> RequestError {
        try await failure(what) { () async throws(RequestError) in try await response.body.collect(upTo: 64 << 20) }
    }
}

extension RequestError {
    /// Which way the connection failed; `nil` for an error of another kind.
    var connectionKind: Connection.Kind? { if case .connection(let details) = self { details.kind } else { nil } }
}

extension HTTPFields {
    /// Names and values, for comparison.
    var pairs: [String] { map { "\($0.name): \($0.value)" } }
}
