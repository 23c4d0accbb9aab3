import Foundation
import NetworkKitTesting
import PlatformBase
import Testing

@testable import NetworkKit

/// Secrets planted wherever one can stand, and a search for them in all that the library shows of a call. Each has a core of letters and
/// digits that nothing else has, in the middle of characters that are written otherwise in a URL, in a form, in JSON and in HTML.
@Suite("No planted secret is shown", .serialized, .disabled(if: Sanitizer.isOn, "masking so much text takes minutes there"))
struct PlantedSecretsTests {
    /// Where each stands.
    private static let places = [
        "Authorization of the endpoint", "secret field of the endpoint", "secret field, second value",
        "Proxy-Authorization of the endpoint",
        "cookie", "second cookie", "token of the session", "secret field of the session", "token of an interceptor",
        "secret field of an interceptor", "cookie of an interceptor", "path segment", "second path segment",
        "path segment in a literal query",
        "query", "second query", "array in a query", "array in a query, second", "query of an item that repeats", "user in the base URL",
        "password in the base URL", "form", "second form", "array in a form", "hidden in JSON", "hidden in JSON, second", "hidden in bytes",
        "hidden in a stream", "Set-Cookie", "second Set-Cookie", "user in Location", "password in Location", "Set-Cookie of a redirect",
        "proxy's user in its URL", "proxy's password in its URL", "proxy's user", "proxy's password", "passphrase of a certificate",
        "user in a request made by hand", "password in a request made by hand",
    ]

    private static func core(_ place: String) -> String {
        let number = places.firstIndex(of: place) ?? 0
        return "Zq\(number / 10)x\(number % 10)Kw9vJ"
    }

    /// A secret: its core between what must be escaped.
    private static func secret(_ place: String) -> String { "a/\(core(place))&\"é" }
    /// One that can stand in a cookie or in a token.
    private static func token(_ place: String) -> String { "t-\(core(place))~" }

    /// What must not be found: the core as it is, with each byte as a triplet or an escape, and in Base64, wherever it begins there.
    private static let forms: [(place: String, folded: [[CChar]], exact: [[CChar]])] = places.map { place in
        let core = core(place).lowercased()
        func escaped(_ write: (String) -> String) -> String { Self.core(place).utf8.map { write(String($0, radix: 16)) }.joined() }
        let folded = [core, escaped { "%" + $0 }, escaped { "\\u00" + $0 }, escaped { "&#x\($0);" }]
        let base64 = (0..<3).map { shift in
            let text = Data(repeating: 0x20, count: shift) + Data(Self.core(place).utf8)
            // The ends depend on what stands beside them.
            return String(text.base64EncodedString().dropFirst(shift == 0 ? 0 : 4).prefix(8))
        }
        return (place, folded.map { $0.utf8CString.map { $0 } }, base64.map { $0.utf8CString.map { $0 } })
    }

    private static func found(in text: String, at where: String = "") -> [String] {
        let bytes = text.utf8.map { $0 == 0 ? 1 : $0 } + [0]
        let exact = bytes.map { CChar(bitPattern: $0) }
        let folded = bytes.map { CChar(bitPattern: $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0) }
        return forms.filter { form in
            form.folded.contains { strstr(folded, $0) != nil } || form.exact.contains { strstr(exact, $0) != nil }
        }.map { "\($0.place) in \(`where`)" }
    }

    // MARK: What is sent

    private struct Planted: Endpoint {
        var baseURL: URL
        var body: RequestBody?
        var bodyName: String
        var path: Path {
            "v1/\(secret: secret("path segment"))/x/\(secret: secret("second path segment"))?lit=\(secret: secret("path segment in a literal query"))"
        }
        var method: any RequestMethod { .post }
        var query: Query {
            var query: Query = [
                "a": .secret(secret("query")), "b": .secret(secret("second query")), "plain": "visible",
            ]
            query.append("c", .secret(secret("array in a query")))
            query.append("c", .secret(secret("array in a query, second")))
            query.append("a", .secret(secret("query of an item that repeats")))
            return query
        }
        var headers: HTTPFields {
            var fields: HTTPFields = [
                "X-Key": .secret(secret("secret field of the endpoint")),
                "Cookie": "sid=\(token("cookie")); other=\(token("second cookie"))",
            ]
            fields.append(HTTPField(name: "X-Key", value: secret("secret field, second value"), isSecret: true))
            fields.append(HTTPField(name: .proxyAuthorization, value: "Bearer \(token("Proxy-Authorization of the endpoint"))"))
            if bodyName == "json" || bodyName == "stream" {
                fields.append(HTTPField(name: .authorization, value: "Bearer \(token("Authorization of the endpoint"))"))
            }
            return fields
        }
        var options: RequestOptions { .init(name: "planted") }
    }

    private static func endpoints(_ base: URL) -> [Planted] {
        let text = base.absoluteString
        let user = PercentEncoding.encodeValue(secret("user in the base URL"))
        let password = PercentEncoding.encodeValue(secret("password in the base URL"))
        let withUser = url(text.replacing("://", with: "://\(user):\(password)@"))
        let bytes = Data([0, 255, 254]) + Data(secret("hidden in bytes").utf8)
        let stream: @Sendable () -> AsyncStream<Data> = {
            AsyncStream { stream in
                stream.yield(Data(secret("hidden in a stream").utf8))
                stream.finish()
            }
        }
        return [
            Planted(
                baseURL: withUser,
                body: .form([
                    "f": .secret(secret("form")), "g": .secret(secret("second form")), "h": .secret(secret("array in a form")),
                    "p": "visible",
                ]), bodyName: "form"),
            Planted(
                baseURL: base,
                body: .json([secret("hidden in JSON"), secret("hidden in JSON, second"), "visible"]).hiding(
                    secret("hidden in JSON"), secret("hidden in JSON, second")), bodyName: "json"),
            Planted(baseURL: base, body: .data(bytes).hiding(secret("hidden in bytes")), bodyName: "bytes"),
            Planted(baseURL: base, body: .stream(open: stream).hiding(secret("hidden in a stream")), bodyName: "stream"),
        ]
    }

    /// Adds what only the stack knows of.
    private struct Signing: PerHopInterceptor {
        func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
            var request = request
            request.headers.append(HTTPField(name: .authorization, value: "Bearer \(token("token of an interceptor"))"))
            request.headers.append(HTTPField(name: "X-Own", value: secret("secret field of an interceptor"), isSecret: true))
            request.headers.append(HTTPField(name: .cookie, value: "late=\(token("cookie of an interceptor"))"))
            return try await next(request)
        }
        func describe(_ request: HTTPRequest) -> String? { "signs with \(request.headers["X-Key"] ?? "")" }
    }

    // MARK: What is answered

    /// What a server may know of a call and write: every secret that was sent, each in another way by turns.
    private static func echo(_ bodyName: String, turn: Int, answered: Bool) -> String {
        var known = [
            "secret field of the endpoint", "secret field, second value", "secret field of the session", "secret field of an interceptor",
            "path segment", "second path segment", "path segment in a literal query", "query", "second query", "array in a query",
            "array in a query, second", "query of an item that repeats",
        ]
        var tokens = [
            "Proxy-Authorization of the endpoint", "cookie", "second cookie", "token of an interceptor", "cookie of an interceptor",
        ]
        switch bodyName {
        case "form": known += ["user in the base URL", "password in the base URL", "form", "second form", "array in a form"]
        case "json":
            known += ["hidden in JSON", "hidden in JSON, second"]
            tokens.append("Authorization of the endpoint")
        case "bytes":
            known.append("hidden in bytes")
            tokens.append("token of the session")
        default:
            known.append("hidden in a stream")
            tokens.append("Authorization of the endpoint")
        }
        if answered { tokens += ["Set-Cookie", "second Set-Cookie"] }
        return (known.map(secret) + tokens.map(token)).enumerated().map { written($1, in: ($0 + turn) % 6) }.joined(separator: " ")
    }

    private static func written(_ text: String, in way: Int) -> String {
        switch way {
        case 0: text
        case 1: PercentEncoding.encodeValue(text)
        case 2: PercentEncoding.encode(text, allowing: { _ in false }).lowercased()
        case 3:
            text.utf16.map { unit in
                let digits = String(unit, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }.joined()
        case 4: text.replacing("&", with: "&amp;").replacing("\"", with: "&quot;").replacing("é", with: "&#233;")
        default: text.replacing("\"", with: "\\\"").replacing("/", with: "\\/")
        }
    }

    private static let cookies: HTTPFields = [
        "Set-Cookie": ["sid=\(token("Set-Cookie")); Path=/; HttpOnly", "t=\(token("second Set-Cookie"))"], "X-Echo": secret("query"),
    ]

    private static func answer(_ request: HTTPRequest, _ status: HTTPStatus, _ body: String, _ fields: HTTPFields = [:]) -> HTTPResponse {
        var head = ResponseHead(status: status, headers: cookies, url: request.url)
        for field in fields { head.headers.append(field) }
        return HTTPResponse(head: head, body: ResponseBody(Data(body.utf8)))
    }

    private typealias Script = @Sendable (HTTPRequest) throws(RequestError) -> HTTPResponse

    /// Outcomes, and every kind of error with all secrets in its words.
    private static func scripts(_ bodyName: String, turn: Int) -> [(name: String, script: Script)] {
        let unanswered = echo(bodyName, turn: turn, answered: false)
        let words = echo(bodyName, turn: turn, answered: true)
        struct Foreign: Error { let text: String }
        let errors: [RequestError] = [
            .invalidURL(.init(reason: unanswered)), .encode(.init(reason: unanswered)), .noResponse(.init(reason: unanswered)),
            .unauthorized(.init(reason: unanswered)), .unexpectedStatusCode(.init(reason: unanswered)),
            .decode(.init(.init(codingPath: "a", expectedType: "Int", excerpt: unanswered), reason: unanswered)),
            .unknown(.init(reason: unanswered)),
            .connection(.init(.init(kind: .reset), reason: unanswered)), .timedOut(.init(reason: unanswered)),
            .cancelled(.init(reason: unanswered)),
            .responseTooLarge(.init(reason: unanswered)),
            .redirect(.init(.init(fault: .location, location: unanswered), reason: unanswered)),
            .notReplayable(.init(reason: unanswered)), .rejected(.init(reason: unanswered)), .authentication(.init(reason: unanswered)),
            .file(.init(.init(path: unanswered), reason: unanswered)),
            .integrity(.init(.init(expected: unanswered, actual: unanswered), reason: unanswered)),
            .stream(.init(.init(position: 1, excerpt: unanswered), reason: unanswered)), .interceptor(Foreign(text: unanswered)),
        ]
        let user = PercentEncoding.encodeValue(secret("user in Location"))
        let password = PercentEncoding.encodeValue(secret("password in Location"))
        let target = PercentEncoding.encodeValue(secret("query")) + "&again=" + token("cookie")
        func outcome(_ name: String, _ script: @escaping Script) -> (name: String, script: Script) { (name, script) }
        func redirect(_ name: String, to location: String, then status: HTTPStatus = 200) -> (name: String, script: Script) {
            outcome("redirect: \(name)") { request throws(RequestError) in
                guard !request.url.absoluteString.contains("/end") else { return answer(request, status, words) }
                return answer(request, 307, words, ["Location": location, "Set-Cookie": "hop=\(token("Set-Cookie of a redirect"))"])
            }
        }
        var outcomes = errors.map { error in outcome("error: \(error.caseName)") { _ throws(RequestError) in throw error } }
        outcomes.append(
            outcome("success") { request throws(RequestError) in
                let text = words.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
                return answer(request, 200, #"[{"id":"\#(text)"}]"#)
            })
        outcomes.append(outcome("401") { request throws(RequestError) in answer(request, 401, words) })
        outcomes.append(outcome("500") { request throws(RequestError) in answer(request, 500, words) })
        outcomes.append(
            outcome("problem") { request throws(RequestError) in
                let text = words.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
                return answer(request, 422, #"{"title":"\#(text)","detail":"\#(text)"}"#, ["Content-Type": "application/problem+json"])
            })
        outcomes.append(
            outcome("HTML") { request throws(RequestError) in answer(request, 200, "<p>\(words)", ["Content-Type": "text/html"]) })
        return outcomes + [
            redirect("same origin", to: "/end?k=\(target)"), redirect("other origin", to: "https://other.test/end?k=\(target)"),
            redirect("other origin that fails", to: "https://other.test/end?k=\(target)", then: 500),
            redirect("with credentials", to: "https://\(user):\(password)@api.example.com/end?k=\(target)"),
            redirect("loop", to: "/again?k=\(target)"),
            redirect("insecure", to: "http://\(user):\(password)@api.example.com/?k=\(target)"),
            redirect("scheme", to: "file:///\(target)"), redirect("no URL", to: "https://\(user):\(password)@[/?k=\(target)"),
        ]
    }

    // MARK: What is shown

    private final class Shown: RequestTracer, RequestObserver {
        private let texts = Recorder<(String, String)>()
        var all: [(place: String, text: String)] { texts.values.map { ($0.0, $0.1) } }
        func add(_ place: String, _ text: String) { texts.add((place, text)) }
        func record(_ span: TraceSpan) { add("span", everythingShown(of: span)) }
        func observe(_ event: RequestEvent) { add("event", everythingShown(of: event)) }
    }

    private func stack(_ shown: Shown) -> (
        recorder: TrafficRecorder, interceptors: [any Interceptor], flush: () async -> Void
    ) {
        let sink = LogSink { shown.add("log", everythingShown(of: $0)) }
        let recorder = TrafficRecorder()
        let outer: ObservingInterceptor = .observing(shown)
        let tracing: TracingInterceptor = .tracing(shown)
        let interceptors: [any Interceptor] = [
            .logging(level: .bodies(limit: 1 << 20), sink: sink), outer, .redirects(.init(limit: 3)), Signing(),
            .logging(level: .bodies(limit: 1 << 20), sink: sink), tracing, .recording(recorder),
        ]
        return (
            recorder, interceptors,
            {
                await sink.flush()
                await outer.flush()
                await tracing.flush()
            }
        )
    }

    @Test(
        "Forty secrets, in every outcome and every error, are in no log, error, span, event, archive, command line or explanation",
        arguments: scripts("", turn: 0).map(\.name))
    func everywhere(outcome: String) async throws {
        #expect(Self.places.count == 40 && Set(Self.places.map(Self.core)).count == 40)
        for (turn, endpoint) in Self.endpoints(url("https://api.example.com")).enumerated() {
            let scripts = Self.scripts(endpoint.bodyName, turn: turn)
            let script = try #require(scripts.first { $0.name == outcome }?.script)
            let shown = Shown()
            let (recorder, interceptors, flush) = stack(shown)
            let session = HTTPSession(
                transport: StubTransport(script), interceptors: interceptors,
                headers: [
                    "User-Agent": "Mine/1", "Authorization": "Bearer \(Self.token("token of the session"))",
                    "X-Session": .secret(Self.secret("secret field of the session")),
                ])
            let client = NetworkClient(session: session)
            var results = [await client.sendRequest(endpoint: endpoint, responseModel: [Item].self).map({ _ in })]
            // Nothing is shown of it but what is shown of a model too; so once is enough.
            if turn == 0 { results.append(await client.data(for: endpoint).map({ _ in })) }
            for result in results {
                guard let error = result.failure else { continue }
                shown.add("error", everythingShown(of: error) + error.customMessage + String(reflecting: result))
            }
            await flush()
            shown.add("archive", String(decoding: recorder.archive.json, as: UTF8.self))
            shown.add("explanation", everythingShown(of: client.explain(endpoint)))
            let request = try HTTPRequest(endpoint)
            shown.add("command line", try request.curlCommand())
            shown.add("request", everythingShown(of: request) + everythingShown(of: request.context.secrets))
            shown.add("endpoint", "\(endpoint.path) \(endpoint.query) \(endpoint.headers)" + everythingShown(of: endpoint.body as Any))
            #expect(shown.all.count >= 10)
            check(shown, "\(endpoint.bodyName)")
        }
    }

    private func check(_ shown: Shown, _ what: String, sourceLocation: SourceLocation = #_sourceLocation) {
        for (place, text) in shown.all {
            let found = Self.found(in: text, at: "\(place) (\(what))")
            #expect(found.isEmpty, "\(found.prefix(3)): \(text.prefix(600))", sourceLocation: sourceLocation)
        }
    }

    @Test("Those of an endpoint that can't be sent aren't shown by the error that says so")
    func unsent() async throws {
        struct Broken: Endpoint {
            var baseURL: URL
            var path: Path = ""
            var headers: HTTPFields = [:]
            var method: any RequestMethod { .post }
        }
        let user = PercentEncoding.encodeValue(Self.secret("user in the base URL"))
        let password = PercentEncoding.encodeValue(Self.secret("password in the base URL"))
        let base = url("https://\(user):\(password)@api.example.com")
        let broken = [
            Broken(baseURL: base, path: "\(secret: Self.secret("path segment"))/\("..")"),
            Broken(baseURL: base, path: "\(secret: Self.secret("path segment"))/\n"),
            Broken(baseURL: base, headers: ["X-Key": .secret(Self.secret("secret field of the endpoint") + "\r\nX: y")]),
            Broken(baseURL: base, headers: ["X Key": .secret(Self.secret("secret field of the endpoint"))]),
            Broken(baseURL: url("ftp://\(user):\(password)@api.example.com")),
            Broken(baseURL: url("https://\(user):\(password)@api.example.com:99999")), Broken(baseURL: url("//\(user):\(password)@h")),
        ]
        for endpoint in broken {
            let client = NetworkClient(session: HTTPSession(transport: StubTransport(redirects: [:])))
            let error = try #require(await client.data(for: endpoint).failure)
            let text = everythingShown(of: error) + error.customMessage + everythingShown(of: client.explain(endpoint))
            #expect(Self.found(in: text).isEmpty, "\(text)")
        }
    }

    @Test("Over the wire neither, with a server that says all of it back, and for a request that is made by hand")
    func overTheWire() async throws {
        try await LoopbackServer.with { routes in
            routes.fallback { request in
                let body = (try? await request.body()) ?? Data()
                let text = request.target + "\n" + request.headers.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
                return .data(Data(text.utf8) + body, contentType: "application/json", status: request.target.contains("fail") ? 418 : 200)
            }
        } perform: { server in
            let shown = Shown()
            let (recorder, interceptors, flush) = stack(shown)
            let client = TestClient(interceptors: interceptors)
            for endpoint in Self.endpoints(server.baseURL) + Self.endpoints(server.url("/fail")) {
                let error = try #require(await client.sendRequest(endpoint: endpoint, responseModel: Item.self).failure)
                shown.add("error", everythingShown(of: error) + error.customMessage)
            }
            let user = PercentEncoding.encodeValue(Self.secret("user in a request made by hand"))
            let password = PercentEncoding.encodeValue(Self.secret("password in a request made by hand"))
            let byHand = HTTPRequest(url: url(server.url("/x").absoluteString.replacing("://", with: "://\(user):\(password)@")))
            shown.add("request", everythingShown(of: byHand) + (try byHand.curlCommand()))
            let response = try await Next(interceptors: interceptors, transport: CurlTransport(.init(proxy: .none)))(byHand)
            #expect(try await response.body.collect(upTo: 1 << 20).count > 10)
            await flush()
            shown.add("archive", String(decoding: recorder.archive.json, as: UTF8.self))
            #expect(shown.all.count > 40)
            check(shown, "over the wire")
        }
    }

    @Test("A proxy's credentials and a certificate's passphrase aren't shown by the failures that they lead to")
    func transportOptions() async throws {
        let server = try await LoopbackServer.start { _ in }
        await server.stop()
        let user = PercentEncoding.encodeValue(Self.secret("proxy's user in its URL"))
        let password = PercentEncoding.encodeValue(Self.secret("proxy's password in its URL"))
        let certificate = TLSOptions.ClientCertificate.pem(
            "/nonexistent/client.pem", keyFile: "/nonexistent/key.pem", passphrase: Self.secret("passphrase of a certificate"))
        let all: [CurlTransport.Options] = [
            .init(proxy: .url("http://\(user):\(password)@127.0.0.1:\(server.port)")),
            .init(
                proxy: .url(
                    "http://127.0.0.1:\(server.port)", user: Self.secret("proxy's user"), password: Self.secret("proxy's password"))),
            .init(proxy: .url("http://\(user):\(password)@[")), .init(tls: TLSOptions(clientCertificate: certificate), proxy: .none),
        ]
        for options in all {
            let shown = Shown()
            let (recorder, interceptors, flush) = stack(shown)
            let client = TestClient(options, interceptors: interceptors)
            let error = try #require(await client.data(for: Call(baseURL: url("https://nowhere.invalid"))).failure)
            shown.add("error", everythingShown(of: error))
            shown.add("options", everythingShown(of: options))
            await flush()
            shown.add("archive", String(decoding: recorder.archive.json, as: UTF8.self))
            check(shown, "over the wire")
        }
    }
}
