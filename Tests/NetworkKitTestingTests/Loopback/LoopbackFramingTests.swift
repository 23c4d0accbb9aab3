import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

/// What could be used to smuggle a request, or is malformed otherwise, is refused and on record.
@Suite struct LoopbackFramingTests {
    @Test(arguments: [
        ("both framings", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        ("differing lengths", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd", 400),
        ("a list of lengths", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3, 4\r\n\r\nabcd", 400),
        ("a signed length", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: +3\r\n\r\nabc", 400),
        ("a length beyond all bounds", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 99999999999999999999\r\n\r\n", 400),
        ("chunked not last", "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked, gzip\r\n\r\n", 400),
        ("chunked twice", "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
        ("an unknown coding", "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
        ("chunks in HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        ("a chunk size that is none", "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0x3\r\nabc\r\n0\r\n\r\n", 400),
        ("a chunk longer than its size", "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n0\r\n\r\n", 400),
        ("a bare LF behind a chunk", "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\n0\r\n\r\n", 400),
        ("a space before the colon", "GET / HTTP/1.1\r\nHost : h\r\n\r\n", 400),
        ("a folded line", "GET / HTTP/1.1\r\nHost: h\r\nA: b\r\n c\r\n\r\n", 400),
        ("a line without a colon", "GET / HTTP/1.1\r\nHost: h\r\nnonsense\r\n\r\n", 400),
        ("a control in a value", "GET / HTTP/1.1\r\nHost: h\r\nA: b\u{1}c\r\n\r\n", 400),
        ("a bare CR in a value", "GET / HTTP/1.1\r\nHost: h\r\nA: b\rc\r\n\r\n", 400),
        ("a bare LF", "GET / HTTP/1.1\nHost: h\n\n", 400),
        ("no host", "GET / HTTP/1.1\r\n\r\n", 400),
        ("two hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        ("two spaces in the request line", "GET  / HTTP/1.1\r\nHost: h\r\n\r\n", 400),
        ("a fragment in the target", "GET /a#b HTTP/1.1\r\nHost: h\r\n\r\n", 400),
        ("bytes beyond ASCII in the target", "GET /ä HTTP/1.1\r\nHost: h\r\n\r\n", 400),
        ("a method that is no token", "G(T / HTTP/1.1\r\nHost: h\r\n\r\n", 400),
        ("a tunnel", "CONNECT h:443 HTTP/1.1\r\nHost: h\r\n\r\n", 501),
        ("another version", "GET / HTTP/2.0\r\nHost: h\r\n\r\n", 505),
        ("no HTTP at all", "hello\r\n\r\n", 400),
    ])
    func aMalformedRequestIsRefused(what: String, request: String, status: Int) async throws {
        try await withServer { routes in
            routes.any("/") { request in .data(try await request.body()) }
        } _: { server in
            let client = try await RawClient(server.port)
            try await client.send(request)
            let answer = try await client.readAnswer()
            #expect(answer.status == status, "\(what)")
            #expect(answer.field("Connection") == "close")
            client.endWriting()
            #expect(try await client.readToEnd().ending == .closed)
            #expect(server.malformedRequests.count == 1)
        }
    }

    @Test func whatIsMalformedInABodyIsRefusedWithoutTheRouteReadingIt() async throws {
        try await withServer { routes in
            routes.any("/") { _ in .text("not read") }
        } _: { server in
            let client = try await RawClient(server.port)
            try await client.send("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n")
            #expect(try await client.readAnswer().status == 400)
        }
    }

    @Test func aRouteThatPassesAMalformedBodyOverDoesNotBringItBackIntoStep() async throws {
        try await withServer { routes in
            routes.post("/") { request in
                _ = try? await request.body()
                _ = try? await request.body()
                return .text("never mind")
            }
        } _: { server in
            let client = try await RawClient(server.port)
            try await client.send("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\naXX\r\n0\r\n\r\n")
            let answer = try await client.readAnswer()
            #expect(answer.status == 400)
            #expect(answer.field("Connection") == "close")
        }
    }

    @Test func aHeadBeyondTheLimitIsA431() async throws {
        var limits = LoopbackServer.Limits()
        limits.headSize = 1_000
        try await withServer({ $0.get("/") { _ in .text("hello") } }, limits: limits) { server in
            #expect(try await RawClient(server.port).get("/", "A: \(String(repeating: "a", count: 900))\r\n").status == 200)
            #expect(try await RawClient(server.port).get("/", "A: \(String(repeating: "a", count: 1_000))\r\n").status == 431)
            let endless = try await RawClient(server.port)
            try await endless.send("GET / HTTP/1.1\r\nHost: h\r\nA: " + String(repeating: "a", count: 2_000))
            #expect(try await endless.readAnswer().status == 431)
        }
    }
}
