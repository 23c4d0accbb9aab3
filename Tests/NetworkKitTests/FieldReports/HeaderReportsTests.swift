import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

/// Faults in fields that users of other clients reported, each by its number; and answers that are barely HTTP.
@Suite("Field reports: fields and odd answers")
struct HeaderReportsTests {
    private let client = TestClient()

    /// What the client makes of an answer that is these bytes.
    private func answer(_ head: String, bytes: [UInt8] = [], body: String = "") async throws -> Result<HTTPResponse, RequestError> {
        let raw = Data(head.utf8) + bytes + Data(body.utf8)
        return try await LoopbackServer.with { routes in
            routes.get("/") { _ in .raw(raw) }
        } perform: { server in
            let result = await client.response(for: server.call())
            guard case .success(var response) = result else { return result }
            do throws(RequestError) {
                response.body = ResponseBody(try await response.body.collect(upTo: 1 << 20))
            } catch {
                return .failure(error)
            }
            return .success(response)
        }
    }

    @Test("B14: a field with bytes outside ASCII is text, UTF-8 or else Latin-1, and the others are intact")
    func nonASCIIFields() async throws {
        let head = Data("HTTP/1.1 200 OK\r\nContent-Disposition: attachment; filename=\"沙.apk\"\r\nX-Latin: M".utf8)
        let raw = head + [0xFC] + Data("ller\r\nX-Plain: yes\r\nContent-Length: 2\r\n\r\nok".utf8)
        try await LoopbackServer.with { routes in
            routes.get("/") { _ in .raw(raw) }
        } perform: { server in
            let response = try await client.response(for: server.call()).get()
            #expect(response.headers[.contentDisposition] == "attachment; filename=\"沙.apk\"")
            #expect(response.headers["x-latin"] == "Müller")
            #expect(response.headers["X-PLAIN"] == "yes")
        }
    }

    @Test("B15: a value outside ASCII is sent as UTF-8")
    func nonASCIIRequestFields() async throws {
        try await LoopbackServer.with { routes in
            routes.get("/") { request in .text(request.headers["X-Device"] ?? "") }
        } perform: { server in
            let call = server.call("/", headers: ["X-Device": "Md6-大麦", "User-Agent": "App®"])
            let text = try await client.text(call)
            #expect(text == "Md6-大麦")
            #expect(server.requests.first?.headers[.userAgent] == "App®")
        }
    }

    @Test("B17: repeated fields are kept apart, and in order")
    func repeatedFields() async throws {
        let response = try await answer(
            """
            HTTP/1.1 200 OK\r\nLink: <a>; rel=next\r\nWWW-Authenticate: Basic\r\nLink: <b>; rel=last\r\n\
            Set-Cookie: a=1; Expires=Sun, 16 Aug 2026 10:00:00 GMT\r\nSet-Cookie: b=2\r\nwww-authenticate: Bearer\r\nContent-Length: 0\r\n\r\n
            """
        ).get()
        #expect(response.headers[values: .link] == ["<a>; rel=next", "<b>; rel=last"])
        #expect(response.headers[.link] == "<a>; rel=next, <b>; rel=last")
        #expect(response.headers[values: .wwwAuthenticate] == ["Basic", "Bearer"])
        #expect(response.headers[values: .setCookie] == ["a=1; Expires=Sun, 16 Aug 2026 10:00:00 GMT", "b=2"])
    }

    @Test("B85: interim answers are reported and not taken for the final one")
    func interimAnswers() async throws {
        let response = try await answer(
            "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n"
                + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        ).get()
        #expect(response.status == 200)
        #expect(!response.headers.contains(.link))
        #expect(response.interim.map(\.status) == [103, 100, 102])
        #expect(response.interim.first?.headers[.link] == "</a.css>")
    }

    @Test("B86: a folded line is joined, a name that is no token passed over, a name's trailing space taken off")
    func malformedLines() async throws {
        let response = try await answer(
            "HTTP/1.1 200 OK\r\nX-A : 1\r\nX-Folded: one\r\n  two\r\n: nameless\r\nBad Name: x\r\nContent-Length: 2\r\n\r\nok"
        ).get()
        #expect(response.headers["X-A"] == "1")
        #expect(response.headers["X-Folded"] == "one two")
        #expect(response.headers.map(\.name) == ["X-A", "X-Folded", "Content-Length"])
    }

    @Test(
        "An answer in an odd but readable form is read",
        arguments: [
            "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok", "HTTP/1.1 200 OK\nContent-Length: 2\n\nok", "HTTP/1.0 200 OK\r\n\r\nok",
            "HTTP/1.1 200 Fine by me\r\ncOnTeNt-LeNgTh: 2\r\n\r\nok", "HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\n\r\nok",
        ])
    func oddAnswers(_ raw: String) async throws {
        let response = try await answer(raw).get()
        #expect(response.status == 200)
        let got = try await response.body.collect(upTo: 100)
        #expect(got == Data("ok".utf8))
    }

    @Test(
        "What is no HTTP answer, or contradicts itself, is an error that says so",
        arguments: [
            "220 mail.example ESMTP\r\n", "HTTP/1.1 200 OK\r\ngarbage\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 7\r\n\r\nhello77",
            "HTTP/1.1 200 OK\r\nContent-Length: 5, 7\r\n\r\nhello77", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello",
            "HTTP/1.1 200 OK\r\nContent-Length: five\r\n\r\nhello",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\nhello\r\n0\r\n\r\n",
        ])
    func malformedAnswers(_ raw: String) async throws {
        guard case .connection(let details) = try await answer(raw).failure else { return #expect(Bool(false)) }
        #expect(details.kind == .malformed)
        #expect(!details.reason.isEmpty)
    }

    @Test("An endless field line, and endless fields, end in an error")
    func endlessHead() async throws {
        let line = "HTTP/1.1 200 OK\r\nX-Long: " + String(repeating: "x", count: 2 << 20)
        let many = "HTTP/1.1 200 OK\r\n" + String(repeating: "X-Many: \(String(repeating: "y", count: 90))\r\n", count: 20_000)
        for raw in [line, many] {
            guard case .connection(let details) = try await answer(raw).failure else { return #expect(Bool(false)) }
            #expect(details.kind == .malformed)
        }
    }

    @Test("Trailers are there once the body has been read")
    func trailers() async throws {
        try await LoopbackServer.with { routes in
            routes.get("/") { _ in .chunks([Data("hello".utf8)]).trailers(["X-Checksum": "5d41"]) }
        } perform: { server in
            let response = try await client.response(for: server.call()).get()
            let got = try await response.body.collect(upTo: 100)
            #expect(got == Data("hello".utf8))
            #expect(response.body.trailers["X-Checksum"] == "5d41")
            #expect(!response.headers.contains("X-Checksum"))
        }
    }

    @Test("A 401 with a Basic challenge is delivered", arguments: ["Basic realm=\"x\"", "Bearer, Basic realm=\"x\"", "Digest nonce=\"a\""])
    func challenges(_ challenge: String) async throws {
        try await LoopbackServer.with { routes in
            routes.get("/") { _ in .text("who are you?", status: 401, headers: ["WWW-Authenticate": challenge]) }
        } perform: { server in
            guard case .unauthorized(let details) = await client.data(for: server.call()).failure else { return #expect(Bool(false)) }
            #expect(details.response?.text == "who are you?")
            #expect(details.response?.head.headers[.wwwAuthenticate] == challenge)
            #expect(server.requestCount == 1)
        }
    }
}
