import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

@Suite("CurlTransport: uploads")
struct CurlTransportUploadTests {
    private let client = TestClient()

    @Test("A stream that was read already is refused before anything is sent")
    func spentStream() async throws {
        try await LoopbackServer.with { routes in
            routes.post("/") { request in .data(try await request.body()) }
        } perform: { server in
            let call = server.call("/", .post, body: .stream([Data("once".utf8)].stream))
            _ = try await client.data(for: call).get()
            guard case .notReplayable = await client.data(for: call).failure else { return #expect(Bool(false)) }
            #expect(server.requestCount == 1)
        }
    }

    @Test("A transport of one's own reads bodies, and gives answers with all that they can have")
    func ownTransport() async throws {
        struct Mirror: Transport {
            func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
                let request = try request.checked()
                let (echo, sent) = ResponseChunks.make()
                do {
                    if let body = request.body { for try await chunk in body.chunks() { sent.yield(chunk) } }
                } catch {
                    throw .interceptor(error)
                }
                sent.finish()
                let body = ResponseBody(echo, length: request.body?.length, trailers: { ["X-Seen": "all"] })
                return HTTPResponse(head: ResponseHead(status: 200, url: request.url), body: body)
            }
        }
        let client = NetworkClient(session: HTTPSession(transport: Mirror()))
        let base = try #require(URL(string: "https://mirror.test/"))
        let bodies = [
            ("a", RequestBody.data(Data("a".utf8))), ("\"a\"", .json("a")), ("ab", .stream([Data("a".utf8), Data("b".utf8)].stream)),
        ]
        for (text, body) in bodies {
            let response = try await client.response(for: Call(baseURL: base, method: HTTPMethod.post, body: body)).get()
            let whole = try await response.body.collect(upTo: 100)
            #expect(whole == Data(text.utf8))
            #expect(response.body.trailers["X-Seen"] == "all")
        }
    }

    @Test(
        "An answer before the upload ends is the answer, whether the server then reads on or waits",
        arguments: ["reads", "keeps"])
    func earlyAnswer(_ manner: String) async throws {
        try await LoopbackServer.with { routes in
            routes.stream(.post, "/reads") { exchange in
                try await exchange.sendHead(413, ["Content-Length": "9"])
                try await exchange.send("too large")
                while try await exchange.readChunk() != nil {}
                try await exchange.finish()
            }
            routes.stream(.post, "/keeps") { exchange in
                _ = try await exchange.readChunk()
                try await exchange.sendHead(413, ["Content-Length": "9"])
                try await exchange.send("too large")
                try await exchange.request.waitForClientToClose()
            }
        } perform: { server in
            let body = RequestBody.data(Data(repeating: 1, count: 20 << 20))
            for _ in 0..<5 {
                let failure = await client.data(for: server.call(Path(manner), .post, body: body)).failure
                guard case .unexpectedStatusCode(let details) = failure else {
                    return #expect(Bool(false), "\(String(describing: failure))")
                }
                #expect(details.response?.head.status == 413)
                #expect(details.response?.text == "too large")
            }
        }
    }
}

/// A stream whose failure has the type that a body's has.
struct ResponseChunks: AsyncSequence, Sendable {
    let stream: AsyncStream<Data>

    /// A sequence and what fills it.
    static func make() -> (ResponseChunks, AsyncStream<Data>.Continuation) {
        let (stream, continuation) = AsyncStream<Data>.makeStream()
        return (ResponseChunks(stream: stream), continuation)
    }

    func makeAsyncIterator() -> Iterator { Iterator(inner: stream.makeAsyncIterator()) }

    struct Iterator: AsyncIteratorProtocol {
        var inner: AsyncStream<Data>.Iterator
        mutating func next() async throws(RequestError) -> Data? { await inner.next() }
        mutating func next(isolation actor: isolated (any Actor)?) async throws(RequestError) -> Data? {
            await inner.next(isolation: actor)
        }
    }
}
