import NetworkKitTesting
import PlatformBase
import Testing

@testable import NetworkKit

@Suite("Limiting how many requests go in a time")
struct RateLimitTests {
    private struct Client: HTTPClient {
        var session: HTTPSession
    }

    private func client(_ stub: StubTransport, _ limit: RateLimitInterceptor, _ clock: TestClock, deadline: Duration = .seconds(60))
        -> Client
    {
        Client(session: HTTPSession(transport: stub, interceptors: [limit], defaults: .init(deadline: deadline), clock: clock))
    }

    @Test("The burst goes at once, the rest one interval apart, in order")
    func order() async throws {
        let (clock, stub) = (TestClock(), StubTransport(.text("a")))
        let client = client(stub, .rateLimit(2, per: .seconds(2)), clock)
        for _ in 0..<2 { _ = try await client.data(for: SampleEndpoint(path: "now")).get() }
        let third = Task { await client.data(for: SampleEndpoint(path: "third")) }
        await clock.sleepers([.seconds(1), .seconds(60)])
        let fourth = Task { await client.data(for: SampleEndpoint(path: "fourth", options: .init(deadline: .seconds(50)))) }
        await clock.sleepers([.seconds(1), .seconds(50)])
        #expect(stub.requests.count == 2)
        clock.advance(by: .seconds(1))
        _ = try await third.value.get()
        #expect(stub.requests.count == 3)
        await clock.advance(through: .seconds(1))
        _ = try await fourth.value.get()
        #expect(stub.requests.map(\.url.path) == ["/now", "/now", "/third", "/fourth"])
    }

    @Test("A wait that would pass the deadline isn't begun, and the error says when to come back")
    func deadline() async throws {
        let (clock, stub) = (TestClock(), StubTransport(.text("a")))
        let client = client(stub, .rateLimit(1, per: .seconds(30)), clock, deadline: .seconds(10))
        _ = try await client.data(for: SampleEndpoint()).get()
        guard case .rejected(let details) = await client.data(for: SampleEndpoint()).failure else { return #expect(Bool(false)) }
        #expect(details.retryAfter == .seconds(30) && details.reason.contains("deadline") && stub.requests.count == 1)
    }

    @Test("Whoever is cancelled in the queue leaves at once, and the next has its turn")
    func cancelling() async throws {
        let (clock, stub) = (TestClock(), StubTransport(.text("a")))
        let next = Next(interceptors: [.rateLimit(1, per: .seconds(1))], transport: stub)
        let request = HTTPRequest(url: url("https://a.test/"), context: CallContext(clock: clock))
        _ = try await next(request)
        let second = Task { () async throws(RequestError) in try await next(request) }
        await clock.sleepers([.seconds(1)])
        second.cancel()
        #expect(await failure { () async throws(RequestError) in try await result(of: second).get() }?.isCancellation == true)
        let third = Task { () async throws(RequestError) in try await next(request) }
        await clock.advance(through: .seconds(1))
        #expect(try await third.value.status == 200)
        #expect(clock.elapsed == .seconds(1) && stub.requests.count == 2)
    }

    private func result(of task: Task<HTTPResponse, any Error>) async -> Result<HTTPResponse, RequestError> {
        await task.result.mapError { $0 as? RequestError ?? .interceptor($0) }
    }

    @Test("Hosts have buckets of their own, unless all are to share one", arguments: [true, false])
    func hosts(perHost: Bool) async throws {
        let stub = StubTransport(.text("a"))
        let limit = RateLimitInterceptor(1, per: .seconds(1000), burst: 1, perHost: perHost, queue: 0)
        let next = Next(interceptors: [limit], transport: stub)
        _ = try await next(HTTPRequest(url: url("https://a.test/")))
        let request = HTTPRequest(url: url("https://b.test/"))
        if perHost {
            _ = try await next(request)
        } else {
            let error = await failure { () async throws(RequestError) in try await next(request) }
            #expect(error?.caseName == "rejected" && error?.story?.reason.contains("queue is full") == true)
        }
    }

    /// A clock that counts how often it is read.
    private final class CountingClock: Clock {
        let base = TestClock()
        private let count = Atomic(0)
        var reads: Int { count.load(ordering: .relaxed) }

        var now: TestClock.Instant {
            _ = count.wrappingAdd(1, ordering: .relaxed)
            return base.now
        }
        var minimumResolution: Duration { base.minimumResolution }
        func sleep(until deadline: TestClock.Instant, tolerance: Duration?) async throws {
            try await base.sleep(until: deadline, tolerance: tolerance)
        }
    }

    @Test("Tokens are given out once an instant, however often another host's queue fills and empties")
    func oneAlarm() async throws {
        let (clock, stub) = (CountingClock(), StubTransport(.text("a")))
        let callClock = CallClock(clock)
        let next = Next(interceptors: [.rateLimit(1, per: .seconds(1))], transport: stub)
        func request(_ host: String) -> HTTPRequest {
            HTTPRequest(url: url("https://\(host).test/"), context: CallContext(callClock: callClock))
        }
        func toggle() async {
            for _ in 0..<100 {
                let task = Task { [request = request("b")] in try await next(request) }
                task.cancel()
                _ = await task.result
            }
        }
        _ = try await next(request("b"))
        clock.base.advance(by: .milliseconds(500))
        _ = try await next(request("a"))
        let busy = (0..<4).map { _ in Task { [request = request("a")] in try await next(request).status } }
        await clock.base.sleepers([.seconds(1)])
        for round in 1...3 {
            // Half a second before the other's token.
            await toggle()
            await clock.base.sleepers([.milliseconds(500)])
            let before = clock.reads
            clock.base.advance(by: .milliseconds(500))
            await clock.base.sleepers([.milliseconds(500)])
            _ = try await next(request("b"))
            clock.base.advance(by: .milliseconds(500))
            await stub.waitForRequests(2 + 2 * round)
            await clock.base.sleepers([.seconds(1)])
            #expect(clock.reads - before < 50)
        }
        clock.base.advance(by: .seconds(1))
        for task in busy { #expect(try await task.value == 200) }
    }
}
