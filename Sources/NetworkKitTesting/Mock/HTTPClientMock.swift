public import NetworkKit
internal import PlatformBase

/// A client whose answers are models, by the type and the value of the endpoint: no server, no bytes, no JSON to write.
///
/// ```swift
/// let mock = HTTPClientMock {
///     $0.answer(TopRated(page: 2), with: .failure(.unauthorized()))       // one value
///     $0.answer(TopRated.self) { Page(page: $0.page, results: movies) }   // any other of the type
/// }
/// let list = MovieList(client: mock)           // or MoviesService(session: mock.session)
/// …
/// #expect(mock.calls(of: TopRated.self).map(\.page) == [1, 2])
/// ```
///
/// The calls go through a session as real ones do, interceptors and deadline included; its transport is ``stub``. What is added first
/// wins. A model is handed over as it is, and needn't be `Encodable`. Only for an endpoint with a decoder of its own it goes through JSON.
public struct HTTPClientMock: HTTPClient {
    /// The stack that the calls go through.
    public let session: HTTPSession
    /// What stands in the place of a network: it has the requests as they were sent.
    public let stub: StubTransport

    /// A mock with answers.
    ///
    /// - Parameters:
    ///   - interceptors: what stands in front of the answers.
    ///   - defaults: what endpoints leave open.
    ///   - clock: times the deadline and delays.
    ///   - add: adds the answers.
    public init(
        interceptors: [any Interceptor] = [], defaults: RequestOptions = .init(), clock: any Clock<Duration> = ContinuousClock(),
        _ add: (inout Answers) -> Void
    ) {
        var answers = Answers()
        add(&answers)
        let models = HandedModels()
        stub = StubTransport(answers.routes) { models.take($0) }
        session = HTTPSession(transport: stub, interceptors: interceptors, decoder: models, defaults: defaults, clock: clock)
    }

    /// The endpoints that were called, in order; a redirect or retry counts as a call of its own.
    public var calls: [any Endpoint] { stub.requests.compactMap { $0.context.endpoint?.value as? any Endpoint } }

    /// The calls of one type of endpoint.
    public func calls<E: Endpoint>(of type: E.Type) -> [E] { stub.requests.compactMap { $0.context.endpoint?.value as? E } }
}

extension HTTPClientMock {
    /// What a mock answers to which endpoints.
    public struct Answers: Sendable {
        private(set) var routes = StubRoutes()

        /// Answers every endpoint of a type with a model that a closure makes, or with the ``RequestError`` that it throws.
        public mutating func answer<E: ResponseEndpoint>(
            _ type: E.Type, _ respond: @escaping @Sendable (E) async throws -> E.Response
        ) {
            routes.add(.condition("a call of \(type)") { $0.context.endpoint?.value is E }) { request in
                guard let endpoint = request.context.endpoint?.value as? E else { return .stalled }
                return try Self.answer(try await respond(endpoint), to: endpoint)
            }
        }

        /// Answers one endpoint: the one that is equal.
        public mutating func answer<E: ResponseEndpoint & Equatable>(_ endpoint: E, with result: Result<E.Response, RequestError>) {
            routes.add(.condition("a call of \(endpoint)") { $0.context.endpoint?.value as? E == endpoint }) { _ in
                try Self.answer(try result.get(), to: endpoint)
            }
        }

        /// Answers one endpoint: the one that becomes the same method and URL.
        @_disfavoredOverload
        public mutating func answer<E: ResponseEndpoint>(_ endpoint: E, with result: Result<E.Response, RequestError>) {
            routes.add(StubRoute.Criterion(endpoint)) { _ in try Self.answer(try result.get(), to: endpoint) }
        }

        /// Answers every endpoint of a type with bytes, as a ``StubTransport`` does: for endpoints that name no model, such as the cases
        /// of an enum.
        public mutating func answer<E: Endpoint>(_ type: E.Type, by respond: @escaping @Sendable (E) async throws -> StubAnswer) {
            routes.add(.condition("a call of \(type)") { $0.context.endpoint?.value is E }) { request in
                guard let endpoint = request.context.endpoint?.value as? E else { return .stalled }
                return try await respond(endpoint)
            }
        }

        /// Bytes for what is read as bytes, the model itself for what a decoder would make.
        private static func answer<E: ResponseEndpoint>(_ model: E.Response, to endpoint: E) throws(RequestError) -> StubAnswer {
            switch model as Any {
            case let data as Data: return .data(data)
            case let text as String: return .text(text)
            case is EmptyResponse: return .status(204)
            case Optional<Any>.none: return .status(204)
            default: break
            }
            guard endpoint.decoder != nil else { return StubAnswer(200, [:], contentType: "application/json", .value(model)) }
            if let encodable = model as? any Encodable { return .json(encodable) }
            throw .unknown(
                .init(
                    reason: "\(E.self) has a decoder of its own, which reads bytes, and \(E.Response.self) isn't Encodable; answer with "
                        + "bytes: answer(\(E.self).self, by: { _ in .json(…) })"))
        }
    }
}
