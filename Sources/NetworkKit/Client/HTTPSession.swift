internal import PlatformBase

/// A stack as a value: a transport, the interceptors in front of it, and what all its calls have in common.
///
/// ```swift
/// let session = HTTPSession(
///     interceptors: [.redirects(), Stopwatch()],
///     defaults: .init(timeout: .seconds(10)))
/// ```
///
/// Interceptors stand outermost first. A list without ``Interceptor/redirects(_:)`` gets it: directly outside the first of cookies,
/// cache, coalescing and authentication, so that each hop is treated as the request that it is; else innermost.
///
/// Sessions are cheap: those on one transport share its connections and its thread.
public struct HTTPSession: Sendable {
    private let core: Core

    /// The session of clients that have none of their own: the platform's transport and redirects, nothing else.
    public static let shared = HTTPSession()

    /// A session.
    ///
    /// - Parameters:
    ///   - transport: brings requests to servers. Default: the process's one transport.
    ///   - interceptors: what stands in front of it, outermost first.
    ///   - decoder: reads bodies of endpoints without a decoder of their own. Default: JSON with RFC 3339 dates.
    ///   - encoder: writes bodies without an encoder of their own. Default: JSON with RFC 3339 dates.
    ///   - defaults: what endpoints leave open.
    ///   - headers: fields of every request, where the endpoint doesn't set them. Default: `User-Agent: NetworkKit/x.y`.
    ///   - clock: times the deadline, and every wait of the interceptors.
    public init(
        transport: any Transport = .default, interceptors: [any Interceptor] = [], decoder: any ResponseDecoder = .json,
        encoder: any RequestEncoder = .json, defaults: RequestOptions = .init(), headers: HTTPFields = .standard,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        let stack = Self.withRedirects(interceptors)
        core = Core(
            next: Next(interceptors: stack, transport: transport),
            endsWithCall: transport is any StockTransport && stack.allSatisfy { $0 is any StockInterceptor },
            executor: (transport as? any StockTransport)?.loopExecutor,
            decoder: decoder, encoder: encoder, defaults: defaults, headers: headers, clock: CallClock(clock))
    }

    /// Where tasks run without a change of thread between them and the transport's loop; `nil` for a transport without one.
    ///
    /// For a command-line tool whose time goes into many small requests, one after the other:
    ///
    /// ```swift
    /// await withTaskExecutorPreference(session.executor) {
    ///     for id in ids { show(await client.send(MovieDetail(id: id))) }
    /// }
    /// ```
    ///
    /// While such a task computes, or waits in another way than by `await`, no request of the transport goes on. So it is nothing for
    /// an app with a user interface or for a server. Models are decoded elsewhere all the same, since that takes longer than all else.
    public var executor: (any TaskExecutor)? { core.executor }

    var decoder: any ResponseDecoder { core.decoder }

    private final class Core: Sendable {
        let next: Next
        /// Whether everything in the stack ends with the call's scope by itself.
        let endsWithCall: Bool
        let executor: (any TaskExecutor)?
        let decoder: any ResponseDecoder
        let encoder: any RequestEncoder
        let defaults: RequestOptions
        let headers: HTTPFields
        let clock: CallClock
        let alarm: Alarm

        init(
            next: Next, endsWithCall: Bool, executor: (any TaskExecutor)?, decoder: any ResponseDecoder, encoder: any RequestEncoder,
            defaults: RequestOptions,
            headers: HTTPFields, clock: CallClock
        ) {
            self.next = next
            self.endsWithCall = endsWithCall
            self.executor = executor
            self.decoder = decoder
            self.encoder = encoder
            self.defaults = defaults
            self.headers = headers
            self.clock = clock
            alarm = Alarm(clock)
        }
    }

    private static func withRedirects(_ interceptors: [any Interceptor]) -> [any Interceptor] {
        guard !interceptors.contains(where: { $0 is RedirectInterceptor }) else { return interceptors }
        var stack = interceptors
        stack.insert(.redirects(), at: stack.firstIndex { $0 is any PerHopInterceptor } ?? stack.endIndex)
        return stack
    }
}

extension HTTPSession {
    /// The request of one call: made from the endpoint, what it left open filled in, and checked, with the call's life begun.
    func request(
        for endpoint: some Endpoint, delivery: CallContext.Delivery, accept: String
    ) throws(RequestError) -> HTTPRequest {
        do throws(RequestError) {
            var request = try HTTPRequest(endpoint, encoder: core.encoder, context: CallContext(callClock: core.clock))
            stamp(&request, delivery: delivery, accept: accept)
            // Checked before anybody else sees it; and again at the end, if somebody changes it.
            try request.check()
            request.context.homeOrigin = request.origin
            return request
        } catch {
            throw error.retold { $0.name = $0.name ?? endpoint.options.name }
        }
    }

    /// Sends a request through the stack and reads the body of an answer that means success, all within the deadline and ended by the
    /// task's cancellation.
    func value(_ request: HTTPRequest) async -> Result<CollectedResponse, RequestError> {
        await call(request) { (response, _) async throws(RequestError) in
            let (data, metrics) = try await response.successBody(upTo: request.options.maximumBodySize ?? .max)
            return CollectedResponse(head: response.head, data: data, metrics: metrics)
        }
    }

    /// Sends a request through the stack and gives its answer, whose body ends with the call as well.
    func stream(_ request: HTTPRequest) async -> Result<HTTPResponse, RequestError> {
        await call(request) { (response, bounds) async throws(RequestError) in
            let response = request.options.maximumBodySize.map(response.limited(to:)) ?? response
            // A stream goes on after its head has been handed over, and so does its deadline.
            return bounds.timer.map { response.bounded(by: bounds.scope, timer: $0) } ?? response
        }
    }

    /// What bounds a call.
    private struct Bounds: Sendable {
        let scope: CallScope
        let timer: Alarm.Timer?
    }

    private func call<Value: Sendable>(
        _ request: HTTPRequest, _ finish: @escaping @Sendable (HTTPResponse, Bounds) async throws(RequestError) -> Value
    ) async -> Result<Value, RequestError> {
        var request = request
        let scope = CallScope(isOneTask: core.endsWithCall)
        request.context.scope = scope
        let limit = request.options.deadline
        // A deadline that is past already lets nothing be sent.
        if let limit, limit <= .zero { scope.end(.deadline(limit)) }
        let timer = request.context.deadline.map { core.alarm.timer($0) { scope.end(.deadline(limit)) } }
        let bounds = Bounds(scope: scope, timer: timer)
        let result = await withTaskCancellationHandler { [request] in
            await run(request, within: scope) { (response) async throws(RequestError) in try await finish(response, bounds) }
        } onCancel: {
            scope.end(.cancelled)
        }
        // Held until here, however the work used it.
        withExtendedLifetime(timer) {}
        return result.mapError { error in error.retold { $0.add(request) } }
    }

    private func run<Value: Sendable>(
        _ request: HTTPRequest, within scope: CallScope,
        _ finish: @escaping @Sendable (HTTPResponse) async throws(RequestError) -> Value
    ) async -> Result<Value, RequestError> {
        let next = core.next
        guard core.endsWithCall else {
            return await scope.race { () async throws(RequestError) -> Value in try await finish(next(request)) }
        }
        do {
            return .success(try await finish(next(request)))
        } catch {
            return .failure(scope.ending ?? error)
        }
    }

    /// Fills in what the endpoint left open, and begins the call.
    private func stamp(_ request: inout HTTPRequest, delivery: CallContext.Delivery, accept: String) {
        let own = request.options
        var options = own.merging(defaults: core.defaults)
        options.timeout = options.timeout ?? RequestOptions.Standard.timeout
        switch delivery {
        case .value:
            options.deadline = options.deadline ?? RequestOptions.Standard.deadline
            options.maximumBodySize = options.maximumBodySize ?? RequestOptions.Standard.maximumBodySize
        case .stream:
            // What lasts as long as it lasts is bounded only when its own endpoint says so.
            options.deadline = own.deadline
            options.maximumBodySize = own.maximumBodySize
        }
        request.options = options
        if !request.headers.contains(.accept) { request.headers.append(HTTPField(name: .accept, value: accept)) }
        request.headers.merge(defaults: core.headers)
        request.context.deadline = options.deadline.map { core.clock.now + $0 }
        request.context.delivery = delivery
    }
}

/// An answer whose body has been read.
struct CollectedResponse: Sendable {
    var head: ResponseHead
    var data: Data
    var metrics: RequestMetrics
}

extension RequestError {
    /// The task that made the call, or reads its body, was cancelled.
    static let cancelled = RequestError.cancelled(.init(reason: "the task was cancelled"))

    static func deadline(_ limit: Duration?) -> RequestError {
        .timedOut(.init(.init(limit: .deadline, after: limit), reason: "the call was not over by its deadline"))
    }
}

extension HTTPFields {
    /// The fields that a session sends unless it is given others: `User-Agent: NetworkKit/x.y`.
    public static let standard: HTTPFields = [.userAgent: "NetworkKit/\(NetworkKitVersion.current)"]
}

/// The version of the library.
public enum NetworkKitVersion {
    /// As it is sent in `User-Agent`.
    public static let current = "0.1"
}
