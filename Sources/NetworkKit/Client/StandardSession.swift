extension HTTPSession {
    /// The stock stack in the order in which its parts do their work best, outermost first:
    ///
    /// logging → request compression → redirects → cookies → cache → coalescing → authentication → retry → hedging → circuit breaker → rate limit →
    /// concurrency limit → tracing → transport.
    ///
    /// ```swift
    /// let session = HTTPSession.standard(
    ///     logging: .logging(),
    ///     authentication: .authentication(.bearer(token)),
    ///     rateLimit: .rateLimit(10, per: .seconds(1)))
    /// ```
    ///
    /// Every part is the interceptor of that name, and `nil` leaves it out. By itself the stack follows redirects, caches in memory by
    /// RFC 9111, shares identical requests in flight, tries again what may pass, and spares a host that fails; it keeps no cookies, sends no
    /// credentials, logs nothing. The order says what each sees: one log line a call, whatever it took; each hop of a redirect cached and
    /// given cookies as the request that it is; one token for all attempts of a request; no attempt held back by a limit that a breaker
    /// would have refused; spans that don't count the wait for a turn.
    ///
    /// Interceptors of yours stand in front of all that or behind it:
    ///
    /// ```swift
    /// let timed = HTTPSession.standard(outermost: [Stopwatch()], innermost: [.recording(recorder)])
    /// ```
    ///
    /// - Parameters:
    ///   - transport: brings requests to servers. Default: the process's one transport.
    ///   - logging: a line a call. Default: none.
    ///   - requestCompression: compresses the bodies of requests. Default: off, since not every server takes that.
    ///   - redirects: which redirects are followed. Default: 20 in a row, none from https to http.
    ///   - cookies: the jar. Default: none.
    ///   - cache: keeps answers. Default: 16 MiB of memory, for this session alone.
    ///   - coalescing: has identical requests share one exchange. Default: on.
    ///   - authentication: says who asks. Default: nobody.
    ///   - retry: tries again. Default: ``RetryPolicy/standard``.
    ///   - hedging: sends slow requests twice. Default: off. Give it the ``RetryBudget`` of `retry`.
    ///   - circuitBreaker: refuses what would only fail. Default: ``CircuitBreakerPolicy/init(failureRatio:minimumRequests:window:openFor:failureStatuses:)``.
    ///   - rateLimit: how many requests may begin in a time. Default: unlimited.
    ///   - concurrencyLimit: how many requests may be under way. Default: unlimited; the transport bounds its connections.
    ///   - tracing: gives spans. Default: off.
    ///   - outermost: interceptors that see a call as its caller does, each once. Default: none.
    ///   - innermost: interceptors that see each request as the transport does, each hop and attempt. Default: none.
    ///   - decoder: as for ``init(transport:interceptors:decoder:encoder:defaults:headers:clock:)``.
    ///   - encoder: as there.
    ///   - defaults: as there.
    ///   - headers: as there.
    ///   - clock: as there.
    public static func standard(
        transport: any Transport = .default, logging: LoggingInterceptor? = nil,
        requestCompression: RequestCompressionInterceptor? = nil, redirects: RedirectInterceptor = .redirects(),
        cookies: CookieInterceptor? = nil, cache: CacheInterceptor? = .cache(HTTPCache()),
        coalescing: CoalescingInterceptor? = .coalescing(), authentication: AuthenticationInterceptor? = nil,
        retry: RetryInterceptor? = .retry(), hedging: HedgingInterceptor? = nil,
        circuitBreaker: CircuitBreakerInterceptor? = .circuitBreaker(), rateLimit: RateLimitInterceptor? = nil,
        concurrencyLimit: ConcurrencyLimitInterceptor? = nil, tracing: TracingInterceptor? = nil,
        outermost: [any Interceptor] = [], innermost: [any Interceptor] = [],
        decoder: any ResponseDecoder = .json, encoder: any RequestEncoder = .json, defaults: RequestOptions = .init(),
        headers: HTTPFields = .standard, clock: any Clock<Duration> = ContinuousClock()
    ) -> HTTPSession {
        let stack: [(any Interceptor)?] = [
            logging, requestCompression, redirects, cookies, cache, coalescing, authentication, retry, hedging, circuitBreaker, rateLimit,
            concurrencyLimit, tracing,
        ]
        return HTTPSession(
            transport: transport, interceptors: outermost + stack.compactMap { $0 } + innermost, decoder: decoder, encoder: encoder,
            defaults: defaults,
            headers: headers, clock: clock)
    }
}
