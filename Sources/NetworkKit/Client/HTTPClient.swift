public import PlatformBase

/// What a service adopts to make calls: all of it comes from the session.
///
/// ```swift
/// struct MoviesService: HTTPClient {
///     func topRated(page: Int) async -> Result<Page<Movie>, RequestError> {
///         await sendRequest(endpoint: MoviesEndpoint.topRated(page: page, region: nil), responseModel: Page<Movie>.self)
///     }
/// }
/// let service = MoviesService()
/// let page = try await service.topRated(page: 1).get()   // throws RequestError, typed
/// ```
///
/// Every call gives a `Result` and never throws; `.get()` is the throwing form. Cancelling the task ends the call at once with
/// ``RequestError/cancelled(_:)``.
public protocol HTTPClient: Sendable {
    /// The stack that the calls go through. Default: ``HTTPSession/shared``.
    ///
    /// A stored property, as a rule: cache, cookies in memory, renewed tokens, limits and breakers live in the session's interceptors, and
    /// a session that is made anew for each call begins without them.
    var session: HTTPSession { get }
}

/// A client without a service of one's own: `NetworkClient(session: session).send(TopRated())`.
public struct NetworkClient: HTTPClient {
    /// The stack that the calls go through.
    public let session: HTTPSession

    /// A client on a session.
    public init(session: HTTPSession = .shared) { self.session = session }
}

/// A model with what came along with it.
public struct Reply<Value: Sendable>: Sendable {
    /// The model.
    public let value: Value
    /// Status, fields and final URL of the answer.
    public let head: ResponseHead
    /// What the request cost.
    public let metrics: RequestMetrics

    /// A reply.
    public init(value: Value, head: ResponseHead, metrics: RequestMetrics = .init()) {
        self.value = value
        self.head = head
        self.metrics = metrics
    }
}

// The calls are `@concurrent`: wherever they are called from, the main actor included, building, waiting and decoding happen off it.
extension HTTPClient {
    /// ``HTTPSession/shared``.
    public var session: HTTPSession { .shared }

    /// Sends a request and reads its answer as a model.
    ///
    /// - Parameter responseModel: the type of the model. `Data` gives the body as it is, `String` as text; an optional or
    ///   ``EmptyResponse`` accepts an empty body.
    /// - Returns: the model of a 2xx answer, or why there is none.
    @concurrent
    public func sendRequest<Model: Decodable & Sendable>(
        endpoint: some Endpoint, responseModel: Model.Type
    ) async -> Result<Model, RequestError> {
        do throws(RequestError) {
            let answer = try await answer(to: endpoint, wantsJSON: HTTPSession.wantsJSON(endpoint, responseModel))
            return .success(try await answer.model(responseModel, decoder: endpoint.decoder ?? session.decoder))
        } catch {
            return .failure(error)
        }
    }

    /// Sends a request that knows what it answers.
    ///
    /// - Returns: the model of a 2xx answer, or why there is none.
    @concurrent
    public func send<E: ResponseEndpoint>(_ endpoint: E) async -> Result<E.Response, RequestError> {
        await sendRequest(endpoint: endpoint, responseModel: E.Response.self)
    }

    /// Like ``send(_:)``, with the answer's head and what the request cost.
    @concurrent
    public func reply<E: ResponseEndpoint>(to endpoint: E) async -> Result<Reply<E.Response>, RequestError> {
        await reply(endpoint: endpoint, responseModel: E.Response.self)
    }

    /// Like ``sendRequest(endpoint:responseModel:)``, with the answer's head and what the request cost.
    @concurrent
    public func reply<Model: Decodable & Sendable>(
        endpoint: some Endpoint, responseModel: Model.Type
    ) async -> Result<Reply<Model>, RequestError> {
        do throws(RequestError) {
            let answer = try await answer(to: endpoint, wantsJSON: HTTPSession.wantsJSON(endpoint, responseModel))
            let clock = answer.request.context.clock
            let start = clock.now
            let model = try await answer.model(responseModel, decoder: endpoint.decoder ?? session.decoder)
            var metrics = answer.response.metrics
            metrics.decode = clock.now - start
            return .success(Reply(value: model, head: answer.response.head, metrics: metrics))
        } catch {
            return .failure(error)
        }
    }

    /// Sends a request and gives the body of its 2xx answer as it is.
    @concurrent
    public func data(for endpoint: some Endpoint) async -> Result<Data, RequestError> {
        do throws(RequestError) {
            return .success(try await answer(to: endpoint, wantsJSON: false).response.data)
        } catch {
            return .failure(error)
        }
    }

    /// Sends a request and gives its answer, whatever the status, with the body as a stream.
    ///
    /// It has no deadline and no limit of size unless the endpoint sets them.
    @concurrent
    public func response(for endpoint: some Endpoint) async -> Result<HTTPResponse, RequestError> {
        let session = session
        do throws(RequestError) {
            return await session.stream(try session.request(for: endpoint, delivery: .stream, wantsJSON: false))
        } catch {
            return .failure(error)
        }
    }

    /// The answer to an endpoint, if it means success.
    private nonisolated(nonsending) func answer(to endpoint: some Endpoint, wantsJSON: Bool) async throws(RequestError) -> Answer {
        let session = session
        let request = try session.request(for: endpoint, delivery: .value, wantsJSON: wantsJSON)
        return Answer(request: request, response: try await session.value(request).get())
    }
}

/// An answer that a model is to be made of.
struct Answer {
    let request: HTTPRequest
    let response: CollectedResponse

    nonisolated(nonsending) func model<Model: Decodable & Sendable>(_ type: Model.Type, decoder: any ResponseDecoder)
        async throws(RequestError) -> Model
    {
        let decoding = response.body.decoding
        decoding?(.began)
        do throws(RequestError) {
            let model = try await ModelDecoding.offLoop(type, from: response.data, head: response.head, decoder: decoder)
            decoding?(.ended(nil))
            return model
        } catch {
            let told = error.retold { story in
                story.add(request)
                // An interceptor may have added a secret that the request didn't have when it set out.
                if let sent = response.request {
                    story.secrets.formUnion(sent.allSecrets)
                    story.add(callOf: sent, ending: error)
                }
            }
            decoding?(.ended(told))
            throw told
        }
    }
}
