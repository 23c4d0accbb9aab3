public import NetworkKit
internal import PlatformBase

/// What a ``StubTransport`` answers to which requests.
///
/// ```swift
/// let stub = StubTransport {
///     $0.get("movie/top_rated", .json(page))                            // the end of the path
///     $0.get("/3/movie/:id") { .json(Movie(id: $0.parameters["id"])) }  // the whole path, a name in it
///     $0.get("movie/top_rated?page=2", .status(429), .json(page))       // 429 first, then the page
///     $0.on(TopRated(page: 3), .failure(.unauthorized()))               // an endpoint's method and URL
///     $0.on(where: { $0.headers["X-Beta"] != nil }, .status(204))
/// }
/// ```
///
/// The first route that fits is taken. Where a route has several answers they are given in order; past the end the last one again,
/// unless ``StubSequenceEnd`` says otherwise. A route for GET answers HEAD too, without the body.
public struct StubRoutes: Sendable {
    /// Makes an answer from a request. A ``RequestError`` that it throws fails the request as it is, another error as
    /// ``RequestError/interceptor(_:)``.
    public typealias Responder = @Sendable (StubRequest) async throws -> StubAnswer

    private(set) var routes: [StubRoute] = []
    private(set) var fallbackRoute: StubRoute?

    /// No routes.
    public init() {}

    /// Answers GET, and HEAD without the body.
    public mutating func get(_ path: String, _ answer: StubAnswer, _ more: StubAnswer..., then end: StubSequenceEnd = .repeatsLast) {
        add(.path(.get, StubPattern(path)), [answer] + more, end)
    }
    /// Answers GET, and HEAD without the body, by a closure.
    public mutating func get(_ path: String, _ respond: @escaping Responder) { on(.get, path, respond) }

    /// Answers POST.
    public mutating func post(_ path: String, _ answer: StubAnswer, _ more: StubAnswer..., then end: StubSequenceEnd = .repeatsLast) {
        add(.path(.post, StubPattern(path)), [answer] + more, end)
    }
    /// Answers POST by a closure.
    public mutating func post(_ path: String, _ respond: @escaping Responder) { on(.post, path, respond) }

    /// Answers one method.
    public mutating func on(
        _ method: HTTPMethod, _ path: String, _ answer: StubAnswer, _ more: StubAnswer..., then end: StubSequenceEnd = .repeatsLast
    ) {
        add(.path(method, StubPattern(path)), [answer] + more, end)
    }
    /// Answers one method by a closure.
    public mutating func on(_ method: HTTPMethod, _ path: String, _ respond: @escaping Responder) {
        routes.append(StubRoute(criterion: .path(method, StubPattern(path)), respond: respond))
    }

    /// Answers every method.
    public mutating func any(_ path: String, _ answer: StubAnswer, _ more: StubAnswer..., then end: StubSequenceEnd = .repeatsLast) {
        add(.path(nil, StubPattern(path)), [answer] + more, end)
    }
    /// Answers every method by a closure.
    public mutating func any(_ path: String, _ respond: @escaping Responder) {
        routes.append(StubRoute(criterion: .path(nil, StubPattern(path)), respond: respond))
    }

    /// Answers the method and URL that an endpoint becomes, query included.
    public mutating func on(
        _ endpoint: some Endpoint, _ answer: StubAnswer, _ more: StubAnswer..., then end: StubSequenceEnd = .repeatsLast
    ) {
        add(StubRoute.Criterion(endpoint), [answer] + more, end)
    }
    /// Answers an endpoint by a closure.
    public mutating func on(_ endpoint: some Endpoint, _ respond: @escaping Responder) {
        routes.append(StubRoute(criterion: StubRoute.Criterion(endpoint), respond: respond))
    }
    /// Answers an endpoint with what it says that it answers, as JSON.
    public mutating func on<E: ResponseEndpoint>(_ endpoint: E, returning response: E.Response) where E.Response: Encodable {
        add(StubRoute.Criterion(endpoint), [.json(response)], .repeatsLast)
    }

    /// Answers requests that meet a condition.
    ///
    /// - Parameter name: says in the message for an unmatched request what was expected.
    public mutating func on(
        _ name: String = "what a condition asks for", where holds: @escaping @Sendable (StubRequest) -> Bool, _ answer: StubAnswer,
        _ more: StubAnswer..., then end: StubSequenceEnd = .repeatsLast
    ) {
        add(.condition(name, holds), [answer] + more, end)
    }

    /// Answers what no route fits. Without one that fails, and the message names the nearest routes.
    public mutating func fallback(_ answer: StubAnswer, _ more: StubAnswer..., then end: StubSequenceEnd = .repeatsLast) {
        fallbackRoute = StubRoute(criterion: .path(nil, StubPattern("*")), respond: Self.responder([answer] + more, end))
    }
    /// Answers what no route fits by a closure.
    public mutating func fallback(_ respond: @escaping Responder) {
        fallbackRoute = StubRoute(criterion: .path(nil, StubPattern("*")), respond: respond)
    }
}

/// What a route answers when its answers are used up.
public enum StubSequenceEnd: Sendable {
    /// The last one again, and again.
    case repeatsLast
    /// The first one again, and so on.
    case startsOver
    /// Nothing: the request fails with ``RequestError/unknown(_:)``, and the message says how many answers there were.
    case fails
}

extension StubRoutes {
    /// Routes that take every request: answered in order, and past the end as said.
    package init(answering answers: [StubAnswer], then end: StubSequenceEnd = .repeatsLast) {
        add(.path(nil, StubPattern("*")), answers, end)
    }

    /// The same routes for another stub, their answers counted anew.
    package func renewed() -> StubRoutes {
        var copy = self
        copy.routes = routes.map { StubRoute(criterion: $0.criterion, respond: $0.respond) }
        copy.fallbackRoute = fallbackRoute.map { StubRoute(criterion: $0.criterion, respond: $0.respond) }
        return copy
    }

    mutating func add(_ criterion: StubRoute.Criterion, _ answers: [StubAnswer], _ end: StubSequenceEnd) {
        routes.append(StubRoute(criterion: criterion, respond: Self.responder(answers, end)))
    }

    mutating func add(_ criterion: StubRoute.Criterion, _ respond: @escaping Responder) {
        routes.append(StubRoute(criterion: criterion, respond: respond))
    }

    /// These routes in front of others.
    func before(_ others: StubRoutes) -> StubRoutes {
        var all = self
        all.routes += others.routes
        all.fallbackRoute = fallbackRoute ?? others.fallbackRoute
        return all
    }

    /// The route that takes a request.
    func route(for request: StubRequest) -> StubRoute? {
        routes.first { $0.differences(from: request).isEmpty } ?? fallbackRoute
    }

    static func responder(_ answers: [StubAnswer], _ end: StubSequenceEnd) -> Responder {
        { request in
            let place = request.occurrence - 1
            if place < answers.count { return answers[place] }
            switch end {
            case .repeatsLast: return answers[answers.count - 1]
            case .startsOver: return answers[place % answers.count]
            case .fails:
                let count = answers.count == 1 ? "its only answer has" : "its \(answers.count) answers have"
                throw RequestError.unknown(.init(reason: "the stub's route got request \(request.occurrence), and \(count) been given"))
            }
        }
    }
}

extension StubRoute.Criterion {
    /// The method and URL that an endpoint becomes.
    init(_ endpoint: some Endpoint) {
        do throws(RequestError) {
            let request = try HTTPRequest(EndpointAddress(endpoint: endpoint))
            self = .address(request.method, url: StubRoute.bare(request.url.absoluteString))
        } catch {
            self = .fault("the route's endpoint \(type(of: endpoint)) can't be asked: \(error)")
        }
    }
}

/// An endpoint without what isn't compared: its body may be a file that is read.
private struct EndpointAddress<Described: Endpoint>: Endpoint {
    let endpoint: Described
    var baseURL: URL { endpoint.baseURL }
    var path: Path { endpoint.path }
    var query: Query { endpoint.query }
    var method: any RequestMethod { endpoint.method }
}
