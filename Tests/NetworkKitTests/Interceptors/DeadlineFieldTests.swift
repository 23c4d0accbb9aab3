import NetworkKitTesting
import Testing

@testable import NetworkKit

@Suite("Sending the remaining time along")
struct DeadlineFieldTests {
    @Test("Each attempt says how much of the deadline is left")
    func counts() async throws {
        let clock = TestClock()
        let stub = StubTransport(.status(503, headers: ["Retry-After": "3"]), .text("ok"))
        let session = HTTPSession(
            transport: stub, interceptors: [.retry(), .deadlineField("X-Request-Timeout")], defaults: .init(deadline: .seconds(10)),
            clock: clock)
        async let outcome = NetworkClient(session: session).data(for: SampleEndpoint())
        await clock.advance(through: .seconds(3))
        _ = try await outcome.get()
        #expect(stub.requests.map { $0.headers["X-Request-Timeout"] } == ["10000", "7000"])
    }

    @Test("Without a deadline there is no field, and an endpoint's own stays")
    func none() async throws {
        let stub = StubTransport(.text("ok"))
        let session = HTTPSession(transport: stub, interceptors: [.deadlineField("X-Timeout", unit: .seconds)])
        let client = NetworkClient(session: session)
        _ = try await client.response(for: SampleEndpoint()).get()
        _ = try await client.data(for: SampleEndpoint(headers: ["X-Timeout": "5"])).get()
        #expect(stub.requests.map { $0.headers["X-Timeout"] } == [nil, "5"])
    }

    @Test(
        "The number is rounded down, and never negative",
        arguments: [
            (.seconds(2), 2, 2000), (.milliseconds(1999), 1, 1999), (.microseconds(999), 0, 0), (.zero, 0, 0), (.seconds(-1), 0, 0),
            (.seconds(Int64.max), .max, .max / 2000 * 1000),
        ] as [(Duration, Int64, Int64)])
    func rounding(remaining: Duration, seconds: Int64, milliseconds: Int64) {
        #expect(DeadlineFieldInterceptor.count(remaining, .seconds) == seconds)
        #expect(DeadlineFieldInterceptor.count(remaining, .milliseconds) == milliseconds)
    }
}
