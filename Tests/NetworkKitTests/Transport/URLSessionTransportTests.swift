#if URLSession
import NetworkKitTesting
import PlatformBase
import Testing

@testable import NetworkKit

/// What ends the process on Linux isn't asked for here: trailers behind a chunked body, and a `Content-Length` of 2^63-1.
@Suite("URLSessionTransport")
struct URLSessionTransportTests {
    private let client = NetworkClient(session: HTTPSession(transport: URLSessionTransport()))
    private static let text = String(repeating: "All the same, all over again. ", count: 4000)

    /// Nothing between the test and the transport.
    private func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
        try await URLSessionTransport().send(request)
    }

    // MARK: Requests

    @Test("Method, target, fields and body arrive as they are given, and a model comes back")
    func roundTrip() async throws {
        try await LoopbackServer.with { routes in
            routes.any("/*") { request in .data(try await request.body(), contentType: "application/json") }
        } perform: { server in
            let item = Item(id: 7, name: "Zoë")
            for method in [HTTPMethod.post, .put, .patch] {
                let call = server.call("items", method, query: ["q": "a b+c"], headers: ["X-One": "1"], body: .json(item))
                let echoed = try await client.sendRequest(endpoint: call, responseModel: Item.self).get()
                #expect(echoed == item)
            }
            #expect(server.requests.map(\.method) == [.post, .put, .patch])
            for request in server.requests {
                #expect(request.target == "/items?q=a%20b%2Bc")
                #expect(request.headers["X-One"] == "1")
                #expect(request.headers[values: .contentType] == ["application/json"])
                #expect(request.headers[.contentLength] == "\(request.body.count)")
                #expect(!request.headers.contains(.transferEncoding) && !request.headers.contains(.cookie))
                #expect(request.headers[.userAgent]?.hasPrefix("NetworkKit/") == true)
            }
        }
    }

    @Test("Repeated fields are joined, cookies in their own way")
    func repeatedFields() async throws {
        try await LoopbackServer.with { routes in
            routes.get("/") { _ in .status(204) }
        } perform: { server in
            _ = await client.response(for: server.call(headers: ["X-Many": ["a", "b"], "Cookie": ["c=1", "d=2"]]))
            #expect(server.requests.first?.headers[values: "X-Many"] == ["a, b"])
            #expect(server.requests.first?.headers[values: .cookie] == ["c=1; d=2"])
        }
    }

    @Test("No body says Content-Length: 0 for POST, PUT and PATCH, and nobody makes up a Content-Type")
    func withoutBody() async throws {
        try await LoopbackServer.with { routes in
            routes.any("/") { _ in .status(204) }
        } perform: { server in
            let bodies: [RequestBody?] = [nil, .data(Data(), contentType: nil), .data(Data("x".utf8), contentType: nil)]
            for method in [HTTPMethod.post, .put, .patch] {
                for body in bodies { _ = try await client.response(for: server.call("/", method, body: body)).get() }
            }
            _ = try await client.response(for: server.call("/", .delete)).get()
            _ = try await client.response(for: server.call("/", .head)).get()
            let lengths = server.requests.prefix(9).map { $0.headers[.contentLength] }
            #expect(lengths == ["0", "0", "1", "0", "0", "1", "0", "0", "1"])
            #expect(server.requests.allSatisfy { !$0.headers.contains(.contentType) })
        }
    }

    @Test("Streams are sent whole, of known length, of unknown length and from a file", arguments: [0, 1, 65_537, 3_000_000])
    func streams(_ size: Int) async throws {
        let content = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try await LoopbackServer.with { routes in
            routes.post("/") { request in .data(try await request.body()) }
        } perform: { server in
            let file = URL(filePath: "/tmp/networkkit-\(server.port)-\(size)")
            try content.write(to: file)
            defer { unlink(file.path) }
            let bodies: [RequestBody] = [
                .data(content), .stream([content].stream), .stream([content].stream, length: Int64(size)), .file(file, contentType: nil),
            ]
            for body in bodies {
                let echoed = try await client.data(for: server.call("/", .post, body: body)).get()
                #expect(echoed == content)
            }
        }
    }

    @Test("A stream that breaks its promise, fails or is too large sends nothing")
    func brokenStreams() async throws {
        struct Broken: Error {}
        try await LoopbackServer.with { routes in
            routes.post("/") { _ in .status(204) }
        } perform: { server in
            let chunk = Data(count: 16 << 20)
            let bodies: [RequestBody] = [
                .stream([Data("abc".utf8)].stream, length: 2), .stream([Data("abc".utf8)].stream, length: 4),
                .stream(AsyncThrowingStream<Data, any Error> { $0.finish(throwing: Broken()) }),
                .stream([chunk, chunk, chunk, chunk, chunk].stream),
            ]
            for body in bodies {
                let failure = await client.data(for: server.call("/", .post, body: body)).failure
                guard case .encode = failure else { return #expect(Bool(false), "\(String(describing: failure))") }
            }
            #expect(server.requestCount == 0)
        }
    }

    @Test("What would smuggle, and a GET with a body, is refused before anything is sent")
    func refused() async throws {
        try await LoopbackServer.with { routes in
            routes.any("/") { _ in .status(204) }
        } perform: { server in
            var smuggling = HTTPRequest(url: server.baseURL)
            smuggling.headers.append(HTTPField(name: "X-A\r\nX-B", value: "1"))
            let requests = [
                smuggling, HTTPRequest(url: server.baseURL, body: .data(Data("x".utf8))),
                HTTPRequest(url: server.baseURL, method: try HTTPMethod(name: "get"), body: .data(Data("x".utf8))),
            ]
            for request in requests {
                let failure = await failure { () async throws(RequestError) in try await send(request) }
                #expect(failure?.encodePart != nil)
            }
            #expect(server.requestCount == 0)
        }
    }

    // MARK: Answers

    @Test("Every status is an answer, with its body", arguments: [200, 201, 300, 400, 401, 404, 407, 418, 429, 500, 503, 599])
    func statuses(_ code: Int) async throws {
        try await LoopbackServer.with { routes in
            routes.get("/") { _ in .text("said", status: HTTPStatus(code)) }
        } perform: { server in
            for _ in 0..<2 {
                let response = try await client.response(for: server.call()).get()
                #expect(response.status.code == code)
                let body = try await response.body.collect(upTo: 100)
                #expect(body == Data("said".utf8))
            }
            let failure = await client.data(for: server.call()).failure
            #expect(code < 300 || failure?.response?.text == "said")
        }
    }

    @Test("A challenge is an answer", arguments: ["Bearer", "Digest realm=\"x\", nonce=\"1\"", "Negotiate", "Basic realm=\"x\""])
    func challenges(_ challenge: String) async throws {
        try await LoopbackServer.with { routes in
            routes.any("/") { _ in .text("who?", status: 401, headers: ["WWW-Authenticate": challenge]) }
        } perform: { server in
            for headers in [[:], ["Authorization": "Basic YTpi"]] as [HTTPFields] {
                let call = server.call("/", .post, headers: headers, body: .json(1), options: .init(timeout: .seconds(10)))
                let failure = await client.data(for: call).failure
                guard case .unauthorized(let details) = failure else { return #expect(Bool(false), "\(String(describing: failure))") }
                #expect(details.response?.head.headers[.wwwAuthenticate] == challenge)
                #expect(details.response?.text == "who?")
                let response = try await client.response(for: call).get()
                let body = try await response.body.collect(upTo: 100)
                #expect(body == Data("who?".utf8))
            }
            #expect(server.requestCount == 4)
        }
    }

    @Test("Answers without a body: 204, 205, 304, HEAD, and one of length 0")
    func withoutContent() async throws {
        try await LoopbackServer.with { routes in
            routes.get("/:code") { request in
                .status(HTTPStatus(request.parameters["code"].flatMap { Int($0) } ?? 0), headers: ["ETag": "\"1\""])
            }
            routes.get("/text/long") { _ in .text("long") }
        } perform: { server in
            for code in [200, 204, 205, 304] {
                let response = try await client.response(for: server.call("\(code)")).get()
                let body = try await response.body.collect(upTo: 0)
                #expect(response.status.code == code && body.isEmpty && response.headers[.eTag] == "\"1\"")
            }
            let head = try await client.response(for: server.call("text/long", .head)).get()
            let body = try await head.body.collect(upTo: 0)
            #expect(body.isEmpty && head.headers[.contentLength] == "4")
        }
    }

    @Test("Cookies that the platform has joined come apart, and aren't kept")
    func setCookie() async throws {
        let cookies = ["a=1; Expires=Wed, 21 Oct 2015 07:28:00 GMT; Path=/", "b=2", "c=3; Expires=Thu, 01 Jan 1970 00:00:00 GMT"]
        #expect(ReceivedHead.cookies(cookies.joined(separator: ", ")) == cookies)
        try await LoopbackServer.with { routes in
            routes.get("/") { _ in .status(204, headers: ["Set-Cookie": cookies]) }
        } perform: { server in
            for _ in 0..<2 {
                let response = try await client.response(for: server.call()).get()
                #expect(response.headers[values: .setCookie] == cookies)
            }
            #expect(server.requests.allSatisfy { !$0.headers.contains(.cookie) })
        }
    }

    @Test("Content codings are decoded, and fields that are no longer true have gone")
    func codings() async throws {
        try await LoopbackServer.with { routes in
            routes.get("/gzip") { _ in .text(Self.text).gzipped() }
            routes.get("/deflate") { _ in .text(Self.text).deflated() }
            routes.get("/chunked") { _ in .text(Self.text).gzipped().chunked(into: 7) }
        } perform: { server in
            for path in ["gzip", "deflate", "chunked"] {
                let reply = try await client.reply(endpoint: server.call(Path(path)), responseModel: String.self).get()
                #expect(reply.value == Self.text)
                #expect(!reply.head.headers.contains(.contentEncoding) && !reply.head.headers.contains(.contentLength))
            }
            _ = await client.data(for: server.call("gzip", headers: ["Range": "bytes=0-"]))
            #expect(server.requests.last?.headers[.acceptEncoding] == "identity")
        }
    }

    @Test("A redirect is an answer", arguments: [301, 302, 303, 307, 308])
    func redirects(_ code: Int) async throws {
        try await LoopbackServer.with { routes in
            routes.any("/from") { _ in .text("moved", status: HTTPStatus(code), headers: ["Location": "/to"]) }
        } perform: { server in
            let request = HTTPRequest(url: server.url("/from"), method: .post, body: .data(Data("x".utf8)))
            let response = try await send(request)
            #expect(response.status.code == code && response.headers[.location] == "/to")
            let body = try await response.body.collect(upTo: 100)
            #expect(body == Data("moved".utf8))
            #expect(server.requestCount == 1)
        }
    }

    @Test("A body that breaks off is an error and never a short success", arguments: [true, false])
    func truncated(_ isChunked: Bool) async throws {
        try await LoopbackServer.with { routes in
            routes.get("/") { _ in
                let whole = LoopbackResponse.text(Self.text)
                return (isChunked ? whole.chunked(into: 1000) : whole).cut(afterBodyBytes: 10_000)
            }
        } perform: { server in
            let failure = await client.data(for: server.call()).failure
            #expect(failure?.connectionKind == .truncated, "\(String(describing: failure))")
            #expect(failure?.statusCode == 200)
        }
    }

    @Test("Failures say what they are")
    func failures() async throws {
        let port = try await LoopbackServer.with { _ in
        } perform: {
            $0.port
        }
        let request = HTTPRequest(url: url("http://127.0.0.1:\(port)/"))
        let refused = await failure { () async throws(RequestError) in try await send(request) }
        #expect(refused?.connectionKind == .refused, "\(String(describing: refused))")
        try await LoopbackServer.with { routes in
            routes.get("/dropped") { _ in .dropped }
            routes.get("/reset") { _ in .reset }
        } perform: { server in
            guard case .noResponse = await client.data(for: server.call("dropped")).failure else { return #expect(Bool(false)) }
            let reset = await client.data(for: server.call("reset")).failure
            #expect(reset?.connectionKind == .reset, "\(String(describing: reset))")
        }
    }

    @Test("Known exception: a byte of a field outside UTF-8 is a failure, where it should be read as Latin-1")
    func latin1() async throws {
        try await LoopbackServer.with { routes in
            let head = Data("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-Name: Zo".utf8) + [0xEB] + Data("\r\n\r\n".utf8)
            routes.get("/") { _ in .raw(head) }
        } perform: { server in
            await withKnownIssue { _ = try await client.response(for: server.call()).get() }
        }
    }

    // MARK: Streams, time and limits

    @Test("The head comes before the body, and each piece when it is sent")
    func piecewise() async throws {
        let gates = [LoopbackGate(), LoopbackGate(), LoopbackGate()]
        try await LoopbackServer.with { routes in
            routes.stream(.get, "/") { exchange in
                try await exchange.sendHead(200)
                for (number, gate) in gates.enumerated() {
                    await gate.wait()
                    try await exchange.send("\(number)")
                }
                try await exchange.finish()
            }
        } perform: { server in
            let response = try await client.response(for: server.call()).get()
            var iterator = response.body.makeAsyncIterator()
            for (number, gate) in gates.enumerated() {
                gate.open()
                let piece = try await iterator.next()
                #expect(piece == Data("\(number)".utf8))
            }
            let end = try await iterator.next()
            #expect(end == nil)
            #expect(response.body.metrics?.bodyBytesReceived == 3 && response.body.metrics?.total != nil)
        }
    }

    @Test("A slow reader is no silent server, and gets all of it. Known exception: all of it is pulled at once")
    func slowReader() async throws {
        let size = 32 << 20
        let sent = Lock(0)
        try await LoopbackServer.with { routes in
            routes.stream(.get, "/") { exchange in
                try await exchange.sendHead(200, ["Content-Length": "\(size)"])
                let piece = Data((0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 % 251) })
                for _ in 0..<(size >> 20) {
                    try await exchange.send(piece)
                    sent.withLock { $0 += piece.count }
                }
            }
        } perform: { server in
            let response = try await client.response(for: server.call(options: .init(timeout: .seconds(1)))).get()
            var iterator = response.body.makeAsyncIterator()
            var count = try await iterator.next()?.count ?? 0
            // Nobody reads for longer than the timeout.
            try await Task.sleep(for: .milliseconds(1500))
            withKnownIssue(isIntermittent: true) { #expect(sent.withLock { $0 } < 16 << 20) }
            while let chunk = try await iterator.next() { count += chunk.count }
            #expect(count == size && server.requestCount == 1)
        }
    }

    @Test("A silence ends the attempt when it is as long as the timeout, before the head and in mid-body; a drip is none")
    func silence() async throws {
        try await LoopbackServer.with { routes in
            routes.get("/silent") { _ in .stalled }
            routes.get("/stalling") { _ in .text("0123456789").stalling(afterBodyBytes: 1) }
            routes.get("/drip") { _ in .text("01234").dripping(bytes: 1, every: .milliseconds(500)) }
        } perform: { server in
            for path in ["silent", "stalling"] {
                let start = ContinuousClock.now
                let failure = await client.data(for: server.call(Path(path), options: .init(timeout: .milliseconds(400)))).failure
                guard case .timedOut(let details) = failure else { return #expect(Bool(false), "\(String(describing: failure))") }
                #expect(details.limit == .attempt && details.after == .milliseconds(400))
                #expect(start.duration(to: .now) >= .milliseconds(400))
            }
            let drip = try await client.data(for: server.call("drip", options: .init(timeout: .milliseconds(1800)))).get()
            #expect(drip.count == 5)
            let late = await client.data(for: server.call("silent", options: .init(deadline: .milliseconds(200)))).failure
            guard case .timedOut(let details) = late else { return #expect(Bool(false), "\(String(describing: late))") }
            #expect(details.limit == .deadline)
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
                let failure = await client.data(for: server.call(Path(path), options: .init(maximumBodySize: 1 << 20))).failure
                guard case .responseTooLarge(let details) = failure else { return #expect(Bool(false), "\(String(describing: failure))") }
                #expect(details.limit == 1 << 20)
                let response = try await client.response(for: server.call(Path(path))).get()
                await #expect(throws: RequestError.self) { try await response.body.collect(upTo: 1 << 20) }
            }
            let whole = try await client.data(for: server.call("bomb")).get()
            #expect(whole.count == 20 << 20)
        }
    }

    // MARK: Ends

    @Test("Cancelling while the server is silent, in the head or in the body, ends the call and the connection")
    func cancelled() async throws {
        try await LoopbackServer.with { routes in
            routes.get("/head") { _ in .stalled }
            routes.get("/body") { _ in .text("0123456789").stalling(afterBodyBytes: 1) }
        } perform: { server in
            for path in ["head", "body"] {
                let before = server.requestCount
                let task = Task { await client.data(for: server.call(Path(path))) }
                _ = await server.waitForRequests(before + 1)
                task.cancel()
                let failure = await task.value.failure
                #expect(failure?.isCancellation == true)
                await server.waitUntilIdle()
            }
        }
    }

    @Test("A reader who waits while the body is discarded is told at once")
    func discardedWhileReading() async throws {
        try await LoopbackServer.with { routes in
            routes.get("/") { _ in .text("0123456789").stalling(afterBodyBytes: 5) }
        } perform: { server in
            let response = try await client.response(for: server.call()).get()
            async let ended = failure { () async throws(RequestError) in for try await _ in response.body {} }
            try await Task.sleep(for: .milliseconds(100))
            response.body.discard()
            guard case .stream = await ended else { return #expect(Bool(false)) }
            await server.waitUntilIdle()
        }
    }

    @Test("Cancelling a reader, discarding a body and letting go of one end the transfer")
    func lettingGo() async throws {
        try await LoopbackServer.with { routes in
            routes.get("/") { _ in .text("0123456789").stalling(afterBodyBytes: 5) }
        } perform: { server in
            let response = try await client.response(for: server.call()).get()
            let reader = Task { () async throws -> Void in for try await _ in response.body {} }
            await server.waitForRequests(1)
            reader.cancel()
            let ended = await reader.result
            #expect(throws: RequestError.self) { try ended.get() }
            await server.waitUntilIdle()
            try await client.response(for: server.call()).get().body.discard()
            await server.waitUntilIdle()
            _ = try await client.response(for: server.call()).get()
            await server.waitUntilIdle()
        }
    }

    @Test("A body stream that waits ends with its task, and sends nothing")
    func cancelledUpload() async throws {
        try await LoopbackServer.with { routes in
            routes.post("/") { _ in .status(204) }
        } perform: { server in
            let (stream, continuation) = AsyncStream<Data>.makeStream()
            continuation.yield(Data("begun".utf8))
            let isDone = OneShot<Void>()
            continuation.onTermination = { _ in isDone.resolve(()) }
            let task = Task { await client.data(for: server.call("/", .post, body: .stream(stream))) }
            await Task.yield()
            task.cancel()
            #expect(await task.value.failure?.isCancellation == true)
            await isDone.value()
            #expect(server.requestCount == 0)
        }
    }

    @Test("Connections are kept, and 500 requests at once and one behind the other are all answered")
    func repeated() async throws {
        try await LoopbackServer.with { routes in
            routes.get("/:number") { request in .text(request.parameters["number"] ?? "") }
        } perform: { server in
            for number in 0..<100 {
                let text = try await client.sendRequest(endpoint: server.call("\(number)"), responseModel: String.self).get()
                #expect(text == "\(number)")
            }
            #expect(server.connectionCount == 1)
            await withTaskGroup(of: Bool.self) { group in
                for number in 0..<400 {
                    group.addTask {
                        let result = await client.sendRequest(endpoint: server.call("\(number)"), responseModel: String.self)
                        return (try? result.get()) == "\(number)"
                    }
                }
                for await isRight in group { #expect(isRight) }
            }
        }
    }

    @Test("Requests cancelled at random moments each end once, and the transport goes on")
    func randomMoments() async throws {
        try await LoopbackServer.with { routes in
            routes.post("/") { _ in .generated(bytes: 20_000) }
        } perform: { server in
            for run in 0..<20 {
                var random = SeededGenerator(seed: UInt64(run))
                await withTaskGroup(of: Int.self) { group in
                    for number in 0..<20 {
                        let spins = Int.random(in: 0..<200, using: &random)
                        let body: RequestBody = number.isMultiple(of: 2) ? .stream([Data(count: 10)].stream) : .data(Data(count: 10))
                        group.addTask {
                            let task = Task { await client.data(for: server.call("/", .post, body: body)) }
                            for _ in 0..<spins { await Task.yield() }
                            task.cancel()
                            let result = await task.value
                            return (try? result.get().count) ?? (result.failure?.isCancellation == true ? -1 : -2)
                        }
                    }
                    for await outcome in group { #expect(outcome == 20_000 || outcome == -1) }
                }
            }
            let last = try await client.data(for: server.call("/", .post)).get()
            #expect(last.count == 20_000)
        }
    }

    @Test("A transport that is let go of finishes what is under way")
    func droppedTransport() async throws {
        let gate = LoopbackGate()
        try await LoopbackServer.with { routes in
            routes.get("/") { _ in
                await gate.wait()
                return .text("late")
            }
        } perform: { server in
            for _ in 0..<20 {
                async let response = URLSessionTransport().send(HTTPRequest(url: server.baseURL))
                gate.open()
                let body = try await response.body.collect(upTo: 10)
                #expect(body == Data("late".utf8))
            }
        }
    }

    @Test("TLS options that the platform can't honour are refused at set-up")
    func options() {
        for options in [TLSOptions(authorityFile: "/etc/ssl/corp.pem"), TLSOptions(minimumVersion: .v1_3)] {
            let failure = failure { () throws(RequestError) in try URLSessionTransport(.init(tls: options)) }
            #expect(failure?.connectionKind == .tls)
        }
    }
}
#endif
