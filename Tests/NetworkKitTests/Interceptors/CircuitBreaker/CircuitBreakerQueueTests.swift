import NetworkKitTesting
import PlatformBase
import Testing

@testable import NetworkKit

/// Over sockets, with one connection to the host.
@Suite("Stopping to send to a host that fails: requests in the transport's queue", .timeLimit(.minutes(1)))
struct CircuitBreakerQueueTests {
    private let clock = TestClock()
    private let gate = LoopbackGate()

    /// Says when a request has to wait for a connection.
    private struct QueueWatch: StockInterceptor {
        let queued: AsyncStream<Void>.Continuation

        func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
            var request = request
            request.listen { [queued] event in if case .queued = event { queued.yield() } }
            return try await next(request)
        }
    }

    private func with(_ body: (LoopbackServer, NetworkClient, AsyncStream<Void>) async throws -> Void) async throws {
        try await LoopbackServer.with { [gate] routes in
            routes.get("/held") { _ in
                await gate.wait()
                return .text("held")
            }
            routes.get("/fine") { _ in .text("fine") }
        } perform: { server in
            let (queued, continuation) = AsyncStream<Void>.makeStream()
            let session = HTTPSession(
                transport: CurlTransport(.init(proxy: .none, connectionsPerHost: 1)),
                interceptors: [.circuitBreaker(.init(minimumRequests: 1)), QueueWatch(queued: continuation)], clock: clock)
            try await body(server, NetworkClient(session: session), queued)
        }
    }

    @Test("A deadline that passes in the queue is no failure of the host")
    func queued() async throws {
        try await with { server, client, queued in
            async let held = client.data(for: server.call("held"))
            await server.waitForRequests(1)
            async let late = client.data(for: server.call("fine", options: .init(deadline: .seconds(5))))
            for await _ in queued { break }
            await clock.advance(through: .seconds(5))
            #expect(await late.failure?.caseName == "timedOut")
            gate.open()
            #expect(await held.failure == nil)
            #expect(await client.data(for: server.call("fine")).failure == nil)
        }
    }

    @Test("A deadline that passes while the host has the request is one")
    func underWay() async throws {
        try await with { server, client, _ in
            async let late = client.data(for: server.call("held", options: .init(deadline: .seconds(5))))
            await server.waitForRequests(1)
            await clock.advance(through: .seconds(5))
            #expect(await late.failure?.caseName == "timedOut")
            #expect(await client.data(for: server.call("fine")).failure?.caseName == "rejected")
        }
    }
}
