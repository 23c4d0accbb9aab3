import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

@Suite struct LoopbackFaultTests {
    @Test func aStalledAnswerSaysNothingUntilTheClientGoes() async throws {
        try await withServer { routes in
            routes.any("/") { _ in .stalled }
        } _: { server in
            var client: RawClient? = try await RawClient(server.port)
            try await client?.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            await server.waitForRequests(1)
            #expect(try await client?.isSilent() == true)
            client = nil
            await server.waitUntilIdle()
        }
    }

    @Test func aStalledAnswerEndsWhenTheServerStops() async throws {
        let server = try await LoopbackServer.start { $0.any("/") { _ in .stalled } }
        let client = try await RawClient(server.port)
        try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        await server.waitForRequests(1)
        await server.stop()
        #expect(try await client.reading() == .init("", .closed))
    }

    @Test func aResetComesOnAFirstAndOnAKeptConnection() async throws {
        let ran = Ran()
        try await withServer { routes in
            routes.get("/") { _ in .text("hello") }
            routes.post("/reset") { request in
                ran.note(try await request.text())
                return .reset
            }
        } _: { server in
            let request = "POST /reset HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc"
            let fresh = try await RawClient(server.port)
            try await fresh.send(request)
            #expect(try await fresh.reading() == .init("", .reset))
            let kept = try await RawClient(server.port)
            #expect(try await kept.get("/").text == "hello")
            try await kept.send(request)
            #expect(try await kept.reading() == .init("", .reset))
            #expect(ran.texts == ["abc", "abc"])
            #expect(server.requests.map(\.isReused) == [false, false, true])
        }
    }

    @Test func aDroppedAnswerIsAnEndWithoutAHead() async throws {
        try await withServer { routes in
            routes.get("/") { _ in .dropped }
        } _: { server in
            let client = try await RawClient(server.port)
            try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try await client.reading() == .init("", .closed))
        }
    }

    @Test func anAnswerBreaksOffInItsBody() async throws {
        try await withServer { routes in
            routes.get("/cut") { _ in .text("0123456789").cut(afterBodyBytes: 4) }
            routes.get("/cut-at-once") { _ in .text("0123456789").cut(afterBodyBytes: 0) }
            routes.get("/cut-chunked") { _ in .text("0123456789").chunked(into: 4).cut(afterBodyBytes: 6) }
            routes.get("/cut-generated") { _ in .generated(bytes: 1 << 40).cut(afterBodyBytes: 1_000_000) }
        } _: { server in
            for (path, body) in [("/cut", "0123"), ("/cut-at-once", ""), ("/cut-chunked", "4\r\n0123\r\n4\r\n45")] {
                let client = try await RawClient(server.port)
                try await client.send("GET \(path) HTTP/1.1\r\nHost: h\r\n\r\n")
                let head = try await client.read(through: "\r\n\r\n")
                #expect(head.contains(path == "/cut-chunked" ? "Transfer-Encoding: chunked\r\n" : "Content-Length: 10\r\n"))
                #expect(try await client.reading() == .init(body, .closed))
            }
            let huge = try await RawClient(server.port)
            try await huge.send("GET /cut-generated HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try await huge.read(through: "\r\n\r\n").contains("Content-Length: 1099511627776\r\n"))
            #expect(try await huge.readDataToEnd().data.count == 1_000_000)
        }
    }

    @Test func anAnswerIsResetInItsBody() async throws {
        try await withServer { routes in
            routes.get("/") { _ in .text("0123456789").resetting(afterBodyBytes: 4) }
        } _: { server in
            let client = try await RawClient(server.port)
            try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try await client.readToEnd().ending == .reset)
        }
    }

    @Test func anAnswerStallsInItsBody() async throws {
        try await withServer { routes in
            routes.get("/") { _ in .text("0123456789").stalling(afterBodyBytes: 4) }
        } _: { server in
            var client: RawClient? = try await RawClient(server.port)
            try await client?.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            _ = try await client?.read(through: "\r\n\r\n0123")
            #expect(try await client?.isSilent() == true)
            client = nil
            await server.waitUntilIdle()
        }
    }

    @Test func rawBytesAreSentAsTheyAre() async throws {
        try await withServer { routes in
            routes.get("/") { _ in .text("hello") }
            routes.get("/close") { _ in .raw("HTTP/1.1 2OO Möglich\nBad\r\n\r\n") }
            routes.get("/keep") { _ in .raw("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", thenClose: false) }
        } _: { server in
            let client = try await RawClient(server.port)
            #expect(try await client.get("/keep").text == "ok")
            #expect(try await client.get("/").text == "hello")
            try await client.send("GET /close HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try await client.reading() == .init("HTTP/1.1 2OO Möglich\nBad\r\n\r\n", .closed))
        }
    }

    @Test func aWrongLengthIsSentAsItIs() async throws {
        try await withServer { routes in
            routes.get("/:length") { request in .text("hello").declaringLength(Int(request.parameters["length"] ?? "") ?? 0) }
        } _: { server in
            for length in ["3", "7", "9223372036854775807"] {
                let client = try await RawClient(server.port)
                try await client.send("GET /\(length) HTTP/1.1\r\nHost: h\r\n\r\n")
                let (text, ending) = try await client.readToEnd()
                #expect(text.contains("Content-Length: \(length)\r\n") && text.hasSuffix("\r\n\r\nhello") && ending == .closed)
            }
        }
    }

    @Test func aDelayAndADripGoByTheServersClock() async throws {
        let clock = TestClock()
        let routes = LoopbackRoutes { routes in
            routes.get("/") { _ in .text("abcdef").delayed(by: .seconds(60)).dripping(bytes: 4, every: .seconds(5)) }
        }
        try await LoopbackServer.with(routes, clock: clock) { server in
            let client = try await RawClient(server.port)
            try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            await clock.sleepers([.seconds(60)])
            #expect(try await client.isSilent())
            clock.advance(by: .seconds(60))
            _ = try await client.read(through: "\r\n\r\nabcd")
            await clock.sleepers([.seconds(5)])
            #expect(try await client.isSilent())
            clock.advance(by: .seconds(5))
            #expect(try await client.readExactly(2) == Data("ef".utf8))
            #expect(await server.waitForAnswers(1).count == 1)
        }
    }

    @Test func aClientThatGoesEndsADelay() async throws {
        try await withServer { routes in
            routes.get("/") { _ in .text("never").delayed(by: .seconds(3_600)) }
        } _: { server in
            var client: RawClient? = try await RawClient(server.port)
            try await client?.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            await server.waitForRequests(1)
            client = nil
            await server.waitUntilIdle()
        }
    }
}
