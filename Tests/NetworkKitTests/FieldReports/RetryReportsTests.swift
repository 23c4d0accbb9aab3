import NetworkKitTesting
import PlatformBase
import Testing

@testable import NetworkKit

/// Faults in trying again that users of other clients reported, each by its number; over the wire.
@Suite("Field reports: trying again")
struct RetryReportsTests {
    private let policy = RetryPolicy(backoff: .constant(.zero))

    private func client(_ policy: RetryPolicy? = nil, defaults: RequestOptions = .init()) -> TestClient {
        TestClient(interceptors: [.retry(policy ?? self.policy)], defaults: defaults)
    }

    /// A server that answers with these, one after the other.
    private func server<Value: Sendable>(
        _ answers: LoopbackResponse..., body: (LoopbackServer) async throws -> Value
    ) async throws -> Value {
        let rest = Lock(answers)
        let routes = LoopbackRoutes { routes in
            routes.any("/*") { request in
                _ = try await request.body()
                return rest.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
            }
        }
        return try await LoopbackServer.with(routes) { server in try await body(server) }
    }

    @Test("19: a body stream that has been read isn't sent again empty, and the error is the first one")
    func drainedStream() async throws {
        try await server(.status(503), .text("ok")) { server in
            let call = server.call("a", .put, body: .stream([Data("once".utf8)].stream))
            let error = try #require(await client().data(for: call).failure)
            #expect(error.statusCode == 503 && error.description.contains("the body was a stream"))
            #expect(server.requests.map(\.text) == ["once"])
        }
    }

    @Test("19: a body that can be read again arrives whole each time")
    func replayedBody() async throws {
        try await server(.status(503), .status(503), .text("ok")) { server in
            let call = server.call("a", .put, body: .stream(open: { [Data("again".utf8)].stream }))
            let answer = try await client().text(call)
            #expect(answer == "ok")
            #expect(server.requests.map(\.text) == ["again", "again", "again"])
        }
    }

    @Test("22, 23: a task that is cancelled before it begins sends nothing, nor anything more during a wait")
    func cancelled() async throws {
        try await server(.status(503)) { server in
            let client = client(RetryPolicy(backoff: .constant(.seconds(1000))))
            let early = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return await client.data(for: server.call("a", .post))
            }
            #expect(await early.value.failure?.isCancellation == true && server.requestCount == 0)
            let waits = Task { await client.data(for: server.call("a", options: .init(deadline: .seconds(5000)))) }
            await server.waitForRequests(1)
            waits.cancel()
            #expect(await waits.value.failure?.isCancellation == true && server.requestCount == 1)
        }
    }

    @Test("28, 29: the timeout is of one attempt, the deadline of all of them together")
    func timeouts() async throws {
        let clock = TestClock()
        let stub = StubTransport(.stalled)
        let session = HTTPSession(
            transport: stub, interceptors: [.retry(policy)], defaults: .init(timeout: .seconds(12), deadline: .seconds(30)), clock: clock)
        async let outcome = NetworkClient(session: session).data(for: SampleEndpoint())
        for (sent, wait) in [(1, 12), (2, 12), (3, 6)] {
            await stub.waitForRequests(sent)
            await clock.advance(through: .seconds(wait))
        }
        let error = try #require(await outcome.failure)
        guard case .timedOut(let details) = error else { return #expect(Bool(false)) }
        #expect(details.limit == .deadline && clock.elapsed == .seconds(30))
        #expect(error.attempts.map(\.outcome) == ["timedOut", "timedOut", "timedOut"])
        #expect(error.attempts.map(\.duration) == [.seconds(12), .seconds(12), .seconds(6)])
    }

    @Test(
        "31, B39: Retry-After of any form gives no wait that is negative or without end",
        arguments: [
            "0", "-1", "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "5s", "",
        ])
    func retryAfter(value: String) async throws {
        try await server(.status(429, headers: ["Retry-After": value]), .text("ok")) { server in
            let answer = try await client().text(server.call("a"))
            #expect(answer == "ok")
        }
    }

    @Test("B39: a Retry-After beyond all bounds ends the call with the answer")
    func endlessRetryAfter() async throws {
        try await server(.status(429, headers: ["Retry-After": "99999999999999999999"]), .text("ok")) { server in
            let error = await client().data(for: server.call("a")).failure
            #expect(error?.statusCode == 429 && error?.description.contains("the server asks for") == true && server.requestCount == 1)
        }
    }

    @Test("32: a POST is sent once and says so; with a key, again")
    func posts() async throws {
        try await server(.status(503), .text("ok")) { server in
            let error = await client().data(for: server.call("a", .post, body: .json(Item(id: 1)))).failure
            #expect(error?.statusCode == 503 && error?.description.contains("no Idempotency-Key") == true)
        }
        try await server(.status(503), .text("ok")) { server in
            let call = server.call("a", .post, body: .json(Item(id: 1)), options: .init(idempotencyKey: "order-1"))
            let answer = try await client().text(call)
            #expect(answer == "ok")
            #expect(server.requests.map { $0.headers["Idempotency-Key"] } == ["order-1", "order-1"])
        }
    }

    @Test("B40: 408 without end is tried as often as the policy says, and then is the answer, with its body")
    func requestTimeouts() async throws {
        try await server(.text("too slow", status: 408)) { server in
            let error = await client().data(for: server.call("a")).failure
            #expect(error?.statusCode == 408 && error?.response?.text == "too slow" && server.requestCount == 3)
            #expect(error?.attempts.count == 3)
            let once = await client().data(for: server.call("a", .post)).failure
            #expect(once?.statusCode == 408 && server.requestCount == 4)
        }
    }

    @Test("A value cut in mid-body is asked for again, small and large, plain and coded")
    func cutBodies() async throws {
        for size in [10, 3_000_000] {
            let text = String(repeating: "0123456789", count: size / 10)
            try await server(.text(text).cut(afterBodyBytes: size / 2), .text(text).resetting(afterBodyBytes: size / 2), .text(text)) {
                server in
                let answer = try await client().text(server.call("a"))
                #expect(answer == text)
                #expect(server.requestCount == 3)
            }
        }
        let text = String(repeating: "0123456789", count: 1000)
        try await server(.text(text).gzipped().cut(afterBodyBytes: 20), .text(text).gzipped()) { server in
            let answer = try await client().text(server.call("a"))
            #expect(answer == text)
        }
    }

    @Test("A connection that is reset before the answer is tried again")
    func reset() async throws {
        try await server(.reset, .dropped, .text("ok")) { server in
            let answer = try await client().text(server.call("a"))
            #expect(answer == "ok")
        }
    }
}
