import Foundation
import NetworkKitTesting
import Testing

@testable import NetworkKit

@Suite("Hedging")
struct HedgingInterceptorTests {
    private let clock = TestClock()

    private func client(_ stub: StubTransport, _ interceptors: [any Interceptor]) -> NetworkClient {
        NetworkClient(session: HTTPSession(transport: stub, interceptors: interceptors, clock: clock))
    }

    /// Lets the delay pass, once the first answer is on its way.
    private func hedge(beside first: Duration) async {
        while !clock.waits.contains(first) || !clock.waits.contains(.milliseconds(100)) { await Task.yield() }
        clock.advance(by: .milliseconds(100))
    }

    @Test("A fast answer comes alone")
    func fast() async throws {
        let stub = StubTransport(.text("ok"))
        let client = client(stub, [.hedging(after: .milliseconds(100))])
        for _ in 0..<20 { #expect(try await client.data(for: SampleEndpoint()).get() == Data("ok".utf8)) }
        await clock.sleepers([])
        #expect(stub.requests.count == 20)
    }

    @Test("Of a call that is over nothing stays")
    func letGo() async throws {
        final class Held: Sendable {}
        weak var weakly: Held?
        do {
            let held = Held()
            weakly = held
            let stub = StubTransport(.text("ok"))
            let client = client(stub, [.hedging(after: .milliseconds(100))])
            let body = RequestBody.stream(contentType: nil) { [held] in
                _ = held
                return AsyncStream<Data> { $0.finish() }
            }
            _ = try await client.data(for: SampleEndpoint(method: .put, body: body)).get()
        }
        for _ in 0..<10_000 where weakly != nil { await Task.yield() }
        #expect(weakly == nil)
    }

    @Test("A slow one gets a second beside it, whose answer wins; the first is cancelled")
    func secondWins() async throws {
        let stub = StubTransport(.stalled, .text("second").delayed(by: .milliseconds(20)))
        let client = client(stub, [.hedging(after: .milliseconds(100))])
        async let outcome = client.data(for: SampleEndpoint())
        await stub.waitForRequests(1)
        await clock.advance(through: .milliseconds(100))
        await clock.advance(through: .milliseconds(20))
        #expect(try await outcome.get() == Data("second".utf8))
        #expect(stub.requests.map(\.context.attempt) == [1, 2])
        // Nobody waits for the first any more.
        await clock.sleepers([])
    }

    @Test("The first may still win, and then the second is cancelled")
    func firstWins() async throws {
        let stub = StubTransport(.text("first").delayed(by: .milliseconds(150)), .stalled)
        let client = client(stub, [.hedging(after: .milliseconds(100))])
        async let outcome = client.data(for: SampleEndpoint())
        await hedge(beside: .milliseconds(150))
        await stub.waitForRequests(2)
        await clock.advance(through: .milliseconds(50))
        #expect(try await outcome.get() == Data("first".utf8))
        await clock.sleepers([])
    }

    @Test("An answer that means failure doesn't win over an attempt on its way", arguments: [StubAnswer.status(503), .connection(.reset)])
    func failureDoesNotWin(failure: StubAnswer) async throws {
        let stub = StubTransport(.text("slow").delayed(by: .seconds(1)), failure)
        let client = client(stub, [.hedging(after: .milliseconds(100))])
        async let outcome = client.data(for: SampleEndpoint())
        await hedge(beside: .seconds(1))
        await stub.waitForRequests(2)
        await clock.advance(through: .milliseconds(900))
        #expect(try await outcome.get() == Data("slow".utf8))
    }

    @Test("When both fail, the answer is the call's, with both attempts")
    func bothFail() async throws {
        let stub = StubTransport(.status(500).delayed(by: .seconds(1)), .connection(.reset))
        let client = client(stub, [.hedging(after: .milliseconds(100))])
        async let outcome = client.data(for: SampleEndpoint())
        await hedge(beside: .seconds(1))
        await stub.waitForRequests(2)
        await clock.advance(through: .milliseconds(900))
        let error = try #require(await outcome.failure)
        #expect(error.statusCode == 500)
        #expect(error.attempts.map(\.startedAfter) == [.zero, .milliseconds(100)])
        // The second may end before or after the time is let pass.
        #expect(error.attempts.first?.duration == .seconds(1))
        #expect(error.attempts.map(\.outcome) == ["500 Internal Server Error", "connection"])
    }

    @Test("What may not be sent twice isn't")
    func onlyWhatIsSafe() async throws {
        for endpoint in [SampleEndpoint(method: .post), SampleEndpoint(method: .put, body: .stream([Data("x".utf8)].stream))] {
            let stub = StubTransport(.text("ok").delayed(by: .seconds(1)))
            let client = client(stub, [.hedging(after: .milliseconds(100))])
            async let outcome = client.data(for: endpoint)
            await clock.advance(through: .seconds(1))
            _ = try await outcome.get()
            #expect(stub.requests.count == 1)
        }
    }

    @Test("A spent budget sends nothing twice")
    func budget() async throws {
        let stub = StubTransport(.text("ok").delayed(by: .seconds(1)))
        let client = client(stub, [.hedging(after: .milliseconds(100), budget: RetryBudget(share: 0, floor: 1))])
        for expected in [2, 3] {
            async let outcome = client.data(for: SampleEndpoint())
            await hedge(beside: .seconds(1))
            await stub.waitForRequests(expected)
            await clock.advance(through: .milliseconds(900))
            _ = try await outcome.get()
            #expect(stub.requests.count == expected)
        }
    }

    @Test("Cancelling ends both attempts; so does the deadline")
    func ends() async throws {
        let stub = StubTransport(.stalled)
        let client = client(stub, [.hedging(after: .milliseconds(100))])
        let task = Task { await client.data(for: SampleEndpoint()) }
        await clock.advance(through: .milliseconds(100))
        await stub.waitForRequests(2)
        task.cancel()
        #expect(await task.value.failure?.isCancellation == true)
        await clock.sleepers([])
        async let late = client.data(for: SampleEndpoint(options: .init(deadline: .seconds(5))))
        await clock.advance(through: .milliseconds(100))
        await stub.waitForRequests(4)
        await clock.advance(through: .milliseconds(4900))
        guard case .failure(.timedOut(let details)) = await late else { return #expect(Bool(false)) }
        #expect(details.limit == .deadline)
    }

    @Test("The delay follows what recent requests took")
    func percentile() async throws {
        let stub = StubTransport { routes in
            routes.get("fast", .text("ok").delayed(by: .milliseconds(30)))
            routes.get("slow", .stalled, .text("ok"))
        }
        // Above the 30 ms, so that no answer comes together with the delay's end.
        let client = client(stub, [.hedging(after: .p95(initially: .seconds(2), atLeast: .milliseconds(31)))])
        for _ in 0..<LatencyWindow.enough {
            async let outcome = client.data(for: SampleEndpoint(path: "fast"))
            await clock.advance(through: .milliseconds(30))
            _ = try await outcome.get()
        }
        async let slow = client.data(for: SampleEndpoint(path: "slow"))
        await clock.advance(through: .milliseconds(31))
        #expect(try await slow.get() == Data("ok".utf8))
        #expect(stub.requests.count == LatencyWindow.enough + 2)
    }

    @Test("Who follows the call is told of one attempt after the other, in pairs")
    func events() async throws {
        let stub = StubTransport(.stalled, .text("second"))
        let (entries, traffic) = (Recorder<LogEntry>(), Recorder<String>())
        let sink = LogSink { [entries] in entries.add($0) }
        let client = client(stub, [.logging(sink: sink), Listening(told: traffic), .hedging(after: .milliseconds(100))])
        async let outcome = client.data(for: SampleEndpoint())
        await stub.waitForRequests(1)
        await clock.advance(through: .milliseconds(100))
        _ = try await outcome.get()
        await sink.flush()
        #expect(traffic.values == ["sending 1", "failed", "sending 2", "answered"])
        #expect(entries.values.first?.attempts.map(\.startedAfter) == [.zero, .milliseconds(100)])
        #expect(entries.values.first?.attempts.last?.outcome == "200 OK")
    }

    private struct Listening: Interceptor {
        let told: Recorder<String>
        func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
            var request = request
            request.listen { [told] event in
                switch event {
                case .sending(let request): told.add("sending \(request.context.attempt)")
                case .answered: told.add("answered")
                case .failed: told.add("failed")
                default: break
                }
            }
            return try await next(request)
        }
    }

    @Test("It says what it would do")
    func describes() {
        let get = HTTPRequest(url: url("https://a.test"))
        #expect(HedgingInterceptor.hedging(after: .milliseconds(100), budget: nil).describe(get) == "sends it a second time after 100.0 ms")
        #expect(
            HedgingInterceptor.hedging(after: .p95(), budget: nil).describe(get)
                == "sends it a second time after the time that 95 % of recent requests keep to (1.00 s at first)")
        let post = HTTPRequest(url: url("https://a.test"), method: .post)
        #expect(HedgingInterceptor.hedging(after: .p95()).describe(post) == "sends it once, since POST isn't idempotent")
    }
}
