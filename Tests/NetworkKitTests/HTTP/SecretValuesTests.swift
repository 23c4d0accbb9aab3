import Foundation
import NetworkKitTesting
import Testing

@testable import NetworkKit

@Suite("Masking secrets")
struct SecretValuesTests {
    private func masking(_ secrets: String..., in text: String) -> String {
        var values = SecretValues()
        for secret in secrets { values.insert(secret) }
        return values.masking(text)
    }

    @Test(
        "A secret is found raw, percent-encoded in either case and in part, and form-encoded",
        arguments: [
            "a b/ü+", "a%20b%2F%C3%BC%2B", "a%20b%2f%c3%bc%2b", "a+b%2F%C3%BC%2B", "a b%2fü+", "%61%20%62%2F%C3%bC%2B",
        ])
    func forms(written: String) {
        #expect(masking("a b/ü+", in: "x=\(written)&y") == "x=***&y")
    }

    @Test(
        "A secret is found as JSON and HTML escape it, in part too",
        arguments: [
            #"a\/\"b\"\\\n<ü>🎈&'"#, #"\u0061\u002F\"b\u0022\u005c\u000A\u003cü\u003E\ud83c\udf88\u0026\u0027"#,
            #"a\u002f\"b\"\\\n<\u00fc>🎈&'"#, "a/&quot;b&#34;\\\n&lt;ü&gt;&#x1F388;&amp;&apos;",
            "a/&#x22;b&#X22;&#92;&#10;&lt;&#252;>🎈&amp;&#39;",
        ])
    func escapes(written: String) {
        #expect(masking("a/\"b\"\\\n<ü>🎈&'", in: "x\(written)y") == "x***y")
    }

    @Test(
        "What only looks like an escape is text",
        arguments: [#"a\"#, #"a\u"#, #"a\u00g1"#, "a&amp", "a&#;", "a&;", "a&#xD800;", #"\ud83c"#, "&"])
    func noEscapes(written: String) {
        #expect(masking("hunter22", in: written) == written)
        #expect(masking(written, in: "<\(written)>") == "<***>")
    }

    @Test("A secret with a backslash is found as it is, and escaped")
    func backslashes() {
        #expect(masking(#"a\/b"#, in: #"a\/b a\\/b a\\\/b"#) == "*** *** ***")
    }

    @Test("A secret is found where a text that was escaped is quoted in another, and so escaped again")
    func escapedTwice() {
        let written = String(reflecting: #"x a\/\"b\u00fc\ud83c\udf88 y"#)
        #expect(masking("a/\"bü🎈", in: written) == "\"x *** y\"")
        #expect(masking("a/\"bü🎈", in: String(reflecting: written)).contains("x *** y"))
    }

    @Test(
        "A secret is found where it was percent-encoded again and again, or HTML in HTML",
        arguments: [
            "a%252Fb%252Bc%253Dd%2526", "a%25252Fb%25252bc%25253Dd%252526", "%2561%2525252fb%252Bc=d&", "a/b+c=d&amp;amp;",
            "a&#38;#47;b&amp;#43;c&amp;amp;#x3D;d&amp;", "a%2Fb%252Bc%3Dd%25252526",
        ])
    func encodedTwice(written: String) {
        #expect(masking("a/b+c=d&", in: "x=\(written)z") == "x=***z")
    }

    @Test("Quotes in HTML in HTML are found, and a secret that holds escapes itself")
    func escapesInEscapes() {
        #expect(masking("say\"so", in: "say&amp;quot;so say&amp;amp;quot;so") == "*** ***")
        #expect(masking("a%2Fb", in: "a%2Fb a%252Fb a%25252Fb") == "*** *** ***")
        #expect(masking("a&lt;b", in: "a&lt;b a&amp;lt;b a&amp;amp;lt;b") == "*** *** ***")
        #expect(masking(#"a\b"#, in: #"a\b a\\b a\\\\b"#) == "*** *** ***")
        // What was escaped again and is cut off.
        #expect(masking("sk/0123/9", in: "sk%252F0123%252…") == "***%252…")
        #expect(masking("a%", in: "<a%2> <a%25> <a%252> <a%2525> <a%25252>") == "<***2> <***> <***2> <***> <***2>")
    }

    @Test("A text of nothing but escapes is searched through in steps that grow as it does")
    func nothingButEscapes() {
        let count = 50_000
        for text in [#"\"#, "%25", "%", "25", "&amp;", "&", "amp;", "+", #"\""#] {
            let long = String(repeating: text, count: count)
            #expect(masking("hunter22", in: long) == long)
            #expect(masking("hunter22", in: "%" + long + "%2568unter22").hasSuffix("***"))
        }
    }

    @Test("A secret of nothing but escapes is looked for in steps that are counted")
    func secretOfEscapes() {
        let secret = String(repeating: #"\"#, count: 20) + "x"
        let text = String(repeating: #"\"#, count: 100) + "y"
        #expect(masking(secret, in: text) == text)
        #expect(masking(secret, in: secret) == "***")
    }

    @Test("Bytes are masked as text is")
    func bytes() {
        var values = SecretValues()
        values.insert("hunter22")
        #expect(values.masking(Data([0, 255]) + Data("hunter22".utf8) + Data([7])) == Data([0, 255]) + Data("***".utf8) + Data([7]))
        #expect(SecretValues().masking(Data([1])) == Data([1]))
    }

    @Test("A secret that holds another is masked whole, and each occurrence is")
    func overlapping() {
        #expect(masking("token", "token-long", in: "token-long token token-longer") == "*** *** ***er")
        #expect(masking("aa", in: "aaaa a") == "*** a")
        #expect(masking("ab", "bcdef", in: "abcdef ab bcdef abab") == "*** *** *** ******")
    }

    @Test("A separator with a mark behind it separates all the same, and one secret in two forms is two")
    func marks() {
        var values = SecretValues()
        values.insert(field: HTTPField(name: .cookie, value: "sid=\u{301}longsecret;\u{200D}other=hunter22"))
        values.insert(field: HTTPField(name: .setCookie, value: "id=SECRET1234;\u{200D} Path=/"))
        values.insert(field: HTTPField(name: .authorization, value: "Basic " + Data("user:\u{301}passw0rd".utf8).base64EncodedString()))
        let text = values.masking("\u{301}longsecret hunter22 SECRET1234 \u{301}passw0rd")
        #expect(text == "*** *** *** ***")
        values.insert("caf\u{E9}")
        values.insert("cafe\u{301}")
        #expect(values.masking("caf\u{E9} cafe\u{301}") == "*** ***")
    }

    @Test("A thousand secrets are each found, in whatever way they are written, and two forms of one are two")
    func thousand() {
        var values = SecretValues()
        let secrets = (0..<1000).map { "s/\($0)-secret-\($0 % 7)" }
        for secret in secrets + secrets { values.insert(secret) }
        for short in ["caf\u{E9}", "cafe\u{301}", "s%", "s/1-sec", "s/1"] { values.insert(short) }
        values.formUnion(values)
        #expect("\(values)" == "1005 secret values")
        let mask = SecretMask(values)
        for secret in [secrets[0], secrets[77], secrets[999], "s/1-sec", "s/1", "s%", "caf\u{E9}", "cafe\u{301}"] {
            #expect(mask.masking("<\(secret)>") == "<***>")
            #expect(mask.masking("<\(PercentEncoding.encodeValue(secret))>") == "<***>")
        }
        #expect(
            mask.masking("<s/6-secret-6…> <s/6-secr…> <s\\/6-secret-6> <s/x-secret-1>")
                == "<***…> <***…> <***> <s/x-secret-1>")
        #expect(mask.masking(secrets[3] + secrets[4]) == "******")
        // Of what begins as none of them does, nothing is masked.
        let text = String(repeating: "t/8-secret-9 ", count: 1000)
        #expect(mask.masking(text) == text)
    }

    @Test("Without secrets, and for an empty one, a text stays as it is")
    func nothing() {
        #expect(masking(in: "a %20 b") == "a %20 b")
        #expect(masking("", in: "a") == "a")
        #expect(SecretValues().isEmpty)
    }

    @Test("A secret that a quotation cut off is masked as well")
    func cutOff() {
        let secret = "sk-0123456789"
        #expect(masking(secret, in: "near: sk-01234…") == "near: ***…")
        #expect(masking(secret, in: "redirect to \"https://h.test/sk%2D0123…\"") == "redirect to \"https://h.test/***…\"")
        #expect(masking(secret, in: "a sk…") == "a sk…")
        // In the midst of an escape, too.
        #expect(masking("sk/0123/9", in: "sk%2F0123%2…") == "***%2…")
        #expect(masking("sk/0123/9", in: #"sk\/0123\u00…"#) == #"***\u00…"#)
        #expect(masking("sk&0123&9", in: "sk&amp;0123&am…") == "***&am…")
    }

    @Test("A malformed escape ends no occurrence early")
    func malformed() {
        #expect(masking("abc", in: "ab%6 ab%zz ab%") == "ab%6 ab%zz ab%")
        #expect(masking("a%", in: "a% a%25") == "*** ***")
    }

    @Test(
        "Of credentials each part is masked alone",
        arguments: [
            (.authorization, "Bearer hunter22", ["hunter22"]), (.proxyAuthorization, "Digest hunter22", ["hunter22"]),
            (.authorization, "Basic \(Data("jo:hunter22".utf8).base64EncodedString())", ["hunter22", "jo:hunter22", "jo:hunter%32%32"]),
            (.authorization, "basic \(Data("sk_key:".utf8).base64EncodedString())", ["sk_key"]),
            (.cookie, "id=hunter22; theme=dark", ["hunter22", "dark"]), ("X-Api-Key", "hunter22", ["hunter22"]),
        ] as [(HTTPField.Name, String, [String])])
    func fields(name: HTTPField.Name, value: String, parts: [String]) {
        var values = SecretValues()
        values.insert(field: HTTPField(name: name, value: value, isSecret: true))
        for part in parts + [value, value.split(separator: " ").last.map(String.init) ?? value] {
            #expect(values.masking("<\(part)>").contains("***"))
            #expect(!values.masking("<\(part)>").contains(part))
        }
    }

    @Test("A cookie's flag doesn't make a text unreadable")
    func cookieFlags() {
        var values = SecretValues()
        values.insert(field: HTTPField(name: .cookie, value: "a=1; lang=en"))
        #expect(values.masking("401 when") == "401 when")
        #expect(values.masking("Cookie: a=1; lang=en") == "Cookie: ***")
    }

    @Test("A set of secrets shows nothing of itself")
    func shown() {
        var values = SecretValues()
        values.insert("hunter22")
        #expect(!everythingShown(of: values).contains("hunter22"))
        var context = CallContext()
        context.secrets = values
        #expect(!everythingShown(of: context).contains("hunter22"))
    }

    @Test("A request shows none of its secrets, wherever they stand")
    func request() throws {
        var request = try HTTPRequest(
            SampleEndpoint(
                baseURL: url("https://jo:pa55word@h.test"), path: "f/\(secret: "s3cret/path")", method: .post,
                query: ["key": .secret("s3cret query")], headers: ["X-Key": .secret("s3cret-field"), "X-Echo": "s3cret-field"],
                body: .form(["s": .secret("s3cret-form")])))
        request.headers["Cookie"] = "sid=s3cret-cookie"
        let shown = everythingShown(of: request)
        #expect(!shown.contains("s3cret") && !shown.contains("pa55word"))
        #expect(!shown.contains(Data("jo:pa55word".utf8).base64EncodedString()))
        #expect("\(request)".hasPrefix("POST https://h.test/f/***?key=***\n"))
        #expect("\(request)".contains("X-Echo: ***"))
    }

    @Test("What a body hides is masked in whatever shows its request, also where no endpoint made it, or an interceptor set it")
    func hiddenInBody() async throws {
        let body = RequestBody.json(["user": "jo", "password": "hunter22"]).hiding("hunter22")
        let request = HTTPRequest(url: url("https://h.test/hunter22"), method: .post, body: body)
        #expect(!everythingShown(of: request).contains("hunter22"))
        let command = try request.curlCommand()
        #expect(command.contains("https://h.test/***") && !command.contains("hunter22"))
        #expect(request.allSecrets.masking("hunter22") == "***")

        struct Login: Interceptor {
            let body: RequestBody
            func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
                var request = request
                request.body = body
                return try await next(request)
            }
        }
        let entries = Recorder<LogEntry>()
        let sink = LogSink { entries.add($0) }
        let recorder = TrafficRecorder()
        let session = HTTPSession(
            transport: StubTransport(.text("hunter22")),
            interceptors: [.logging(level: .bodies(limit: 100), sink: sink), Login(body: body), .recording(recorder)])
        _ = try await NetworkClient(session: session).data(for: SampleEndpoint(method: .post)).get()
        await sink.flush()
        #expect(entries.values.first?.text.hasSuffix("< ***") == true)
        let archive = String(decoding: recorder.archive.json, as: UTF8.self)
        #expect(archive.contains("password") && !archive.contains("hunter22"))
    }

    @Test("The parts of fields are told from whole values, so that short ones can be left out")
    func parts() {
        let basic = "Basic " + Data("test:pass".utf8).base64EncodedString()
        let request = HTTPRequest(url: url("https://h.test"), headers: ["Cookie": "consent=true; sid=abcdefgh", "Authorization": basic])
        var secrets = request.allSecrets
        #expect(secrets.masking("true abcdefgh test pass") == "*** *** *** ***")
        #expect(secrets.withoutParts(shorterThan: 8).masking("true abcdefgh test pass") == "true *** test pass")
        #expect(secrets.withoutParts(shorterThan: 8).masking(basic) == "***")
        secrets.insert("pass")
        #expect(secrets.withoutParts(shorterThan: 8).masking("true abcdefgh test pass") == "true *** test ***")
    }

    @Test("A body shows what it is and nothing of what it says")
    func body() {
        let body = RequestBody.data(Data("hunter22".utf8), contentType: "text/plain")
        #expect("\(body)" == "text/plain, 8 bytes")
        #expect(!everythingShown(of: body).contains("hunter22") && !everythingShown(of: body).contains("104"))
        #expect(!everythingShown(of: RequestBody.json(["password": "hunter22"])).contains("hunter22"))
    }

    @Test("A head shows no URL and no cookie")
    func head() {
        let head = ResponseHead(status: 200, headers: ["Set-Cookie": "sid=hunter22", "A": "b"], url: url("https://h.test/?key=hunter22"))
        #expect("\(head)" == "200 OK\nSet-Cookie: ***\nA: b")
        for shown in [
            everythingShown(of: head), everythingShown(of: HTTPResponse(head: head)), everythingShown(of: FailedResponse(head: head)),
        ] {
            #expect(!shown.contains("hunter22"))
        }
    }
}
