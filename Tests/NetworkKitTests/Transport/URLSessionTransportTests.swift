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
            let file = FileManager.default.temporaryDirectory.appending(path: "networkkit-\(server.port)-\(size)")
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
        #expect(PlatformHead.cookies(cookies.joined(separator: ", ")) == cookies)
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

    @Test("TLS options that the platform can't honour are refused at set-up")
    func options() {
        let pin = "sha256//fI5iwM32uymhM1+UYyH/z56HMkjAOjJ3RXGWoJ9Iv0o="
        let all = [
            TLSOptions(authorityFile: "/etc/ssl/corp.pem"), TLSOptions(minimumVersion: .v1_3), TLSOptions(pins: [pin]),
            TLSOptions(clientCertificate: .pkcs12("client.p12")),
        ]
        for options in all {
            let failure = failure { () throws(RequestError) in try URLSessionTransport(.init(tls: options)) }
            #expect(failure?.connectionKind == .tls)
        }
    }
}
#endif
