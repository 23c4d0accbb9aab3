public import NetworkKit
internal import PlatformBase

/// What a ``LoopbackServer`` answers.
///
/// Paths are patterns: `/movie/:id` takes any one segment and gives it, decoded, as `request.parameters["id"]`; a `*` at the end
/// takes all the rest. The first route added that fits is taken. A route for GET answers HEAD too, without the body.
/// The content of a request, up to ``LoopbackServer/Limits/drainedBodySize``, has arrived when a plain route's answer goes out,
/// read by the route or not; a route that is to answer earlier is a ``stream(_:_:_:)``.
/// An error thrown by a route becomes a 500 with the error's text.
public struct LoopbackRoutes: Sendable {
    /// Answers a request with a value.
    public typealias Handler = @Sendable (LoopbackRequest) async throws -> LoopbackResponse
    /// Answers a request step by step.
    public typealias StreamHandler = @Sendable (LoopbackExchange) async throws -> Void

    enum Action: Sendable {
        case answer(Handler)
        case stream(StreamHandler)
    }

    struct Route: Sendable {
        let method: HTTPMethod?
        let pattern: RoutePattern
        let action: Action
        let occurrences = Counter()
    }

    private(set) var routes: [Route] = []
    private(set) var fallbackRoute: Route?
    private(set) var decideOnConnection: (@Sendable (LoopbackConnection) async -> LoopbackConnection.Decision)?

    /// No routes: every request is answered with 404.
    public init() {}

    /// Routes, added by a closure.
    public init(_ add: (inout LoopbackRoutes) -> Void) {
        add(&self)
    }

    /// Answers GET, and HEAD without the body.
    public mutating func get(_ path: String, _ handler: @escaping Handler) { on(.get, path, handler) }

    /// Answers POST.
    public mutating func post(_ path: String, _ handler: @escaping Handler) { on(.post, path, handler) }

    /// Answers one method.
    public mutating func on(_ method: HTTPMethod, _ path: String, _ handler: @escaping Handler) {
        routes.append(Route(method: method, pattern: RoutePattern(path), action: .answer(handler)))
    }

    /// Answers every method.
    public mutating func any(_ path: String, _ handler: @escaping Handler) {
        routes.append(Route(method: nil, pattern: RoutePattern(path), action: .answer(handler)))
    }

    /// Answers step by step: the request's body and the answer can overlap.
    ///
    /// - Parameter method: `nil` for every method.
    public mutating func stream(_ method: HTTPMethod?, _ path: String, _ handler: @escaping StreamHandler) {
        routes.append(Route(method: method, pattern: RoutePattern(path), action: .stream(handler)))
    }

    /// Answers what no route fits. Without one that is a 404 that names the routes.
    public mutating func fallback(_ handler: @escaping Handler) {
        fallbackRoute = Route(method: nil, pattern: RoutePattern("*"), action: .answer(handler))
    }

    /// Decides on each connection as it is accepted, before anything is read from it.
    public mutating func onConnect(_ decide: @escaping @Sendable (LoopbackConnection) async -> LoopbackConnection.Decision) {
        decideOnConnection = decide
    }

    /// The same routes for another server, their requests counted anew.
    func renewed() -> LoopbackRoutes {
        var copy = self
        copy.routes = routes.map { Route(method: $0.method, pattern: $0.pattern, action: $0.action) }
        copy.fallbackRoute = fallbackRoute.map { Route(method: $0.method, pattern: $0.pattern, action: $0.action) }
        return copy
    }

    /// The route for a request, with its parameters.
    func route(_ method: HTTPMethod, path: String) -> (route: Route, parameters: [String: String])? {
        if let found = find(path, { $0 == nil || $0 == method }) { return found }
        if method == .head, let found = find(path, { $0 == .get }) { return found }
        return fallbackRoute.map { ($0, [:]) }
    }

    /// What is said where no route fits.
    var summary: String {
        routes.isEmpty
            ? "This server has no routes."
            : "No route fits. There are:\n" + routes.map { "\($0.method?.name ?? "any method") \($0.pattern.text)\n" }.joined()
    }

    private func find(_ path: String, _ takes: (HTTPMethod?) -> Bool) -> (route: Route, parameters: [String: String])? {
        for route in routes where takes(route.method) {
            if let parameters = route.pattern.match(path) { return (route, parameters) }
        }
        return nil
    }
}

/// Counts from 1.
final class Counter: Sendable {
    private let count = Lock(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
