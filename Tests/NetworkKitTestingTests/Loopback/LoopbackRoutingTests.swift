import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

@Suite struct LoopbackRoutingTests {
    @Test func aRouteAnswersWithItsParametersDecoded() async throws {
        try await withServer { routes in
            routes.get("/movie/:id") { request in .json(#"{"id": "\#(request.parameters["id"] ?? "")"}"#) }
        } _: { server in
            let answer = try await RawClient(server.port).get("/movie/a%20b%2Fc")
            #expect(answer.status == 200)
            #expect(answer.text == #"{"id": "a b/c"}"#)
            #expect(answer.field("Content-Type") == "application/json")
            #expect(answer.field("Content-Length") == "15")
        }
    }

    @Test func aStarTakesTheRestOfThePath() async throws {
        try await withServer { routes in
            routes.get("/files/*") { request in .text(request.parameters["*"] ?? "") }
        } _: { server in
            let client = try await RawClient(server.port)
            #expect(try await client.get("/files/a/b/c").text == "a/b/c")
            #expect(try await client.get("/file/a").status == 404)
        }
    }

    @Test func theFirstRouteThatFitsAnswers() async throws {
        try await withServer { routes in
            routes.get("/a") { _ in .text("exact") }
            routes.any("/:x") { _ in .text("any") }
        } _: { server in
            let client = try await RawClient(server.port)
            #expect(try await client.get("/a").text == "exact")
            #expect(try await client.get("/b").text == "any")
        }
    }

    @Test func anUnknownPathIsA404ThatNamesTheRoutes() async throws {
        try await withServer { routes in
            routes.get("/movie/:id") { _ in .status(204) }
            routes.any("/stall") { _ in .stalled }
        } _: { server in
            let answer = try await RawClient(server.port).get("/other")
            #expect(answer.status == 404)
            #expect(answer.text.contains("GET /movie/:id") && answer.text.contains("any method /stall"))
        }
    }

    @Test func theFallbackAnswersWhatNoRouteFits() async throws {
        try await withServer { routes in
            routes.fallback { request in .text("fell back from \(request.path)", status: 418) }
        } _: { server in
            let answer = try await RawClient(server.port).get("/x?y=z")
            #expect(answer.status == 418)
            #expect(answer.text == "fell back from /x")
        }
    }

    @Test func anErrorOfARouteIsA500WithItsText() async throws {
        struct Broken: Error, CustomStringConvertible { let description = "the disk is on fire" }
        try await withServer { routes in
            routes.get("/") { _ in throw Broken() }
        } _: { server in
            let client = try await RawClient(server.port)
            let answer = try await client.get("/")
            #expect(answer.status == 500)
            #expect(answer.text == "the disk is on fire")
            #expect(try await client.get("/").status == 500)
            #expect(server.connectionCount == 1)
        }
    }

    @Test func aRouteKnowsHowOftenItWasAsked() async throws {
        try await withServer { routes in
            routes.get("/flaky") { request in request.occurrence < 3 ? .status(503) : .text("at last") }
        } _: { server in
            let client = try await RawClient(server.port)
            #expect(try await client.get("/flaky").status == 503)
            #expect(try await client.get("/flaky").status == 503)
            #expect(try await client.get("/flaky").text == "at last")
        }
    }

    @Test func routesThatWereMadeBeforeAreCountedAnewByEachServer() async throws {
        let routes = LoopbackRoutes { routes in
            routes.get("/flaky") { request in .text("\(request.occurrence)") }
            routes.fallback { request in .text("\(request.occurrence)") }
        }
        for _ in 0..<2 {
            try await LoopbackServer.with(routes) { server in
                let client = try await RawClient(server.port)
                for path in ["/flaky", "/other"] {
                    for count in 1...2 { #expect(try await client.get(path).text == "\(count)") }
                }
            }
        }
    }

    @Test func theAbsoluteFormOfATargetIsRoutedByItsPath() async throws {
        try await withServer { routes in
            routes.get("/a") { request in .text(request.query("q") ?? "") }
        } _: { server in
            let client = try await RawClient(server.port)
            #expect(try await client.get("http://example.com/a?q=1").text == "1")
            #expect(server.requests.first?.target == "http://example.com/a?q=1")
        }
    }

    @Test func aGateHoldsRoutesBackUntilItIsOpened() async throws {
        let gate = LoopbackGate()
        try await withServer { routes in
            routes.get("/") { _ in
                await gate.wait()
                return .text("through")
            }
        } _: { server in
            let clients = [try await RawClient(server.port), try await RawClient(server.port)]
            for client in clients { try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n") }
            await server.waitForRequests(2)
            #expect(try await clients[0].isSilent())
            gate.open()
            for client in clients { #expect(try await client.readAnswer().text == "through") }
            #expect(try await clients[0].get("/").text == "through")
        }
    }

    @Test func aStopGetsARouteOutOfAClosedGate() async throws {
        let gate = LoopbackGate()
        let server = try await LoopbackServer.start { routes in
            routes.get("/") { _ in
                await gate.wait()
                return .text("through")
            }
        }
        let client = try await RawClient(server.port)
        try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        await server.waitForRequests(1)
        await server.stop()
        #expect(try await client.readToEnd().ending == .closed)
    }
}
