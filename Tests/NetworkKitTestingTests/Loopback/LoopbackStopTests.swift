import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

@Suite(.serialized) struct LoopbackStopTests {
    @Test func aStoppedServerRefusesConnections() async throws {
        let server = try await LoopbackServer.start { $0.get("/") { _ in .text("hello") } }
        let port = server.port
        #expect(server.baseURL.absoluteString == "http://127.0.0.1:\(port)")
        #expect(server.url("/a?b=c").absoluteString == "http://127.0.0.1:\(port)/a?b=c")
        await server.stop()
        await server.stop()
        await #expect(throws: RawClient.Failure.self) { try await RawClient(port) }
    }

    @Test func aStopEndsRoutesThatRunAndWaitsThatWait() async throws {
        let ran = Ran()
        let server = try await LoopbackServer.start { routes in
            routes.get("/") { _ in
                do {
                    try await Task.sleep(for: .seconds(3_600))
                } catch {
                    ran.note("cancelled")
                }
                return .status(204)
            }
        }
        let client = try await RawClient(server.port)
        try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        await server.waitForRequests(1)
        async let waiting: Void = server.waitForConnections(100)
        await server.stop()
        await waiting
        #expect(ran.texts == ["cancelled"])
        #expect(server.openConnectionCount == 0)
    }

    @Test func theScopedFormStopsWhenItsBodyThrows() async throws {
        struct Broken: Error {}
        var port = 0
        await #expect(throws: Broken.self) {
            try await LoopbackServer.with {
                $0.get("/") { _ in .status(204) }
            } perform: { server in
                port = server.port
                throw Broken()
            }
        }
        let closed = port
        await #expect(throws: RawClient.Failure.self) { try await RawClient(closed) }
    }

    @Test func aWaitEndsWhenItsTaskIsCancelled() async throws {
        try await withServer { _ in
        } _: { server in
            let waiting = Task { await server.waitForRequests(1) }
            waiting.cancel()
            #expect(await waiting.value.isEmpty)
        }
    }
}
