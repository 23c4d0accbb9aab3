import Foundation
import NetworkKitTesting
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
}
