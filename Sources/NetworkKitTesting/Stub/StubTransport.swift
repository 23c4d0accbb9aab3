public import NetworkKit
internal import PlatformBase

/// A transport without a network: it answers from routes, and remembers what was sent.
///
/// ```swift
/// let stub = StubTransport { $0.get("movie/top_rated", .status(429), .json(page)) }
/// let service = MoviesService(session: HTTPSession(transport: stub, interceptors: [.retry()], clock: clock))
/// …
/// #expect(stub.requests.map(\.target) == ["/3/movie/top_rated?page=1", "/3/movie/top_rated?page=1"])
/// ```
///
/// Make one a test: nothing is shared, so tests run in parallel. It does what a transport does: it checks the request once more, reads
/// its body, ends with the task's cancellation, with the request's `timeout` and deadline, and answers any status. It waits by the
/// session's clock, so that a ``TestClock`` drives it.
///
/// A request that no route takes fails with ``RequestError/unknown(_:)``, which no retry repeats: the message names the nearest routes
/// and what differs.
public final class StubTransport: Transport {
    private struct State {
        var routes: StubRoutes
        var requests: [StubRequest] = []
        var mismatches: [StubMismatch] = []
        /// How many requests those who wait for them know of: see ``announce()``.
        var announced = 0
        var watchers: [(id: Int, count: Int, continuation: CheckedContinuation<Void, Never>)] = []
        var cancelledEarly: Set<Int> = []
        var lastID = 0
    }

    private let state: Lock<State>
    /// Puts a model where a session finds it, for stubs that answer with models and not with bytes.
    let handOver: (@Sendable (any Sendable) -> Data)?

    /// A stub with routes.
    public convenience init(_ routes: StubRoutes) { self.init(routes.renewed(), handOver: nil) }

    /// A stub with routes, added by a closure.
    public convenience init(_ add: (inout StubRoutes) -> Void = { _ in }) {
        var routes = StubRoutes()
        add(&routes)
        self.init(routes)
    }

    /// A stub that answers every request: in order, and the last answer again and again.
    public convenience init(_ answer: StubAnswer, _ more: StubAnswer..., then end: StubSequenceEnd = .repeatsLast) {
        self.init(StubRoutes(answering: [answer] + more, then: end))
    }

    init(_ routes: StubRoutes, handOver: (@Sendable (any Sendable) -> Data)?) {
        state = Lock(State(routes: routes))
        self.handOver = handOver
    }

    /// Adds routes in front of those that are there, so that they win.
    public func add(_ add: (inout StubRoutes) -> Void) {
        var routes = StubRoutes()
        add(&routes)
        state.withLock { [routes] in $0.routes = routes.before($0.routes) }
    }

    /// What was sent, in the order in which it came, bodies read as far as they have been.
    public var requests: [StubRequest] { state.withLock(\.requests) }

    /// The requests that no route took, in order.
    public var mismatches: [StubMismatch] { state.withLock(\.mismatches) }

    /// Answers a request from the routes.
    public func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
        let request = try request.checked()
        // Others are told of a request when all is known of it. A body that its sender makes bit by bit may be long in coming, and may even
        // wait for who waits for the request.
        let isEarly = request.body.map { $0.length == nil || !$0.isReplayable } ?? false
        let received = try await receive(request, announces: isEarly)
        return try await StubDelivery(received.request, sent: received.body.count, handOver: handOver)
            .response(try await answer(received, announces: !isEarly))
    }
}

extension StubTransport {
    /// Waits until so many requests have been sent, or the test is cancelled. Of each the body, the route's parameters and its place among
    /// the route's requests are known by then, but for one whose body is a stream of unknown length, or can be read once: that may still be
    /// on its way.
    ///
    /// - Returns: the requests so far.
    @discardableResult
    public func waitForRequests(_ count: Int) async -> [StubRequest] {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    if state.announced >= count || state.cancelledEarly.remove(id) != nil { return true }
                    state.watchers.append((id, count, continuation))
                    return false
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            let watcher = state.withLock { state -> CheckedContinuation<Void, Never>? in
                guard let place = state.watchers.firstIndex(where: { $0.id == id }) else {
                    state.cancelledEarly.insert(id)
                    return nil
                }
                return state.watchers.remove(at: place).continuation
            }
            watcher?.resume()
        }
        return requests
    }

    /// Puts a request on record, reads its body, and says which route takes it.
    private func receive(_ request: HTTPRequest, announces isEarly: Bool) async throws(RequestError) -> StubRequest {
        let place = state.withLock { state in
            state.requests.append(StubRequest(request, number: state.requests.count + 1))
            return state.requests.count - 1
        }
        guard let chunks = request.body?.chunks() else { return state.withLock { $0.requests[place] } }
        if isEarly { announce() }
        do {
            for try await chunk in chunks { state.withLock { $0.requests[place].body.append(chunk) } }
        } catch {
            // It was sent all the same, as far as it got.
            if !isEarly { announce() }
            throw RequestError(thrown: error)
        }
        return state.withLock { $0.requests[place] }
    }

    /// Tells those who wait for requests of one more. One that has come as a whole has its place in its route's sequence by then: what they do next
    /// may have another request sent, which must not get its answer.
    private func announce() {
        let ready = state.withLock { state in
            state.announced += 1
            let count = state.announced
            defer { state.watchers.removeAll { $0.count <= count } }
            return state.watchers.filter { $0.count <= count }.map(\.continuation)
        }
        for watcher in ready { watcher.resume() }
    }

    private func answer(_ received: StubRequest, announces: Bool) async throws(RequestError) -> StubAnswer {
        let routes = state.withLock(\.routes)
        guard let route = routes.route(for: received) else {
            let mismatch = StubMismatch(received, routes.routes)
            state.withLock { $0.mismatches.append(mismatch) }
            if announces { announce() }
            throw mismatch.error
        }
        var request = received
        request.parameters = route.parameters(of: received)
        let occurrence = route.occurrences.next()
        request.occurrence = occurrence
        state.withLock { [parameters = request.parameters] state in
            state.requests[received.number - 1].parameters = parameters
            state.requests[received.number - 1].occurrence = occurrence
        }
        if announces { announce() }
        do {
            return try await route.respond(request)
        } catch {
            throw RequestError(thrown: error)
        }
    }
}

extension HTTPSession {
    /// A session over a stub that answers every request, for a test that needs no more: `MoviesService(session: .stubbed(.json(page)))`.
    public static func stubbed(
        _ answer: StubAnswer, _ more: StubAnswer..., defaults: RequestOptions = .init(), clock: any Clock<Duration> = ContinuousClock()
    ) -> HTTPSession {
        HTTPSession(transport: StubTransport(StubRoutes(answering: [answer] + more)), defaults: defaults, clock: clock)
    }
}
