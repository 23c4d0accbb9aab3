import Foundation
import NetworkKitTesting
import Testing

@testable import NetworkKit

@Suite("Stopping to send to a host that fails")
struct CircuitBreakerTests {
    private struct Client: HTTPClient {
        var session: HTTPSession
    }

    private let policy = CircuitBreakerPolicy(minimumRequests: 3)

    private func client(_ stub: StubTransport, _ clock: TestClock = TestClock(), _ stack: [any Interceptor] = []) -> Client {
        Client(session: HTTPSession(transport: stub, interceptors: [.circuitBreaker(policy)] + stack, clock: clock))
    }

    @Test("It opens, says when it will try again, tries with one request, and closes when that succeeds")
    func journey() async throws {
        let (clock, stub) = (
            TestClock(), StubTransport(.status(503), .connection(.refused), .status(500), .text("a").delayed(by: .seconds(1)), .text("b"))
        )
        let client = client(stub, clock)
        for _ in 0..<3 { #expect(await client.data(for: SampleEndpoint()).failure != nil) }
        clock.advance(by: .seconds(2))
        guard case .rejected(let details) = await client.data(for: SampleEndpoint()).failure else { return #expect(Bool(false)) }
        #expect(details.retryAfter == .seconds(3) && stub.requests.count == 3)
        #expect(details.reason.contains("https://api.example.com is open: 3 of 3 requests failed; it will be tried again in 3.0 seconds"))
        clock.advance(by: .seconds(3))
        let probe = Task { await client.data(for: SampleEndpoint()) }
        await stub.waitForRequests(4)
        let refused = await client.data(for: SampleEndpoint()).failure
        #expect(refused?.caseName == "rejected" && refused?.story?.reason.contains("trying it just now") == true)
        await clock.advance(through: .seconds(1))
        _ = await probe.value
        #expect(await client.data(for: SampleEndpoint()).failure == nil)
    }

    @Test("A host that fails doesn't keep another from being asked")
    func hosts() async {
        let stub = StubTransport { $0.fallback { $0.url.host() == "other.test" ? .text("a") : .status(503) } }
        let client = client(stub)
        for _ in 0..<3 { _ = await client.data(for: SampleEndpoint()) }
        #expect(await client.data(for: SampleEndpoint()).failure?.caseName == "rejected")
        #expect(await client.data(for: SampleEndpoint(baseURL: url("https://other.test"))).failure == nil)
    }

    @Test("What says nothing of the host doesn't open it: 404s, and requests that are cancelled")
    func harmless() async {
        let stub = StubTransport { routes in
            routes.get("missing", .status(404))
            routes.get("slow", .stalled)
            routes.get("fine", .text("a"))
        }
        let client = client(stub)
        for _ in 0..<10 { #expect(await client.data(for: SampleEndpoint(path: "missing")).failure?.statusCode == 404) }
        for count in 11...20 {
            let task = Task { await client.data(for: SampleEndpoint(path: "slow")) }
            await stub.waitForRequests(count)
            task.cancel()
            #expect(await task.value.failure?.isCancellation == true)
        }
        #expect(await client.data(for: SampleEndpoint(path: "fine")).failure == nil)
    }

    @Test("A body that breaks off is a failure")
    func brokenBody() async {
        let stub = StubTransport(.chunks(["a", "b"]).cut(afterBodyBytes: 1))
        let client = client(stub)
        for _ in 0..<3 { #expect(await client.data(for: SampleEndpoint()).failure?.connectionKind == .truncated) }
        #expect(await client.data(for: SampleEndpoint()).failure?.caseName == "rejected" && stub.requests.count == 3)
    }

    @Test("A try that is cancelled leaves the next try to the next request")
    func cancelledProbe() async throws {
        let (clock, stub) = (TestClock(), StubTransport(.status(503), .status(503), .status(503), .stalled, .text("a")))
        let client = client(stub, clock)
        for _ in 0..<3 { _ = await client.data(for: SampleEndpoint()) }
        clock.advance(by: .seconds(5))
        let probe = Task { await client.data(for: SampleEndpoint()) }
        await stub.waitForRequests(4)
        probe.cancel()
        #expect(await probe.value.failure?.isCancellation == true)
        // The session's race gives the cancellation before the stack has unwound.
        var answer = await client.data(for: SampleEndpoint())
        while answer.failure?.caseName == "rejected" {
            await Task.yield()
            answer = await client.data(for: SampleEndpoint())
        }
        #expect(try answer.get() == Data("a".utf8))
    }

    @Test("A deadline that passes in the queue of a limit further in says nothing of the host")
    func queued() async {
        let (clock, stub) = (TestClock(), StubTransport(.stalled))
        let client = client(stub, clock, [.concurrencyLimit(perHost: 1)])
        let options = RequestOptions(timeout: .seconds(500), deadline: .seconds(400))
        let holder = Task { await client.data(for: SampleEndpoint(options: options)) }
        await stub.waitForRequests(1)
        for _ in 0..<5 {
            let waiter = Task { await client.data(for: SampleEndpoint(options: .init(deadline: .seconds(1)))) }
            await clock.advance(through: .seconds(1))
            #expect(await waiter.value.failure?.caseName == "timedOut")
        }
        #expect(stub.requests.count == 1)
        holder.cancel()
        #expect(await holder.value.failure?.isCancellation == true)
    }
}
