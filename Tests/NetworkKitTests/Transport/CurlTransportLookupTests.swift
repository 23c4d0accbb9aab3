#if os(Linux)
@testable import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

extension OneAtATime {
    @Suite("CurlTransport: names", .enabled(if: DeadNameServer.shared != nil, "needs root, to have a name server that never answers"))
    struct CurlTransportLookupTests {
        @Test("A cancelled lookup returns at once, and holds up no other request, also on an older libcurl", arguments: [true, false])
        func cancelledLookup(_ hasQuickExit: Bool) async throws {
            let place = try #require(DeadNameServer.shared)
            try await LoopbackServer.with { routes in
                routes.get("/") { _ in .text("x") }
            } perform: { server in
                var options = CurlTransport.Options(proxy: .none)
                options.usesQuickExit = hasQuickExit
                let client = TestClient(options)
                let nowhere = Call(baseURL: try #require(URL(string: "http://name.example/")))
                try await withTaskExecutorPreference(place) {
                    // The transport's thread starts here, in the place where names aren't answered.
                    _ = try await client.text(server.call())
                    // The fastest counts: on a busy machine some of them wait for it.
                    var (returned, exchanged) = (Duration.seconds(1000), Duration.seconds(1000))
                    for _ in 0..<5 {
                        let lookup = Task(executorPreference: place) { await client.data(for: nowhere) }
                        // Some exchanges later the lookup is under way.
                        for _ in 0..<20 { _ = try await client.text(server.call()) }
                        let start = ContinuousClock.now
                        lookup.cancel()
                        let failure = await lookup.value.failure
                        returned = min(returned, start.duration(to: .now))
                        #expect(failure?.isCancellation == true)
                        _ = try await client.text(server.call())
                        exchanged = min(exchanged, start.duration(to: .now))
                    }
                    #expect(returned < .milliseconds(50))
                    #expect(exchanged < .milliseconds(100))
                }
            }
        }

        @Test("A lookup that isn't answered ends with the timeout")
        func lookupTimesOut() async throws {
            let place = try #require(DeadNameServer.shared)
            let call = Call(baseURL: try #require(URL(string: "http://name.example/")), options: .init(timeout: .milliseconds(300)))
            let client = TestClient()
            try await withTaskExecutorPreference(place) {
                try await Unhurried.judge { _ in
                    let start = ContinuousClock.now
                    let failure = await client.data(for: call).failure
                    guard case .timedOut(let details) = failure else {
                        Issue.record("\(String(describing: failure))")
                        return true
                    }
                    #expect(details.reason.contains("no connection"))
                    return start.duration(to: .now) < .milliseconds(1500)
                }
            }
        }
    }
}
#endif
