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
            decoder: decoder, encoder: encoder, defaults: defaults, headers: headers, clock: CallClock(clock))
    }

    var decoder: any ResponseDecoder { core.decoder }

    private final class Core: Sendable {
        let next: Next
        /// Whether everything in the stack ends with the call's scope by itself.
        let endsWithCall: Bool
        let decoder: any ResponseDecoder
        let encoder: any RequestEncoder
        let defaults: RequestOptions
        let headers: HTTPFields
        let clock: CallClock
        let alarm: Alarm

        init(
            next: Next, endsWithCall: Bool, decoder: any ResponseDecoder, encoder: any RequestEncoder, defaults: RequestOptions,
            headers: HTTPFields, clock: CallClock
        ) {
            self.next = next
            self.endsWithCall = endsWithCall
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
    /// Makes one call: endpoint to request, through the stack, and what the caller makes of the response, all within the
    /// deadline and ended by the task's cancellation.
    func call<Value: Sendable>(
        _ endpoint: some Endpoint, delivery: CallContext.Delivery, accept: String,
        _ finish: @escaping @Sendable (HTTPResponse, RequestOptions) async throws(RequestError) -> Value
    ) async -> Result<Value, RequestError> {
        var request: HTTPRequest
        do {
            request = try HTTPRequest(endpoint, encoder: core.encoder)
            stamp(&request, delivery: delivery, accept: accept)
            // Checked before anybody else sees it; and again at the end, if somebody changes it.
            request = try request.checked()
            request.context.homeOrigin = request.origin
        } catch {
            return .failure(error.retold { $0.name = $0.name ?? endpoint.options.name })
        }
        let scope = CallScope()
        request.context.scope = scope
        // A deadline that is past already lets nothing be sent.
        if request.context.remaining == .zero { scope.end(.deadline(request.options.deadline)) }
        let timer = request.context.deadline.map { [limit = request.options.deadline] in
            core.alarm.timer($0) { scope.end(.deadline(limit)) }
        }
        let result = await withTaskCancellationHandler { [request] in
            await run(request, within: scope) { (response) async throws(RequestError) in
                // A stream goes on after its head has been handed over, and so does its deadline.
                guard let timer, delivery == .stream else { return try await finish(response, request.options) }
                return try await finish(response.bounded(by: scope, timer: timer), request.options)
            }
        } onCancel: {
            scope.end(.cancelled)
        }
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
        request.options = own.merging(defaults: core.defaults)
        request.options.timeout = request.options.timeout ?? RequestOptions.Standard.timeout
        switch delivery {
        case .value:
            request.options.deadline = request.options.deadline ?? RequestOptions.Standard.deadline
            request.options.maximumBodySize = request.options.maximumBodySize ?? RequestOptions.Standard.maximumBodySize
        case .stream:
            // What lasts as long as it lasts is bounded only when its own endpoint says so.
            request.options.deadline = own.deadline
            request.options.maximumBodySize = own.maximumBodySize
        }
        if !request.headers.contains(.accept) { request.headers.append(HTTPField(name: .accept, value: accept)) }
        request.headers = request.headers.merging(defaults: core.headers)

        var context = CallContext(callClock: core.clock)
        context.deadline = request.options.deadline.map { core.clock.now + $0 }
        context.delivery = delivery
        context.secrets = request.context.secrets
        request.context = context
    }
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
