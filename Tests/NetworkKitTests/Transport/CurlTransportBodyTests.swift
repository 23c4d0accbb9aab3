import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

@Suite("CurlTransport: bodies")
struct CurlTransportBodyTests {
    private let client = TestClient()

    private static let text = String(repeating: "All the same, all over again. ", count: 4000)

    @Test("gzip and both forms of deflate are asked for and decoded; fields that are no longer true have gone")
    func codings() async throws {
        try await LoopbackServer.with { routes in
            routes.get("/gzip") { _ in .text(Self.text).gzipped() }
            routes.get("/deflate") { _ in .text(Self.text).deflated() }
            routes.get("/raw") { _ in .text(Self.text).deflatedRaw() }
            routes.get("/chunked") { _ in .text(Self.text).gzipped().chunked(into: 7) }
        } perform: { server in
            for path in ["gzip", "deflate", "raw", "chunked"] {
                let reply = try await client.reply(endpoint: server.call(Path(path)), responseModel: String.self).get()
                #expect(reply.value == Self.text)
                #expect(!reply.head.headers.contains(.contentEncoding) && !reply.head.headers.contains(.contentLength))
                #expect(reply.metrics.bodyBytesReceived < 2000)
            }
            #expect(server.requests.first?.headers[.acceptEncoding]?.hasPrefix("gzip, deflate") == true)
        }
    }

    @Test("A body that was held back, and is then wanted at once and is too large for that, fails at once")
    func heldBack() async throws {
        // More than is kept for a reader; what comes beyond that waits in libcurl.
        let size = 16 << 20
        struct Listening: Interceptor {
            let hasMuch: LoopbackGate
            func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
                var request = request
                request.context.events = { [hasMuch] event in if case .received(let count) = event, count >= 2 << 20 { hasMuch.open() } }
                return try await next(request)
            }
        }
        try await LoopbackServer.with { routes in
            routes.get("/") { _ in .data(Data(count: size)) }
        } perform: { server in
            let gate = LoopbackGate()
            let client = NetworkClient(
                session: HTTPSession(transport: CurlTransport(.init(proxy: .none)), interceptors: [Listening(hasMuch: gate)]))
            let response = try await client.response(for: server.call(options: .init(timeout: .seconds(20)))).get()
            await gate.wait()
            var failure: RequestError?
            do throws(RequestError) { _ = try await response.body.collect(upTo: 1000) } catch { failure = error }
            guard case .responseTooLarge = failure else { return #expect(Bool(false), "\(String(describing: failure))") }
        }
    }

    @Test("A caller who asks for codings, or for a range, gets the bytes as they were sent")
    func ownCodings() async throws {
        try await LoopbackServer.with { routes in
            routes.get("/") { _ in .text(Self.text).gzipped() }
        } perform: { server in
            for headers in [["Accept-Encoding": "gzip"], ["Range": "bytes=0-"]] as [HTTPFields] {
                let reply = try await client.reply(endpoint: server.call("/", headers: headers), responseModel: Data.self).get()
                #expect(reply.head.headers[.contentEncoding] == "gzip")
                #expect(reply.value.prefix(2) == Data([0x1F, 0x8B]))
            }
        }
    }

    @Test("A coded body that breaks off or is damaged is an error; the head of a stream comes all the same")
    func damagedCodings() async throws {
        try await LoopbackServer.with { routes in
            routes.get("/") { _ in .text(Self.text).gzipped() }
            routes.fallback { request in
                var body = Data(base64Encoded: request.query("bytes") ?? "") ?? Data()
                if request.path == "/cut" { body.removeLast(12) } else { body[body.count / 2] ^= 0xFF }
                return .data(body, headers: ["Content-Encoding": "gzip"])
            }
        } perform: { server in
            let coded = try await client.data(for: server.call("/", headers: ["Accept-Encoding": "gzip"])).get()
            for path in ["cut", "damaged"] {
                let call = server.call(Path(path), query: ["bytes": coded.base64EncodedString()])
                guard case .integrity = await client.data(for: call).failure else { return #expect(Bool(false)) }
                let response = try await client.response(for: call).get()
                #expect(response.status == 200)
                await #expect(throws: RequestError.self) { try await response.body.collect(upTo: .max) }
            }
        }
    }

    @Test("A body that breaks off is an error and never a short success", arguments: [true, false])
    func truncated(_ isChunked: Bool) async throws {
        try await LoopbackServer.with { routes in
            routes.get("/") { _ in
                let whole = LoopbackResponse.text(Self.text)
                return (isChunked ? whole.chunked(into: 1000) : whole).cut(afterBodyBytes: 10_000)
            }
            routes.get("/reset") { _ in .text(Self.text).resetting(afterBodyBytes: 10_000) }
        } perform: { server in
            let failure = await client.data(for: server.call()).failure
            guard case .connection(let details) = failure else { return #expect(Bool(false)) }
            #expect(details.kind == .truncated)
            #expect(failure?.statusCode == 200)
            guard case .connection(let reset) = await client.data(for: server.call("reset")).failure else { return #expect(Bool(false)) }
            #expect(reset.kind == .reset || reset.kind == .truncated)
        }
    }

    @Test("A declared length of 2^63-1 is an error and no crash")
    func absurdLength() async throws {
        try await LoopbackServer.with { routes in
            routes.get("/") { _ in .raw("HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\nhello") }
        } perform: { server in
            guard case .responseTooLarge(let details) = await client.data(for: server.call()).failure else { return #expect(Bool(false)) }
            #expect(details.declared == .max)
            let response = try await client.response(for: server.call()).get()
            await #expect(throws: RequestError.self) { for try await _ in response.body {} }
        }
    }

    @Test("A declared length that nobody has memory for is believed only as far as bytes come")
    func unbelievableLength() async throws {
        try await LoopbackServer.with { routes in
            routes.get("/") { _ in .generated(bytes: 12 << 20).declaringLength(1 << 62) }
        } perform: { server in
            let call = server.call(options: .init(maximumBodySize: .max))
            guard case .connection(let details) = await client.data(for: call).failure else { return #expect(Bool(false)) }
            #expect(details.kind == .truncated)
        }
    }

    @Test("A body over the limit ends the call at once, declared, chunked or grown from a small coded one")
    func limits() async throws {
        try await LoopbackServer.with { routes in
            routes.get("/declared") { _ in .generated(bytes: 1 << 30) }
            routes.get("/chunked") { _ in .generated(bytes: 1 << 30).chunked(into: 65_536) }
            routes.get("/bomb") { _ in .text(String(repeating: " ", count: 20 << 20)).gzipped() }
        } perform: { server in
            for path in ["declared", "chunked", "bomb"] {
                let call = server.call(Path(path), options: .init(maximumBodySize: 1 << 20))
                let reply = await client.reply(endpoint: call, responseModel: Data.self)
                guard case .responseTooLarge(let details) = reply.failure else { return #expect(Bool(false), "\(path): \(reply)") }
                #expect(details.limit == 1 << 20)
                let stream = try await client.response(for: call).get()
                await #expect(throws: RequestError.self) { for try await _ in stream.body {} }
            }
            let whole = try await client.data(for: server.call("bomb")).get()
            #expect(whole.count == 20 << 20)
        }
    }

    @Test("A large body behind an error status is collected like any other, within its limit")
    func collectedErrors() async throws {
        try await LoopbackServer.with { routes in
            routes.get("/") { _ in .text(String(repeating: "x", count: 6 << 20), status: 500) }
        } perform: { server in
            let whole = try await client.response(for: server.call()).get()
            let body = try await whole.body.collect(upTo: 8 << 20)
            #expect(whole.status == 500 && body.count == 6 << 20)
            let bounded = try await client.response(for: server.call()).get()
            await #expect(throws: RequestError.self) { try await bounded.body.collect(upTo: 4 << 20) }
        }
    }

    @Test("A body is read once; a second reader is told so")
    func readOnce() async throws {
        try await LoopbackServer.with { routes in
            routes.get("/") { _ in .text("once") }
        } perform: { server in
            let response = try await client.response(for: server.call()).get()
            let first = try await response.body.collect(upTo: 100)
            #expect(first == Data("once".utf8))
            await #expect(throws: RequestError.self) { try await response.body.collect(upTo: 100) }
        }
    }

    @Test("What is sent comes back while it is still being sent: the head first, then piece by piece")
    func duplex() async throws {
        try await LoopbackServer.with { routes in
            routes.stream(.post, "/echo") { exchange in
                try await exchange.sendHead(200, ["Transfer-Encoding": "chunked"])
                while let chunk = try await exchange.readChunk() { try await exchange.send(chunk) }
                try await exchange.finish()
            }
        } perform: { server in
            let (stream, continuation) = AsyncStream<Data>.makeStream()
            let response = try await client.response(for: server.call("echo", .post, body: .stream(stream))).get()
            #expect(response.status == 200)
            var iterator = response.body.makeAsyncIterator()
            for word in ["one", "two", "three"] {
                continuation.yield(Data(word.utf8))
                let echoed = try await iterator.next()
                #expect(echoed == Data(word.utf8))
            }
            continuation.finish()
            let end = try await iterator.next()
            #expect(end == nil)
        }
    }

    @Test("Bodies of every size around the buffers arrive whole, both ways", arguments: [1, 4095, 16_384, 65_537, 1_048_576, 5_000_001])
    func sizes(_ size: Int) async throws {
        let content = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try await LoopbackServer.with { routes in
            routes.post("/") { request in .data(try await request.body()) }
        } perform: { server in
            let whole = try await client.data(for: server.call("/", .post, body: .data(content))).get()
            #expect(whole == content)
            let response = try await client.response(for: server.call("/", .post, body: .stream([content].stream))).get()
            var pieces = Data()
            for try await piece in response.body { pieces.append(piece) }
            #expect(pieces == content)
        }
    }

    @Test("A body that nobody reads on is let go of, and a short rest read away so that the connection is kept")
    func discarding() async throws {
        try await LoopbackServer.with { routes in
            routes.get("/short") { _ in .text("short") }
            routes.get("/long") { _ in .generated(bytes: 1 << 30) }
        } perform: { server in
            for _ in 0..<3 { _ = try await client.response(for: server.call("short")).get() }
            _ = try await client.data(for: server.call("short")).get()
            #expect(server.connectionCount <= 2)
            var long: HTTPResponse? = try await client.response(for: server.call("long")).get()
            #expect(long?.status == 200)
            long = nil
            await server.waitForOpenConnections(atMost: 1)
        }
    }
}
