import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

@Suite struct LoopbackRequestTests {
    @Test func aRequestIsRecordedAsItCame() async throws {
        try await withServer { routes in
            routes.fallback { _ in .status(204) }
        } _: { server in
            let client = try await RawClient(server.port)
            try await client.send(
                "PURGE /a%2fb/%C3%A4?q=a+b%26c&flag&q=2 HTTP/1.1\r\nhOST: h\r\nX-A:  one \r\nx-a: two\r\nContent-Length: 4\r\n\r\nbody")
            #expect(try await client.readAnswer().status == 204)
            let request = try #require(await server.waitForRequests(1).first)
            #expect(request.number == 1)
            #expect(request.method.name == "PURGE")
            #expect(request.target == "/a%2fb/%C3%A4?q=a+b%26c&flag&q=2")
            #expect(request.path == "/a%2fb/%C3%A4")
            #expect(request.query == "q=a+b%26c&flag&q=2")
            #expect(
                request.queryItems == [
                    QueryItem(name: "q", value: "a b&c"), QueryItem(name: "flag", value: nil), QueryItem(name: "q", value: "2"),
                ])
            #expect(request.headers.map(\.name.rawName) == ["hOST", "X-A", "x-a", "Content-Length"])
            #expect(request.headers[values: "X-A"] == ["one", "two"])
            #expect(request.text == "body")
            #expect(request.isComplete && !request.bodyIsTruncated)
        }
    }

    @Test func aChunkedBodyIsReadWithItsTrailers() async throws {
        try await withServer { routes in
            routes.post("/") { request in
                let body = try await request.text()
                let again = try await request.text()
                return .text("\(body) \(body == again) \(request.trailers["X-Sum"] ?? "none")")
            }
        } _: { server in
            let client = try await RawClient(server.port)
            try await client.send("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA\r\n0123456789\r\n")
            try await client.send("0\r\nX-Sum: 13\r\n\r\n")
            #expect(try await client.readAnswer().text == "abc0123456789 true 13")
            #expect(server.requests.first?.trailers == ["X-Sum": "13"])
        }
    }

    @Test func aBodyIsRecordedUpToItsLimitThoughNoRouteReadsIt() async throws {
        var limits = LoopbackServer.Limits()
        limits.recordedBodySize = 10
        limits.recordedBodySizeInAll = 15
        limits.recordedRequests = 3
        try await withServer({ $0.fallback { _ in .status(204) } }, limits: limits) { server in
            let client = try await RawClient(server.port)
            for _ in 1...4 {
                try await client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 12\r\n\r\n0123456789ab")
                _ = try await client.readAnswer()
            }
            #expect(server.requests.map(\.text) == ["0123456789", "01234", ""])
            #expect(server.requests.allSatisfy { $0.bodyIsTruncated && $0.isComplete })
            #expect(server.requestCount == 4)
            #expect(server.connectionCount == 1)
        }
    }

    @Test func anUnreadBodyBeyondTheDrainingLimitClosesTheConnectionBehindTheAnswer() async throws {
        var limits = LoopbackServer.Limits()
        limits.drainedBodySize = 100_000
        try await withServer({ $0.post("/") { _ in .text("too much", status: 413) } }, limits: limits) { server in
            let client = try await RawClient(server.port)
            try await client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\n")
            try await client.send(Data(repeating: 7, count: 250_000))
            let answer = try await client.readAnswer()
            #expect(answer.status == 413)
            #expect(answer.field("Connection") == "close")
            #expect(try await client.readToEnd().ending == .closed)
        }
    }

    @Test func aBodyBeyondTheRoutesLimitIsAnErrorOfTheRoute() async throws {
        try await withServer { routes in
            routes.post("/") { request in .data(try await request.body(upTo: 3)) }
        } _: { server in
            let client = try await RawClient(server.port)
            try await client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nabcd")
            let answer = try await client.readAnswer()
            #expect(answer.status == 500)
            #expect(answer.text.contains("longer than 3 bytes"))
        }
    }

    @Test func aClientThatExpects100IsToldToGoOnWhenTheRouteReads() async throws {
        try await withServer { routes in
            routes.post("/read") { request in .text(try await request.text()) }
            routes.post("/refuse") { _ in .status(417) }
        } _: { server in
            let reading = try await RawClient(server.port)
            try await reading.send("POST /read HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n")
            #expect(try await reading.read(through: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
            try await reading.send("abcd")
            #expect(try await reading.readAnswer().text == "abcd")

            let refused = try await RawClient(server.port)
            try await refused.send("POST /refuse HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n")
            let answer = try await refused.readAnswer()
            #expect(answer.status == 417)
            #expect(answer.field("Connection") == "close")
        }
    }

    @Test func aClientThatGoesInMidBodyEndsTheRoute() async throws {
        try await withServer { routes in
            routes.post("/") { request in .data(try await request.body()) }
        } _: { server in
            var client: RawClient? = try await RawClient(server.port)
            try await client?.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nabc")
            await server.waitForRequests(1)
            client = nil
            await server.waitUntilIdle()
            #expect(server.requests.first?.isComplete == false)
        }
    }
}
