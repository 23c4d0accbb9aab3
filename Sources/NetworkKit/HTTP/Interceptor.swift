/// What stands between the caller and the transport: the outer of the library's two seams.
///
/// An interceptor may change the request, answer by itself, send the request more than once, or look at the answer. Whoever
/// calls `next` again discards the earlier answer's body first.
///
/// ```swift
/// struct Stopwatch: Interceptor {
///     func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
///         let start = ContinuousClock.now
///         let response = try await next(request)
///         print(request.url.path, response.status, ContinuousClock.now - start)
///         return response
///     }
/// }
/// ```
public protocol Interceptor: Sendable {
    /// Handles a request, as a rule by handing it to `next`.
    ///
    /// - Throws: ``RequestError``; another type's error goes into ``RequestError/interceptor(_:)``.
    func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse

    /// What it would do with a request, in a few words, for ``HTTPClient/explain(_:)``. It sends nothing and waits for nothing, and
    /// names no secret. `nil`, unless said otherwise: then its type is all that is shown.
    func describe(_ request: HTTPRequest) -> String?
}

extension Interceptor {
    /// `nil`.
    public func describe(_ request: HTTPRequest) -> String? { nil }
}

/// An interceptor all of whose waits end with the call, so that a deadline needs no task of its own to hold it.
protocol StockInterceptor: Interceptor {}

/// A stock interceptor that treats a redirect's hops as requests of their own, and so must stand inside of what follows them.
protocol PerHopInterceptor: StockInterceptor {}

/// The rest of the stack: the interceptors further in, then the last check, then the transport.
public struct Next: Sendable {
    let interceptors: ArraySlice<any Interceptor>
    let transport: any Transport

    /// A stack to be walked through, outermost first. Sessions make it; a test of an interceptor may.
    public init(interceptors: some Collection<any Interceptor> = [], transport: any Transport) {
        self.init(ArraySlice(interceptors), transport)
    }

    private init(_ interceptors: ArraySlice<any Interceptor>, _ transport: any Transport) {
        self.interceptors = interceptors
        self.transport = transport
    }

    /// Hands a request on.
    public func callAsFunction(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
        if let ending = request.context.scope?.ending { throw ending }
        guard let first = interceptors.first else { return try await send(request.checked()) }
        return try await first.intercept(request, next: Next(interceptors.dropFirst(), transport))
    }

    private func send(_ unsigned: HTTPRequest) async throws(RequestError) -> HTTPResponse {
        var request = unsigned
        if let signature = unsigned.signature { signature.sign(&request) }
        let (events, scope, clock) = (request.events, request.context.scope, request.context.clock)
        let attempt = scope?.beginAttempt(at: clock.now)
        events?(.sending(request))
        var response: HTTPResponse
        do {
            response = try await transport.send(request)
            response.request = request
            response.attempt = attempt
            if let attempt { scope?.endAttempt(attempt, at: clock.now, status: response.head.status) }
            events?(.answered(response.head))
        } catch {
            if let attempt { scope?.endAttempt(attempt, at: clock.now, status: error.statusCode, failure: error.caseName) }
            // What an interceptor further out doesn't know of, such as a token, is known here.
            let told = error.retold { $0.secrets.formUnion(request.allSecrets) }
            events?(.failed(told))
            throw told
        }
        guard response.head.status == 417, let again = unsigned.withoutExpectation else { return response }
        response.body.discard()
        return try await send(again.checked())
    }
}
