import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

@Suite("Hedging: over a socket", .timeLimit(.minutes(1)))
struct HedgingServerTests {
    @Test("The slower attempt is broken off at the server, and the faster one's connection carries what comes next")
    func loser() async throws {
        let clock = TestClock()
        let gone = LoopbackGate()
        try await LoopbackServer.with { routes in
            routes.stream(.get, "/") { exchange in
                guard exchange.request.occurrence > 1 else {
                    // Held until its client lets go of it.
                    try await exchange.request.waitForClientToClose()
                    return gone.open()
                }
                try await exchange.sendHead(200)
                try await exchange.send("second")
            }
            routes.get("/next") { _ in .text("next") }
        } perform: { server in
            let session = HTTPSession(
                transport: CurlTransport(.init(proxy: .none)), interceptors: [.hedging(after: .milliseconds(100))], clock: clock)
            let client = NetworkClient(session: session)
            async let outcome = client.data(for: server.call())
            await server.waitForRequests(1)
            await clock.advance(through: .milliseconds(100))
            let winner = try await outcome.get()
            #expect(winner == Data("second".utf8))
            await gone.wait()
            for _ in 0..<2 {
                let answer = try await client.data(for: server.call("next")).get()
                #expect(answer == Data("next".utf8))
            }
            #expect(server.requests.map(\.connection) == [1, 2, 2, 2] && server.requests.map(\.isReused) == [false, false, true, true])
        }
    }
}
