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
    var stack: Next { core.next }
    var defaults: RequestOptions { core.defaults }
    var headers: HTTPFields { core.headers }
    var clock: CallClock { core.clock }

    private final class Core: Sendable {
        let next: Next
        /// Whether everything in the stack ends with the call's scope by itself.
        let endsWithCall: Bool
        let executor: (any TaskExecutor)?
        let decoder: any ResponseDecoder
        let encoder: any RequestEncoder
        let defaults: RequestOptions
        let headers: HTTPFields
        /// The fields of a request whose endpoint sets none.
        let headersForAny: HTTPFields
        let headersForJSON: HTTPFields
        let hasPlainHeaders: Bool
        let clock: CallClock
        let alarm: Alarm
        let identity: CallIdentity

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
            headersForAny = HTTPSession.headers([:], accept: HTTPSession.anyType, defaults: headers)
            headersForJSON = HTTPSession.headers([:], accept: HTTPSession.json, defaults: headers)
            hasPlainHeaders = headersForAny.isPlain && headersForJSON.isPlain
            self.clock = clock
            alarm = Alarm(clock)
            identity = CallIdentity(Array(next.interceptors))
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
    /// Whether an endpoint's answer is asked for as JSON: where nothing else is to read it.
    static func wantsJSON(_ endpoint: some Endpoint, _ model: any Any.Type) -> Bool {
        endpoint.decoder == nil && !(model is any NotJSON.Type)
    }

    /// The request of one call: made from the endpoint, what it left open filled in, and checked, with the call's life begun.
    func request(
        for endpoint: some Endpoint, delivery: CallContext.Delivery, wantsJSON: Bool
    ) throws(RequestError) -> HTTPRequest {
        do throws(RequestError) {
            var request = try HTTPRequest(endpoint, encoder: core.encoder, context: CallContext(callClock: core.clock))
            stamp(&request, delivery: delivery, wantsJSON: wantsJSON)
            // Checked before anybody else sees it; and again at the end, if somebody changes it.
            try request.check()
            if let home = request.context.homeOrigin {
                // An endpoint that names a page says itself where it is at home. The session's fields have been added since.
                try request.keepSecrets(at: home)
            } else {
                request.context.homeOrigin = request.origin
            }
            // The cache and coalescing, which ask for it, stand outside of the credentials.
            core.identity.stamp(&request)
            // Now that nobody else refers to it: whoever adds it later copies the request.
            request.context.scope = scope(of: request)
            return request
        } catch {
            throw error.retold { $0.name = $0.name ?? endpoint.options.name }
        }
    }

    /// Sends a request through the stack and reads the body of an answer that means success, all within the deadline and ended by the
    /// task's cancellation.
    nonisolated(nonsending) func value(_ request: HTTPRequest) async -> Result<CollectedResponse, RequestError> {
        guard let (request, progress) = request.followed() else { return await collect(request, nil) }
        return await collect(request, progress)
    }

    private nonisolated(nonsending) func collect(
        _ request: HTTPRequest, _ progress: ProgressMonitor?
    ) async -> Result<CollectedResponse, RequestError> {
        let (request, scope) = begin(request)
        let timer = request.context.deadline.map { core.alarm.set($0, Self.ending(scope, request.options.deadline)) }
        defer { if let timer { core.alarm.takeBack(timer) } }
        let result = await send(request, in: scope, taking: WholeAnswer(limit: request.options.maximumBodySize ?? .max))
        if let progress { await progress.finished(length: (try? result.get()).map { Int64($0.data.count) }, in: request.context) }
        return result
    }

    /// Sends a request through the stack and gives its answer, whose body ends with the call as well.
    nonisolated(nonsending) func stream(_ request: HTTPRequest) async -> Result<HTTPResponse, RequestError> {
        guard let (request, progress) = request.followed() else { return await open(request) }
        return await open(request).followed(by: progress, on: core.clock)
    }

    private nonisolated(nonsending) func open(_ request: HTTPRequest) async -> Result<HTTPResponse, RequestError> {
        let (request, scope) = begin(request)
        // A stream goes on after its head has been handed over, and so does its deadline.
        let timer = request.context.deadline.map { core.alarm.timer($0, Self.ending(scope, request.options.deadline)) }
        return await send(request, in: scope, taking: AnswersHead()).map { response in
            let response = request.options.maximumBodySize.map(response.limited(to:)) ?? response
            return timer.map { response.bounded(by: scope, timer: $0) } ?? response
        }
    }

    /// Sends a request through the stack and takes what is wanted of its answer, until the call's life ends, as by the task's
    /// cancellation.
    @inline(__always)
    private nonisolated(nonsending) func send<Taking: AnswerTaking>(
        _ request: HTTPRequest, in scope: CallScope, taking: Taking
    ) async -> Result<Taking.Answer, RequestError> {
        let result = await withTaskCancellationHandler {
            guard core.endsWithCall else {
                return await scope.race { [next = core.next] () async throws(RequestError) in try await taking.take(next(request)) }
            }
            do throws(RequestError) {
                return .success(try await taking.take(core.next(request)))
            } catch {
                return .failure(scope.ending ?? error)
            }
        } onCancel: {
            scope.end(.cancelled)
        }
        return told(result, request)
    }

    /// Begins a call's life: the one that its request was made with, once.
    private func begin(_ request: HTTPRequest) -> (HTTPRequest, CallScope) {
        if let scope = request.context.scope, scope.begin() { return (request, scope) }
        var request = request
        let scope = scope(of: request)
        request.context.scope = scope
        return (request, scope)
    }

    /// A life for a call.
    private func scope(of request: HTTPRequest) -> CallScope {
        let start: Duration
        // The deadline was counted from the call's beginning.
        if let deadline = request.context.deadline, let limit = request.options.deadline {
            start = deadline - limit
        } else {
            start = core.clock.now
        }
        let scope = CallScope(isOneTask: core.endsWithCall, start: start)
        // A deadline that is past already lets nothing be sent.
        if let limit = request.options.deadline, limit <= .zero { scope.end(.deadline(limit)) }
        return scope
    }

    private static func ending(_ scope: CallScope, _ limit: Duration?) -> @Sendable () -> Void {
        { scope.end(.deadline(limit)) }
    }

    private func told<Value>(_ result: Result<Value, RequestError>, _ request: HTTPRequest) -> Result<Value, RequestError> {
        if case .failure(let error) = result {
            return .failure(
                error.retold { story in
                    story.add(request)
                    story.add(callOf: request, ending: error)
                })
        }
        return result
    }

    private static let json = "application/json"
    private static let anyType = "*/*"

    /// An endpoint's fields, and those that it doesn't set.
    private static func headers(_ own: HTTPFields, accept: String, defaults: HTTPFields) -> HTTPFields {
        var headers = own
        if !headers.contains(.accept) { headers.append(HTTPField(name: .accept, value: accept)) }
        headers.merge(defaults: defaults)
        return headers
    }

    /// Fills in what the endpoint left open, and begins the call.
    private func stamp(_ request: inout HTTPRequest, delivery: CallContext.Delivery, wantsJSON: Bool) {
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
        if request.headers.isEmpty {
            // As most are; then all fields are known, and shared.
            let headers = wantsJSON ? core.headersForJSON : core.headersForAny
            if core.hasPlainHeaders { request.setPlain(headers) } else { request.headers = headers }
        } else {
            request.headers = Self.headers(request.headers, accept: wantsJSON ? Self.json : Self.anyType, defaults: core.headers)
        }
        request.context.deadline = options.deadline.map { core.clock.now + $0 }
        request.context.delivery = delivery
    }
}

/// What a call wants of its answer before its result is there.
private protocol AnswerTaking: Sendable {
    associatedtype Answer: Sendable
    nonisolated(nonsending) func take(_ response: HTTPResponse) async throws(RequestError) -> Answer
}

/// All of an answer that means success.
private struct WholeAnswer: AnswerTaking {
    let limit: Int
    @inline(__always)
    nonisolated(nonsending) func take(_ response: HTTPResponse) async throws(RequestError) -> CollectedResponse {
        try await CollectedResponse(response, upTo: limit)
    }
}

/// The head; the body is the caller's to read.
private struct AnswersHead: AnswerTaking {
    nonisolated(nonsending) func take(_ response: HTTPResponse) async throws(RequestError) -> HTTPResponse { response }
}

/// An answer that means success, with its body.
struct CollectedResponse: Sendable {
    let head: ResponseHead
    let data: Data
    let metrics: RequestMetrics
    /// Read to its end. It knows who is to hear of the model.
    let body: ResponseBody
    /// What was sent for it.
    let request: HTTPRequest?

    fileprivate nonisolated(nonsending) init(_ response: HTTPResponse, upTo limit: Int) async throws(RequestError) {
        head = response.head
        body = response.body
        request = response.request
        (data, metrics) = try await response.successBody(upTo: limit)
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
