import NetworkKitTesting
import PlatformBase
import Testing

@testable import NetworkKit

@Suite("HTTPSession.standard: the order of the stack")
struct StandardSessionTests {
    private let clock = TestClock()

    /// A client with two interceptors in the standard order, and one with them the other way round.
    private func client(_ stub: StubTransport, _ pair: [any Interceptor], swapped: Bool = false) -> NetworkClient {
        NetworkClient(session: HTTPSession(transport: stub, interceptors: swapped ? pair.reversed() : pair, clock: clock))
    }

    @Test("What is given stands in its place, and what isn't is left out")
    func order() {
        func names(_ session: HTTPSession) -> [String] { session.stack.interceptors.map { "\(type(of: $0))" } }
        #expect(
            names(.standard(transport: StubTransport())) == [
                "RedirectInterceptor", "CacheInterceptor", "CoalescingInterceptor", "RetryInterceptor", "CircuitBreakerInterceptor",
            ])
        #expect(
            names(.standard(transport: StubTransport(), cache: nil, coalescing: nil, retry: nil, circuitBreaker: nil)) == [
                "RedirectInterceptor"
            ])
        let whole = HTTPSession.standard(
            transport: StubTransport(), logging: .logging(), requestCompression: .requestCompression(), cookies: .cookies(),
            authentication: .authentication(.bearer("t")),
            hedging: .hedging(after: .seconds(1)), rateLimit: .rateLimit(1, per: .seconds(1)),
            concurrencyLimit: .concurrencyLimit(total: 1),
            tracing: .tracing { _ in })
        #expect(
            names(whole) == [
                "LoggingInterceptor", "RequestCompressionInterceptor", "RedirectInterceptor", "CookieInterceptor", "CacheInterceptor",
                "CoalescingInterceptor",
                "AuthenticationInterceptor", "RetryInterceptor", "HedgingInterceptor", "CircuitBreakerInterceptor", "RateLimitInterceptor",
                "ConcurrencyLimitInterceptor", "TracingInterceptor",
            ])
        let own = HTTPSession.standard(
            transport: StubTransport(), logging: .logging(), cache: nil, coalescing: nil, retry: nil, circuitBreaker: nil,
            outermost: [.observing(Nobody())], innermost: [.recording(TrafficRecorder())])
        #expect(names(own) == ["ObservingInterceptor", "LoggingInterceptor", "RedirectInterceptor", "RecordingInterceptor"])
    }

    private struct Nobody: RequestObserver { func observe(_ event: RequestEvent) {} }

    @Test("Logging outside of redirects: one line a call, whatever it took")
    func loggingRedirects() async {
        for (swapped, lines) in [(false, 1), (true, 2)] {
            let log = Recorder<LogEntry>()
            let stub = StubTransport {
                $0.get("/old", .redirect(to: "/new"))
                $0.get("/new", .text("x"))
            }
            let sink = LogSink { log.add($0) }
            _ = await client(stub, [.logging(sink: sink), .redirects()], swapped: swapped).data(for: SampleEndpoint(path: "old"))
            await sink.flush()
            #expect(log.values.count == lines)
        }
    }

    @Test("Redirects outside of cookies: a hop's cookie is kept, and sent to the next")
    func redirectsCookies() async {
        for (swapped, cookie) in [(false, "a=1"), (true, nil)] as [(Bool, String?)] {
            let stub = StubTransport {
                $0.get("/sign-in", .redirect(to: "/home").adding(["Set-Cookie": "a=1; Path=/"]))
                $0.get("/home", .text("x"))
            }
            _ = await client(stub, [.redirects(), .cookies()], swapped: swapped).data(for: SampleEndpoint(path: "sign-in"))
            #expect(stub.requests.last?.headers[.cookie] == cookie)
        }
    }

    @Test("Cookies outside of the cache: an answer that varies by them isn't given to who has others")
    func cookiesCache() async throws {
        for (swapped, text) in [(false, "for b"), (true, "for a")] {
            let stub = StubTransport(
                .text("for a", headers: ["Cache-Control": "max-age=60", "Vary": "Cookie"]),
                .text("for b", headers: ["Cache-Control": "max-age=60", "Vary": "Cookie"]))
            let jar = CookieJar()
            let client = client(stub, [.cookies(jar), .cache(HTTPCache())], swapped: swapped)
            var got = ""
            for name in ["a", "b"] {
                _ = jar.store(["Set-Cookie": "who=\(name); Path=/"], from: url("https://api.example.com"), at: clock.date)
                got = try await client.sendRequest(endpoint: SampleEndpoint(), responseModel: String.self).get()
            }
            #expect(got == text)
        }
    }

    @Test("The cache outside of coalescing: what it has needs no shared exchange")
    func cacheCoalescing() async throws {
        for (swapped, count) in [(false, 1), (true, 3)] {
            let stub = StubTransport(.text("x", headers: ["Cache-Control": "max-age=60"]))
            let inner = Recorder<String>()
            // Between the two: what the outer one lets through.
            let stack: [any Interceptor] =
                swapped ? [.coalescing(), Probe(inner), .cache(HTTPCache())] : [.cache(HTTPCache()), Probe(inner), .coalescing()]
            let client = NetworkClient(session: HTTPSession(transport: stub, interceptors: stack, clock: clock))
            for _ in 0..<3 { _ = try await client.data(for: SampleEndpoint()).get() }
            #expect(inner.values.count == count)
        }
    }

    @Test("Coalescing outside of authentication: those who share an exchange share its token")
    func coalescingAuthentication() async throws {
        for (swapped, count) in [(false, 1), (true, 2)] {
            let asked = Lock(0)
            let stub = StubTransport(.text("x").delayed(by: .seconds(1)))
            let credential = Credential.bearer {
                asked.withLock { $0 += 1 }
                return "token"
            }
            let coalescing = CoalescingInterceptor(ignoring: [])
            let client = client(stub, [coalescing, .authentication(credential, identity: "me")], swapped: swapped)
            async let one = client.data(for: SampleEndpoint())
            async let two = client.data(for: SampleEndpoint())
            while coalescing.callers < 2 { await Task.yield() }
            await clock.advance(through: .seconds(1))
            _ = try await (one.get(), two.get())
            #expect(asked.withLock { $0 } == count && stub.requests.count == 1)
        }
    }

    @Test("Authentication outside of retry: all attempts of a request have one token")
    func authenticationRetry() async throws {
        for (swapped, count) in [(false, 1), (true, 2)] {
            let asked = Lock(0)
            let stub = StubTransport(.status(503, headers: ["Retry-After": "0"]), .text("x"))
            let credential = Credential.bearer {
                asked.withLock { $0 += 1 }
                return "token"
            }
            _ = try await client(stub, [.authentication(credential), .retry()], swapped: swapped).data(for: SampleEndpoint()).get()
            #expect(asked.withLock { $0 } == count && stub.requests.count == 2)
        }
    }

    @Test("Retry outside of hedging: nothing is hedged while a wait goes on")
    func retryHedging() async {
        for (swapped, sent) in [(false, 1), (true, 2)] {
            let stub = StubTransport(.status(503, headers: ["Retry-After": "10"]), .text("x"))
            let client = client(stub, [.retry(), .hedging(after: .seconds(1))], swapped: swapped)
            let call = Task { await client.data(for: SampleEndpoint()) }
            await clock.sleepers(swapped ? [.seconds(1), .seconds(10), .seconds(300)] : [.seconds(10), .seconds(300)])
            clock.advance(by: .seconds(1))
            if swapped { await stub.waitForRequests(2) }
            #expect(stub.requests.count == sent)
            call.cancel()
            _ = await call.value
        }
    }

    @Test("Hedging outside of the breaker: an attempt that fails counts, also where another wins")
    func hedgingBreaker() async throws {
        for (swapped, isOpen) in [(false, true), (true, false)] {
            let stub = StubTransport(.status(503).delayed(by: .seconds(2)), .text("x").delayed(by: .seconds(3)), .text("y"))
            let breaker = CircuitBreakerPolicy(failureRatio: 0.5, minimumRequests: 1)
            let client = client(stub, [.hedging(after: .seconds(1)), .circuitBreaker(breaker)], swapped: swapped)
            async let first = client.data(for: SampleEndpoint())
            // The first answer is on its way, and the hedge waits.
            while !clock.waits.contains(.seconds(2)) || !clock.waits.contains(.seconds(1)) { await Task.yield() }
            clock.advance(by: .seconds(1))
            // Both answers are on their way, and the call's deadline.
            await clock.sleepers([.seconds(1), .seconds(3), .seconds(299)])
            clock.advance(by: .seconds(1))
            await clock.advance(through: .seconds(2))
            let text = try await first.get()
            #expect(text == Data("x".utf8))
            let failure = await client.data(for: SampleEndpoint()).failure
            if case .rejected = failure { #expect(isOpen) } else { #expect(!isOpen) }
        }
    }

    @Test("The breaker outside of limits: what it refuses takes nobody's turn")
    func breakerLimits() async {
        for (swapped, sent) in [(false, 2), (true, 1)] {
            let stub = StubTransport(.status(503), .text("x"))
            let breaker = CircuitBreakerPolicy(failureRatio: 0.5, minimumRequests: 1, openFor: .seconds(5))
            let client = client(stub, [.circuitBreaker(breaker), .rateLimit(2, per: .seconds(3600))], swapped: swapped)
            let call = SampleEndpoint(options: .init(deadline: .seconds(60)))
            for _ in 0..<3 { _ = await client.data(for: call) }
            clock.advance(by: .seconds(5))
            _ = await client.data(for: call)
            #expect(stub.requests.count == sent)
        }
    }

    @Test("Limits outside of tracing: a span doesn't count the wait for a turn")
    func limitsTracing() async {
        for (swapped, duration) in [(false, Duration.zero), (true, .seconds(10))] {
            let spans = Recorder<TraceSpan>()
            let tracing: TracingInterceptor = .tracing { spans.add($0) }
            let client = client(StubTransport(.text("x")), [.rateLimit(1, per: .seconds(10)), tracing], swapped: swapped)
            _ = await client.data(for: SampleEndpoint())
            async let second = client.data(for: SampleEndpoint())
            await clock.advance(through: .seconds(10))
            _ = await second
            await tracing.flush()
            #expect(spans.values.last?.duration == duration)
        }
    }
}

/// Tells of what passes by.
private struct Probe: Interceptor {
    let seen: Recorder<String>
    init(_ seen: Recorder<String>) { self.seen = seen }
    func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
        seen.add(request.url.path)
        return try await next(request)
    }
}
