import NetworkKitTesting
import PlatformBase
import Testing

@testable import NetworkKit

@Suite("CurlTransport: Expect: 100-continue", .timeLimit(.minutes(1)))
struct CurlTransportExpectTests {
    private let client = TestClient()
    /// Longer than any test, so that no body goes out because its server was silent.
    private let patient = RequestOptions(expectContinueTimeout: .seconds(50))

    @Test("The body waits for 100, and then goes out whole, whatever it is")
    func asked() async throws {
        let file = try TemporaryFile(Data("hello".utf8))
        let bodies: [RequestBody] = [
            .data(Data("hello".utf8)), .file(file.url), .stream(HeardChunks("he", "llo"), length: 5), .stream(HeardChunks("he", "llo")),
        ]
        for body in bodies {
            let told = LoopbackGate()
            try await LoopbackServer.with { routes in
                routes.stream(.put, "/") { exchange in
                    // Reading is what says 100. Until then nothing of the body may have come.
                    await told.wait()
                    let text = try await exchange.request.text()
                    try await exchange.sendHead(200)
                    try await exchange.send(text)
                }
            } perform: { server in
                async let response = client.response(for: server.call("/", .put, body: body, options: patient))
                await server.waitForRequests(1)
                #expect(server.requests.first?.headers[.expect] == "100-continue")
                #expect(server.requests.first?.body.isEmpty == true)
                told.open()
                let answer = try await response.get()
                #expect(answer.head.interim.map(\.status) == [100])
                #expect(try await answer.body.collect(upTo: 100) == Data("hello".utf8))
                let framing = server.requests.first.map { $0.headers[.contentLength] ?? $0.headers[.transferEncoding] }
                #expect(framing == (body.length == nil ? "chunked" : "5"))
            }
        }
    }

    @Test("A refusal before the body is the answer: not a byte is sent, and a stream isn't even begun", arguments: [401, 413, 503])
    func refused(_ status: Int) async throws {
        let begun = Recorder<Void>()
        try await LoopbackServer.with { routes in
            routes.stream(.post, "/") { exchange in
                try await exchange.sendHead(HTTPStatus(status), ["Content-Length": "2"])
                try await exchange.send("no")
            }
            routes.get("/next") { _ in .text("next") }
        } perform: { server in
            for body in [RequestBody.stream(HeardChunks("x") { begun.add(()) }, length: 1), .data(Data(count: 10 << 20))] {
                let failure = await client.data(for: server.call("/", .post, body: body, options: patient)).failure
                #expect(failure?.statusCode == HTTPStatus(status) && failure?.response?.text == "no")
                let next = try await client.text(server.call("next"))
                #expect(next == "next")
            }
            #expect(begun.values.isEmpty)
            #expect(server.requests.filter { $0.method == .post }.allSatisfy { $0.body.isEmpty && !$0.isComplete })
        }
    }

    @Test(
        "A connection whose server answered without the body carries nothing else, though the server keeps it",
        arguments: ["200 OK", "413 Content Too Large"])
    func unusable(_ status: String) async throws {
        let closed = LoopbackGate()
        try await LoopbackServer.with { routes in
            routes.stream(.post, "/") { exchange in
                try await exchange.sendRaw("HTTP/1.1 \(status)\r\nContent-Length: 2\r\n\r\nok")
                // It would take the next request for the body.
                try await exchange.request.waitForClientToClose()
                closed.open()
            }
            routes.get("/next") { _ in .text("next") }
        } perform: { server in
            let response = try await client.response(for: server.call("/", .post, body: .data(Data(count: 1000)), options: patient)).get()
            #expect(try await response.body.collect(upTo: 10) == Data("ok".utf8))
            #expect(try await client.text(server.call("next")) == "next")
            await closed.wait()
            #expect(server.requests.map(\.connection) == [1, 2] && server.requests.first?.body.isEmpty == true)
        }
    }

    @Test("A server that says nothing gets the body after the wait", arguments: [RequestOptions(expectContinueTimeout: .milliseconds(20))])
    func silent(_ options: RequestOptions) async throws {
        let begun = LoopbackGate()
        try await LoopbackServer.with { routes in
            routes.stream(.post, "/") { exchange in
                // Reading says 100, so it waits for a body that comes without.
                await begun.wait()
                let text = try await exchange.request.text()
                try await exchange.sendHead(200)
                try await exchange.send(text)
            }
        } perform: { server in
            let body = RequestBody.stream(HeardChunks("late") { begun.open() })
            let silent = try await client.text(server.call("/", .post, body: body, options: options))
            #expect(silent == "late")
            // By hand the wait is a second.
            let byHand = RequestBody.data(Data("by hand".utf8))
            let byHandAnswer = try await client.text(server.call("/", .post, headers: ["Expect": "100-continue"], body: byHand))
            #expect(byHandAnswer == "by hand")
        }
    }

    @Test("417 has the request sent again without the field, also a stream that nobody has begun to read")
    func expectationFailed() async throws {
        let file = try TemporaryFile(Data("hello".utf8))
        for body in [RequestBody.data(Data("hello".utf8)), .file(file.url), .stream(HeardChunks("he", "llo"))] {
            for isRaw in [false, true] {
                try await LoopbackServer.with { routes in
                    routes.stream(.post, "/") { exchange in
                        if exchange.request.headers.contains(.expect) {
                            if isRaw { return try await exchange.sendRaw("HTTP/1.1 417 No\r\nContent-Length: 100\r\n\r\nnot all of it") }
                            try await exchange.sendHead(417, ["Content-Length": "2"])
                            return try await exchange.send("no")
                        }
                        let text = try await exchange.request.text()
                        try await exchange.sendHead(200)
                        try await exchange.send(text)
                    }
                } perform: { server in
                    let text = try await client.text(server.call("/", .post, body: body, options: patient))
                    #expect(text == "hello")
                    #expect(server.requests.map { $0.headers[.expect] } == ["100-continue", nil])
                    #expect(server.requests.map(\.text) == ["", "hello"])
                }
                // The one that can be read once has been.
                guard body.isReplayable else { break }
            }
        }
    }

    @Test("417 to a stream that has been read is the answer, as is one to a request that asked nothing")
    func expectationFailedTooLate() async throws {
        let begun = LoopbackGate()
        try await LoopbackServer.with { routes in
            routes.stream(.post, "/late") { exchange in
                await begun.wait()
                try await exchange.sendHead(417, ["Content-Length": "2"])
                try await exchange.send("no")
            }
            routes.post("/plain") { _ in .text("no", status: 417) }
        } perform: { server in
            let body = RequestBody.stream(HeardChunks("x") { begun.open() })
            let options = RequestOptions(expectContinueTimeout: .zero)
            #expect(await client.data(for: server.call("late", .post, body: body, options: options)).failure?.statusCode == 417)
            #expect(await client.data(for: server.call("plain", .post, body: .data(Data("x".utf8)))).failure?.statusCode == 417)
            #expect(server.requestCount == 2)
        }
    }

    @Test("A stream that waits survives a new token and a redirect: it is sent once, where it belongs")
    func survives() async throws {
        let token = RefreshableToken(AccessToken("old"), refresh: { _ in AccessToken("new") })
        let client = TestClient(interceptors: [.authentication(.refreshing(token)), .retry()])
        try await LoopbackServer.with { routes in
            routes.stream(.post, "/door") { exchange in
                guard exchange.request.headers[.authorization] == "Bearer new" else { return try await exchange.sendHead(401) }
                try await exchange.sendHead(307, ["Location": "/store"])
            }
            routes.post("/store") { request in .text(try await request.text()) }
        } perform: { server in
            let begun = Recorder<Void>()
            let body = RequestBody.stream(HeardChunks("on", "ce") { begun.add(()) })
            let text = try await client.text(server.call("door", .post, body: body, options: patient))
            #expect(text == "once")
            #expect(server.requests.map(\.path) == ["/door", "/door", "/store"] && server.requests.map(\.text) == ["", "", "once"])
            #expect(begun.values.count == 1)
        }
    }

    @Test("What has no body asks nothing (RFC 9110 §10.1.1), and nothing is asked unless it is wished")
    func unasked() async throws {
        try await LoopbackServer.with { routes in
            routes.any("/") { request in .text(try await request.text()) }
        } perform: { server in
            _ = await client.data(for: server.call("/", .get, options: patient))
            _ = await client.data(for: server.call("/", .post, body: .data(Data()), options: patient))
            _ = await client.data(for: server.call("/", .post, body: .stream(HeardChunks(), length: 0), options: patient))
            _ = await client.data(for: server.call("/", .post, body: .data(Data(count: 2 << 20))))
            #expect(server.requests.count == 4 && server.requests.allSatisfy { !$0.headers.contains(.expect) })
        }
    }

    @Test("The session's default counts where the endpoint says nothing")
    func defaults() async throws {
        let stub = StubTransport(.text("ok"))
        let client = NetworkClient(session: HTTPSession(transport: stub, defaults: patient))
        _ = await client.data(for: SampleEndpoint(method: .post, body: .data(Data("x".utf8))))
        #expect(stub.requests.first?.headers[.expect] == "100-continue")
    }
}
