internal import NetworkKit
public import PlatformBase

/// A real HTTP/1.1 server on 127.0.0.1, for tests: routes as closures, requests on record, faults on demand.
///
/// ```swift
/// let server = try await LoopbackServer.start { routes in
///     routes.get("/movie/:id") { request in .json(#"{"id": \#(request.parameters["id"] ?? "0")}"#) }
///     routes.on(.post, "/echo") { request in .data(try await request.body(), contentType: request.headers[.contentType]) }
///     routes.any("/stall") { _ in .stalled }
/// }
/// // … requests to server.baseURL …
/// #expect(server.requests.map(\.target) == ["/movie/550?language=en"])
/// await server.stop()
/// ```
///
/// It knows of no test framework. It never listens on any other address, and what it holds is bounded by ``Limits``. A server
/// that is let go of without ``stop()`` stops by itself soon after.
public final class LoopbackServer: Sendable {
    /// The port, picked by the system.
    public let port: Int
    private let core: ServerCore

    private init(core: ServerCore) {
        self.core = core
        port = core.port
    }

    deinit {
        Task { [core] in await core.stop() }
    }

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - limits: the bounds of what it holds.
    ///   - clock: what times delays and dripping, so that a test can turn it by hand.
    ///   - routes: adds the routes.
    /// - Throws: ``LoopbackError/system(call:code:)`` when the system has no descriptor, port or thread left.
    public static func start(
        limits: Limits = Limits(), clock: any Clock<Duration> = ContinuousClock(), routes: (inout LoopbackRoutes) -> Void
    ) async throws(LoopbackError) -> LoopbackServer {
        try await start(LoopbackRoutes(routes), limits: limits, clock: clock)
    }

    /// Starts a server with routes made before, whose requests it counts from the beginning. It throws as the form with a closure does.
    public static func start(
        _ routes: LoopbackRoutes, limits: Limits = Limits(), clock: any Clock<Duration> = ContinuousClock()
    ) async throws(LoopbackError) -> LoopbackServer {
        LoopbackServer(core: try ServerCore(routes: routes.renewed(), limits: limits, clock: clock))
    }

    /// Starts a server, runs `body` with it, and stops it however `body` ends.
    public static func with<Result>(
        _ routes: LoopbackRoutes, limits: Limits = Limits(), clock: any Clock<Duration> = ContinuousClock(),
        isolation: isolated (any Actor)? = #isolation, perform body: (LoopbackServer) async throws -> Result
    ) async throws -> Result {
        let server = try await start(routes, limits: limits, clock: clock)
        do {
            let result = try await body(server)
            await server.stop()
            return result
        } catch {
            await server.stop()
            throw error
        }
    }

    /// Starts a server with routes added by a closure, runs `body` with it, and stops it however `body` ends.
    ///
    /// ```swift
    /// try await LoopbackServer.with { routes in routes.get("/") { _ in .text("hello") } } perform: { server in … }
    /// ```
    public static func with<Result>(
        limits: Limits = Limits(), clock: any Clock<Duration> = ContinuousClock(), routes: (inout LoopbackRoutes) -> Void,
        isolation: isolated (any Actor)? = #isolation, perform body: (LoopbackServer) async throws -> Result
    ) async throws -> Result {
        try await with(LoopbackRoutes(routes), limits: limits, clock: clock, isolation: isolation, perform: body)
    }

    /// Closes the listener and all connections, cancels the routes that run and waits for them. When it returns, no descriptor,
    /// task or thread of the server is left. A second call does nothing.
    ///
    /// To be called from outside the server's routes: a route that waited for it would wait for itself.
    public func stop() async {
        await core.stop()
    }
}

extension LoopbackServer {
    /// `http://127.0.0.1:PORT`, without a path.
    public var baseURL: URL {
        guard let url = URL(string: "http://127.0.0.1:\(port)") else { preconditionFailure("a URL of digits and dots is valid") }
        return url
    }

    /// The address of a path and query, both as they are to be on the wire: `server.url("/movie/550?language=en")`.
    ///
    /// A text that is no part of a URL gives ``baseURL``.
    public func url(_ target: String) -> URL {
        URL(string: "http://127.0.0.1:\(port)" + (target.hasPrefix("/") ? target : "/" + target)) ?? baseURL
    }

    /// The requests in the order in which their heads arrived; the first ``Limits/recordedRequests`` of them. The body of one is
    /// there as far as it has been read; with a plain route it is whole before the answer goes out.
    public var requests: [RecordedRequest] { core.ledger.records }

    /// How many requests have arrived, those that are not kept included.
    public var requestCount: Int { core.ledger.counts.requests }

    /// How many connections have been accepted so far.
    public var connectionCount: Int { core.ledger.counts.accepted }

    /// How many connections are open now.
    public var openConnectionCount: Int { core.ledger.counts.open }

    /// Why requests were refused as malformed, in order; at most 1,000 of these. Such a request is on record only when its head
    /// was well formed.
    public var malformedRequests: [LoopbackError] { core.ledger.faults }
}

extension LoopbackServer {
    /// Waits until the heads of so many requests have arrived. Like all waits it ends too when the server stops or the task is
    /// cancelled.
    ///
    /// - Returns: the requests on record.
    @discardableResult
    public func waitForRequests(_ count: Int) async -> [RecordedRequest] {
        await core.ledger.wait { $0.requests >= count }
        return requests
    }

    /// Waits until so many requests have been dealt with: answered, or failed as their routes had it.
    ///
    /// - Returns: the requests on record.
    @discardableResult
    public func waitForAnswers(_ count: Int) async -> [RecordedRequest] {
        await core.ledger.wait { $0.answers >= count }
        return requests
    }

    /// Waits until so many connections have been accepted.
    public func waitForConnections(_ count: Int) async {
        await core.ledger.wait { $0.accepted >= count }
    }

    /// Waits until at most so many connections are open.
    public func waitForOpenConnections(atMost count: Int) async {
        await core.ledger.wait { $0.open <= count }
    }

    /// Waits until no connection is open.
    public func waitUntilIdle() async {
        await waitForOpenConnections(atMost: 0)
    }
}
