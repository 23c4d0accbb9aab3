import Foundation
import NetworkKitTesting
import Testing

@testable import NetworkKit

@Suite("Limiting how many requests are under way")
struct ConcurrencyLimitTests {
    private struct Client: HTTPClient {
        var session: HTTPSession
    }

    private func client(_ stub: StubTransport, _ limit: ConcurrencyLimitInterceptor, _ clock: TestClock) -> Client {
        Client(session: HTTPSession(transport: stub, interceptors: [limit], defaults: .init(deadline: .seconds(60)), clock: clock))
    }

    @Test("Those past the limit wait, and go when one has ended")
    func waiting() async throws {
        let (clock, stub) = (TestClock(), StubTransport(.text("a").delayed(by: .seconds(10))))
        let client = client(stub, .concurrencyLimit(perHost: 2), clock)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { _ = try await client.data(for: SampleEndpoint()).get() } }
            await clock.sleepers([.seconds(10), .seconds(10), .seconds(60)])
            #expect(stub.requests.count == 2)
            await clock.advance(through: .seconds(10))
            await clock.sleepers([.seconds(10), .seconds(10), .seconds(50)])
            #expect(stub.requests.count == 4)
            await clock.advance(through: .seconds(10))
            try await group.waitForAll()
        }
    }

    @Test("Past the bound of the queue a request fails at once, unsent, and says what to do")
    func bound() async {
        let (clock, stub) = (TestClock(), StubTransport(.stalled))
        let client = client(stub, .concurrencyLimit(perHost: 1, queue: 0), clock)
        let first = Task { await client.data(for: SampleEndpoint()) }
        await stub.waitForRequests(1)
        let error = await client.data(for: SampleEndpoint()).failure
        guard case .rejected(let details) = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(details.reason.contains("1 requests are under way and 0 wait") && details.reason.contains("concurrencyLimit(queue:)"))
        first.cancel()
        #expect(await first.value.failure?.isCancellation == true && stub.requests.count == 1)
    }

    @Test("Four started and cancelled, fifty times over, leave room for the next: no slot is lost")
    func cancelling() async throws {
        let stub = StubTransport { routes in
            routes.get("slow", .stalled)
            routes.get("fast", .text("here"))
        }
        let client = Client(session: HTTPSession(transport: stub, interceptors: [.concurrencyLimit(perHost: 4, total: 4)]))
        for round in 1...50 {
            // Some of them wait in the queue when they are cancelled.
            let sent = stub.requests.count
            let tasks = (0..<6).map { _ in Task { await client.data(for: SampleEndpoint(path: "slow")) } }
            if round.isMultiple(of: 2) { await stub.waitForRequests(sent + 1) }
            for task in tasks { task.cancel() }
            for task in tasks { #expect(await task.value.failure?.isCancellation == true) }
        }
        #expect(try await client.data(for: SampleEndpoint(path: "fast")).get() == Data("here".utf8))
    }

    @Test("Whoever comes to the deadline in the queue leaves it, and the slot goes to the next")
    func deadline() async throws {
        let (clock, stub) = (TestClock(), StubTransport(.text("a").delayed(by: .seconds(20))))
        let client = client(stub, .concurrencyLimit(total: 1), clock)
        let first = Task { await client.data(for: SampleEndpoint()) }
        await stub.waitForRequests(1)
        let short = Task { await client.data(for: SampleEndpoint(options: .init(deadline: .seconds(5)))) }
        await clock.advance(through: .seconds(5))
        guard case .timedOut(let details) = await short.value.failure else { return #expect(Bool(false)) }
        #expect(details.limit == .deadline)
        let third = Task { await client.data(for: SampleEndpoint()) }
        await clock.advance(through: .seconds(15))
        #expect(try await first.value.get() == Data("a".utf8))
        await clock.advance(through: .seconds(20))
        #expect(try await third.value.get() == Data("a".utf8) && stub.requests.count == 2)
    }

    @Test("A streamed answer has its slot until its body is read, has failed or is let go of", arguments: 0..<3)
    func streams(ending: Int) async throws {
        let answer = StubAnswer.chunks(["a", "b", "c"])
        let stub = StubTransport(ending == 1 ? answer.cut(afterBodyBytes: 2) : answer)
        let next = Next(interceptors: [.concurrencyLimit(perHost: 1, queue: 0)], transport: stub)
        let request = HTTPRequest(url: url("https://a.test/"))
        var response: HTTPResponse? = try await next(request)
        let refused = await failure { () async throws(RequestError) in try await next(request) }
        #expect(refused?.caseName == "rejected")
        switch ending {
        case 0: for try await _ in try #require(response).body {}
        case 1:
            #expect(
                await failure { () async throws(RequestError) in try await response?.body.collect(upTo: 10) }?.connectionKind == .truncated)
        default: response = nil
        }
        _ = try await next(request)
        response = nil
    }

    @Test("A request that fails gives its slot back, once")
    func failing() async throws {
        let stub = StubTransport(.connection(.refused), .connection(.reset), .text("a"))
        let next = Next(interceptors: [.concurrencyLimit(perHost: 1, total: 1, queue: 0)], transport: stub)
        let request = HTTPRequest(url: url("https://a.test/"))
        for kind in [RequestError.Connection.Kind.refused, .reset] {
            #expect(await failure { () async throws(RequestError) in try await next(request) }?.connectionKind == kind)
        }
        let response = try await next(request)
        #expect(try await response.body.collect(upTo: 9) == Data("a".utf8))
    }

    @Test("It says what it does")
    func describing() {
        let request = HTTPRequest(url: url("https://a.test/"))
        #expect(
            ConcurrencyLimitInterceptor(perHost: 4, total: 32, queue: 100).describe(request)
                == "4 at once to a host, 32 in all; up to 100 wait")
    }
}
