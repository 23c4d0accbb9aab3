import Foundation
import NetworkKit
import NetworkKitTesting
import Testing

@Suite("Cassettes: secrets")
struct CassetteSecretsTests {
    private let folder = ScratchFolder()

    /// Forms in which a secret could be read from a file.
    private func forms(_ secret: String) -> [String] {
        let encoded = secret.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
        let usual = secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? secret
        return [secret, encoded, encoded.lowercased(), usual, Data(secret.utf8).base64EncodedString()]
    }

    private func expectNone(_ secrets: [String], in path: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let file = try String(contentsOf: URL(filePath: path), encoding: .utf8)
        // Also as JSON escapes it, and within what is in Base64.
        var texts = [file, file.replacing("\\/", with: "/").replacing("\\\"", with: "\"")]
        for content in try HAR(json: Data(file.utf8)).entries.flatMap({ [$0.response.content.data, $0.request.postData?.data] }) {
            if let content { texts.append(String(decoding: content, as: UTF8.self)) }
        }
        for secret in secrets {
            for form in forms(secret) {
                #expect(!texts.contains { $0.contains(form) }, "\(secret) as \(form)", sourceLocation: sourceLocation)
            }
        }
    }

    @Test("No secret reaches the file, wherever it stands, and the recording is found all the same")
    func planted() async throws {
        let secrets = [
            "s3cret/path+x", "s3cret query&1", "tok-s3cret-field", "bearer-s3cret", "form s3cret=1", "cookie-s3cret-in", "pa55:word-s3cret",
            "cookie-s3cret-out", "oauth-s3cret-1", "rule-s3cret-key", "loc-s3cret-user",
        ]
        let echo = secrets.joined(separator: "\n")
        let server = StubTransport {
            $0.post("moved") { _ in
                StubAnswer.redirect(to: "https://jo:loc-s3cret-user@films.test/3/end?api_key=rule-s3cret-key&page=2", status: 303)
                    .adding(["Set-Cookie": "sid=cookie-s3cret-out; Path=/; HttpOnly", "X-Echo": "s3cret/path+x tok-s3cret-field"])
            }
            $0.any("end") { _ in .text(echo, status: 500) }
            $0.any("*") { request in
                .data(
                    Data([0xFF]) + Data(echo.utf8) + Data(request.url.absoluteString.utf8), contentType: "application/octet-stream")
            }
        }
        func ask(_ path: Path) -> Ask {
            Ask(
                baseURL: sampleURL("https://jo:pa55%3Aword-s3cret@films.test/3"), path: path, method: HTTPMethod.post,
                query: ["k": .secret("s3cret query&1"), "page": 1],
                headers: ["X-Key": .secret("tok-s3cret-field"), "Cookie": "a=cookie-s3cret-in; b=2"],
                body: .form(["password2": .secret("form s3cret=1"), "plain": "seen"]))
        }
        struct Key: Interceptor {
            func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
                var request = request
                request.headers[.authorization] = "Bearer bearer-s3cret"
                return try await next(request)
            }
        }
        let login = Ask(
            path: "login", method: HTTPMethod.post, headers: ["Content-Type": "application/json"],
            body: .data(Data(#"{"client_secret": "oauth-s3cret-1", "user": "jo"}"#.utf8), contentType: nil))
        let calls = [login, ask("forecast/\(secret: "s3cret/path+x")/now"), ask("moved")]
        let path = folder.path("a.har")
        let recording = try Cassette(path: path, transport: server)
        for call in calls { _ = await recording.client([Key()]).data(for: call) }
        #expect(server.requests.count == 4)
        try expectNone(secrets, in: path)

        let archive = try recording.archive
        #expect(archive.entries.count == 4)
        #expect(archive.entries[1].request.url == "https://films.test/3/forecast/***/now?k=***&page=1")
        #expect(archive.entries[1].request.postData?.text == "password2=***&plain=seen")
        #expect(HTTPFields(archive.entries[2].response.headers)[.setCookie] == "sid=***; Path=/; HttpOnly")
        #expect(archive.entries[2].response.redirectURL == "https://***@films.test/3/end?api_key=***&page=2")

        let playing = try Cassette(path: path, mode: .none)
        for (call, status) in zip(calls, [200, 200, 500]) {
            let played = await playing.client([Key()]).data(for: call)
            #expect((played.error?.statusCode?.code ?? 200) == status, "\(played)")
        }
        var other = ask("forecast/\(secret: "other")/later")
        let error = try #require(await playing.client().data(for: other).error)
        for secret in secrets { for form in forms(secret) { #expect(!"\(error)".contains(form)) } }
        other.path = "forecast/\(secret: "other")/now"
        // What was masked can't be told apart, so another key is as good.
        #expect(await (try Cassette(path: path, mode: .none)).client().data(for: other).error == nil)
    }

    @Test("A token that an answer gives is masked there, and where it stood before it was known")
    func tokens() async throws {
        let server = StubTransport {
            $0.get("early/:token", .text("ok"))
            $0.post("token", .json(#"{"access_token": "t0ken/\u00e9 \"1\"", "expires_in": 3600, "id_token" : 1234567890}"#))
        }
        let path = folder.path("t.har")
        let cassette = try Cassette(path: path, transport: server)
        _ = await cassette.client().data(for: Ask(path: "early/1234567890"))
        let answer = try await cassette.client().data(for: Ask(path: "token", method: HTTPMethod.post)).get()
        // The caller has it, the file hasn't.
        #expect(String(decoding: answer, as: UTF8.self).contains("1234567890"))
        try expectNone(["1234567890", "t0ken/é \"1\""], in: path)
        let text = try #require(try cassette.archive.entries.last?.response.content.text)
        #expect(text == #"{"access_token": "***", "expires_in": 3600, "id_token" : "***"}"#)
        #expect(try cassette.archive.entries.first?.request.url == "https://films.test/3/early/***")
    }

    @Test("Links are masked where they stand in fields and bodies, whole or relative")
    func links() async throws {
        let server = StubTransport {
            $0.get("ask") { _ in
                .json(
                    #"{"next": "https://jo:pa55word-1@films.test/3?page=2&api_key=k3y-abcdef&x=1", "self": "/3?api_key=k3y-ghijkl"}"#,
                    status: 302, headers: ["Location": "/3/end?api_key=k3y-mnopqr", "Link": "</3?access_token=k3y-stuvwx>; rel=next"])
            }
        }
        let path = folder.path("l.har")
        let cassette = try Cassette(path: path, transport: server)
        _ = await cassette.client([.redirects(.manual)]).data(for: Ask())
        try expectNone(["pa55word-1", "k3y-abcdef", "k3y-ghijkl", "k3y-mnopqr", "k3y-stuvwx"], in: path)
        let response = try #require(try cassette.archive.entries.first?.response)
        #expect(response.redirectURL == "/3/end?api_key=***")
        #expect(HTTPFields(response.headers)[.link] == "</3?access_token=***>; rel=next")
        #expect(
            response.content.text == #"{"next": "https://***@films.test/3?page=2&api_key=***&x=1", "self": "/3?api_key=***"}"#)
    }

    @Test(
        "A value ends at its line's end, whichever it is, and begins behind whatever sign is there", arguments: ["\n", "\r", "\r\n", "\t"])
    func lines(end: String) async throws {
        let list = ["seg1.ts?access_token=AAAAAAAA", "seg2.ts?access_token=BBBBBBBB&n=2", "http://jo:CCCCCCCC@h.test/", "end@home"]
        let server = StubTransport(.text(list.joined(separator: end) + end + "x?api_key=\u{301}DDDDDDDD"))
        let cassette = try Cassette(path: folder.path("lines.har"), transport: server)
        _ = await cassette.client().data(for: Ask())
        let text = try #require(try cassette.archive.entries.first?.response.content.text)
        let masked = ["seg1.ts?access_token=***", "seg2.ts?access_token=***&n=2", "http://***@h.test/", "end@home"]
        #expect(text == masked.joined(separator: end) + end + "x?api_key=***")
    }

    @Test("A body that is no UTF-8 keeps no secret: not one that isn't ASCII, nor what the rules name")
    func noText() async throws {
        let secret = "gehäim-wörd"
        let latin1 = try #require("{\"name\": \"Zoë\", \"access_token\": \"tök-abcdefgh\"}".data(using: .isoLatin1))
        let server = StubTransport {
            $0.post("binary") { _ in .data(Data([0, 0xFF]) + Data(secret.utf8) + Data([0xFE]), contentType: "application/octet-stream") }
            $0.post("latin1", .data(latin1, contentType: "application/json; charset=iso-8859-1"))
            $0.post("link", .data(Data([0xFF]) + Data("/3?api_key=k3y-abcdef&x=1".utf8), contentType: "text/html"))
        }
        let path = folder.path("no-text.har")
        let recording = try Cassette(path: path, transport: server)
        let sent = try #require("user=Zoë&password=pässword-9".data(using: .isoLatin1))
        let calls = [
            Ask(path: "binary", method: HTTPMethod.post, headers: ["X-Key": .secret(secret)]),
            Ask(path: "latin1", method: HTTPMethod.post, body: .data(sent, contentType: "application/x-www-form-urlencoded")),
            Ask(path: "link", method: HTTPMethod.post),
        ]
        for call in calls { _ = await recording.client().data(for: call) }
        try expectNone([secret, "tök-abcdefgh", "k-abcdefgh", "ssword-9", "k3y-abcdef"], in: path)
        let contents = try recording.archive.entries.compactMap(\.response.content.data)
        #expect(contents.first == Data([0, 0xFF]) + Data("***".utf8) + Data([0xFE]))
        #expect(contents[1] == "{\"name\": \"Zoë\", \"access_token\": \"***\"}".data(using: .isoLatin1))
        #expect(contents.last == Data([0xFF]) + Data("/3?api_key=***&x=1".utf8))
        #expect(try recording.archive.entries[1].request.postData?.data == "user=Zoë&password=***".data(using: .isoLatin1))
        let playing = try Cassette(path: path, mode: .none)
        for call in calls { #expect(await playing.client().data(for: call).error == nil) }
    }

    @Test("What a body hides is hidden, also where no endpoint made it: of bytes and of streams", arguments: [false, true])
    func hidden(isStream: Bool) async throws {
        let data = Data(#"{"pin": "s3cret-in-body"}"#.utf8)
        let body =
            isStream
            ? RequestBody.stream(contentType: "application/json") {
                AsyncStream { stream in
                    stream.yield(data)
                    stream.finish()
                }
            } : .data(data, contentType: "application/json")
        let path = folder.path("hidden.har")
        let server = StubTransport { $0.post("*") { .text("you said \($0.text)") } }
        let cassette = try Cassette(path: path, transport: server)
        let request = HTTPRequest(url: sampleURL("https://films.test/3"), method: .post, body: body.hiding("s3cret-in-body"))
        let answer = try await cassette.send(request).body.collect(upTo: 1000)
        #expect(answer == Data("you said ".utf8) + data)
        try expectNone(["s3cret-in-body"], in: path)
        #expect(server.requests.first?.request.allSecrets.contains("s3cret-in-body") == true)
    }

    @Test("A secret that a request without an answer tells of is taken out of what was recorded before")
    func learntLate() async throws {
        let server = StubTransport {
            $0.get("early/:token", .text("ok"))
            $0.get("late", .connection(.refused))
        }
        let path = folder.path("late.har")
        let cassette = try Cassette(path: path, transport: server)
        _ = await cassette.client().data(for: Ask(path: "early/t0ken-abcdef"))
        #expect(try cassette.archive.entries.map(\.request.url) == ["https://films.test/3/early/t0ken-abcdef"])
        _ = await cassette.client().data(for: Ask(path: "late", headers: ["X-Key": .secret("t0ken-abcdef")]))
        try expectNone(["t0ken-abcdef"], in: path)
        #expect(try cassette.archive.entries.map(\.request.url) == ["https://films.test/3/early/***"])
    }

    @Test("What a test names is masked too")
    func named() async throws {
        let path = folder.path("n.har")
        let masking = CassetteMasking(fields: ["X-Tenant"], queryItems: ["sig"], bodyKeys: ["pin"])
        let server = StubTransport(
            .json(#"{"pin": "98765432", "access_token": "t-0-k-3-n", "ok": true}"#, headers: ["X-Tenant": "acme-corp-1"]))
        let cassette = try Cassette(path: path, options: .init(masking: masking), transport: server)
        _ = await cassette.client().data(for: Ask(query: ["sig": "abcdefgh", "page": 1], headers: ["X-Tenant": "acme-corp-1"]))
        try expectNone(["98765432", "acme-corp-1", "abcdefgh", "t-0-k-3-n"], in: path)
        #expect(try cassette.archive.entries.first?.request.url == "https://films.test/3/ask?sig=***&page=1")
        #expect(CassetteMasking.only(queryItems: ["sig"]).bodyKeys.isEmpty)
    }
}
