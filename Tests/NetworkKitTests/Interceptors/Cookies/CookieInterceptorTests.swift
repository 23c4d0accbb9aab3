import Foundation
import NetworkKitTesting
import Testing

@testable import NetworkKit

@Suite("Sending and storing cookies")
struct CookieInterceptorTests {
    private static let cacheTable: [(RequestMetrics.CacheUse?, Bool)] = [
        (nil, true), (.miss, true), (.revalidated, true), (.hit, false), (RequestMetrics.CacheUse.stale, false),
    ]

    private static let ownTable: [([String], String)] = [
        (["x=9"], "x=9; a=1; b=2"), (["a=9"], "a=9; b=2"), ([" b=9; a=8 "], "b=9; a=8"), (["x=9", "y=8"], "x=9; y=8; a=1; b=2"),
        ([""], "a=1; b=2"), (["bare"], "bare; a=1; b=2"), (["a"], "a; a=1; b=2"), (["A=9"], "A=9; a=1; b=2"),
    ]

    /// Says of an answer how a cache took part in it, as a cache further in does.
    private struct CacheMark: Interceptor {
        let use: RequestMetrics.CacheUse?
        func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
            var response = try await next(request)
            response.metrics.cache = use
            return response
        }
    }

    private let clock = TestClock()
    private let jar = CookieJar()

    private func send(
        _ text: String = "https://example.com/", headers: HTTPFields = [:], to stub: StubTransport, through more: any Interceptor...
    ) async throws(RequestError) -> HTTPResponse {
        let request = HTTPRequest(url: url(text), headers: headers, context: CallContext(clock: clock))
        return try await Next(interceptors: [.redirects(), .cookies(jar)] + more, transport: stub)(request)
    }

    @Test("What an answer sets is sent with the next request, in one field")
    func story() async throws {
        let stub = StubTransport(.status(200, headers: ["Set-Cookie": ["a=1", "b=2; Path=/x", "c=3; Domain=example.org"]]), .status(200))
        _ = try await send(to: stub)
        _ = try await send("https://example.com/x", to: stub)
        _ = try await send("https://www.example.com/", to: stub)
        #expect(stub.requests.map { $0.headers[values: .cookie] } == [[], ["b=2; a=1"], []])
    }

    @Test("Max-Age counts by the session's clock")
    func time() async throws {
        let stub = StubTransport(.status(200, headers: ["Set-Cookie": "a=1; Max-Age=60"]), .status(200))
        _ = try await send(to: stub)
        clock.advance(by: .seconds(59))
        _ = try await send(to: stub)
        clock.advance(by: .seconds(1))
        _ = try await send(to: stub)
        #expect(stub.requests.map { $0.headers[.cookie] } == [nil, "a=1", nil])
    }

    @Test("Cookies of a redirect are stored, and each hop has those of where it goes")
    func redirects() async throws {
        let stub = StubTransport {
            $0.any("https://a.test/login", .redirect(to: "/home").adding(["Set-Cookie": "sid=1"]))
            $0.any("https://a.test/home", .redirect(to: "https://b.test/").adding(["Set-Cookie": "seen=1"]))
            $0.any("https://b.test/", .status(200))
        }
        jar.store("own=b", from: "https://b.test/")
        _ = try await send("https://a.test/login", to: stub)
        #expect(stub.requests.map { $0.headers[.cookie] } == [nil, "sid=1", "own=b"])
        #expect(jar.sent(to: "https://a.test/") == "sid=1; seen=1")
    }

    @Test("In front of redirects, cookies are stored for the URL that answered, not for the one that was asked")
    func inFrontOfRedirects() async throws {
        let stub = StubTransport {
            $0.any("https://a.test/", .redirect(to: "http://b.test/home/x"))
            $0.any("http://b.test/home/x", .status(200, headers: ["Set-Cookie": ["sid=evil", "safe=1; Secure", "up=1; Domain=a.test"]]))
        }
        let request = HTTPRequest(url: url("https://a.test/"), context: CallContext(clock: clock))
        let policy = RedirectPolicy(allowsInsecure: true)
        _ = try await Next(interceptors: [.cookies(jar), .redirects(policy)], transport: stub)(request)
        #expect(jar.sent(to: "https://a.test/") == "")
        #expect(jar.sent(to: "http://b.test/home/y") == "sid=evil" && jar.sent(to: "http://b.test/") == "")
    }

    @Test("A redirect home carries the jar's cookies, though the endpoint's own are gone for good")
    func redirectHome() async throws {
        let stub = StubTransport(redirects: ["https://a.test/1": "https://b.test/2", "https://b.test/2": "https://a.test/3"])
        jar.store("jar=1", from: "https://a.test/")
        _ = try await send("https://a.test/1", headers: ["Cookie": "own=1"], to: stub)
        #expect(stub.requests.map { $0.headers[.cookie] } == ["own=1; jar=1", nil, "jar=1"])
    }

    @Test(
        "The endpoint's own cookies come first, and win over the jar's of the same name",
        arguments: ownTable)
    func ownCookies(own: [String], sent: String) async throws {
        jar.store("a=1", "b=2", from: "https://example.com/")
        let stub = StubTransport(.status(200))
        _ = try await send(headers: HTTPFields(own.map { HTTPField(name: .cookie, value: $0) }), to: stub)
        #expect(stub.requests.first?.headers[values: .cookie].map { $0.trimmingSpaces() } == [sent])
        #expect(stub.requests.first?.headers.first { $0.name == .cookie }?.isSecret == true)
    }

    @Test("An endpoint's own cookies go out as they are when the jar has none")
    func ownCookiesAlone() async throws {
        let stub = StubTransport(.status(200))
        _ = try await send(headers: ["Cookie": "own=1"], to: stub)
        #expect(stub.requests.first?.headers[values: .cookie] == ["own=1"])
        #expect(jar.all.isEmpty)
    }

    @Test("Cookies of interim answers are none")
    func interim() async throws {
        let stub = StubTransport(.status(200).interim(103, ["Set-Cookie": "a=1"]))
        #expect(try await send(to: stub).interim.count == 1)
        #expect(jar.all.isEmpty)
    }

    @Test(
        "A cached answer's cookies are ignored",
        arguments: cacheTable)
    func cached(use: RequestMetrics.CacheUse?, isStored: Bool) async throws {
        let stub = StubTransport(.status(200, headers: ["Set-Cookie": "a=1"]))
        _ = try await send(to: stub, through: CacheMark(use: use))
        #expect(jar.all.isEmpty != isStored)
    }

    @Test("A cookie that was removed meanwhile isn't brought back by a cached answer")
    func cachedLogin() async throws {
        let stub = StubTransport(.status(200, headers: ["Set-Cookie": "sid=1"]))
        _ = try await send(to: stub, through: CacheMark(use: .miss))
        jar.removeAll()
        _ = try await send(to: stub, through: CacheMark(use: .hit))
        #expect(jar.all.isEmpty)
    }

    @Test("Answers of any status set cookies", arguments: [204, 304, 401, 404, 500])
    func statuses(code: Int) async throws {
        let stub = StubTransport(.status(HTTPStatus(code), headers: ["Set-Cookie": "a=1"]))
        _ = try await send(to: stub)
        #expect(jar.all.map(\.name) == ["a"])
    }

    @Test("An answer with a cookie of 1 MiB is an answer as any other, and the cookie isn't stored")
    func mebibyte() async throws {
        let big = "big=" + String(repeating: "x", count: 1 << 20)
        let stub = StubTransport(.text("fine", headers: ["Set-Cookie": [big, "small=1"]]), .text("fine"))
        for _ in 0..<2 { #expect(try await send(to: stub).body.collect(upTo: 100) == Data("fine".utf8)) }
        #expect(stub.requests.last?.headers[.cookie] == "small=1")
        #expect(jar.all.map(\.name) == ["small"])
    }

    @Test("The jar's cookies are masked wherever the call is shown")
    func secrets() async throws {
        jar.store("sid=opensesame", from: "https://example.com/")
        let stub = StubTransport { $0.fallback { request in .failure(.connection(.init(reason: "no \(request.headers[.cookie] ?? "")"))) } }
        let error = await failure { () async throws(RequestError) in try await self.send(to: stub) }
        #expect(stub.requests.first?.headers[.cookie] == "sid=opensesame")
        #expect(!everythingShown(of: error as Any).contains("opensesame") && "\(error as Any)".contains("***"))
        #expect(!everythingShown(of: stub.requests as Any).contains("opensesame"))
    }

    @Test("A session without the interceptor has no cookies, and two sessions with one jar share them")
    func optIn() async throws {
        let stub = StubTransport(.status(200, headers: ["Set-Cookie": "a=1"]))
        func call(_ interceptors: [any Interceptor]) async throws {
            let client = NetworkClient(session: HTTPSession(transport: stub, interceptors: interceptors, clock: clock))
            _ = try await client.response(for: SampleEndpoint()).get()
        }
        for _ in 0..<2 { try await call([]) }
        for _ in 0..<2 { try await call([.cookies()]) }
        #expect(stub.requests.allSatisfy { !$0.headers.contains(.cookie) })
        for _ in 0..<2 { try await call([.cookies(jar)]) }
        #expect(stub.requests.last?.headers[.cookie] == "a=1")
    }

    @Test("Redirects stand outside of cookies in a list that doesn't name them")
    func redirectsOutside() async throws {
        let stub = StubTransport {
            $0.any("https://api.example.com/a", .redirect(to: "/b").adding(["Set-Cookie": "sid=1"]))
            $0.any("https://api.example.com/b", .status(200))
        }
        let session = HTTPSession(transport: stub, interceptors: [.cookies(jar)], clock: clock)
        _ = try await NetworkClient(session: session).data(for: SampleEndpoint(path: "a")).get()
        #expect(stub.requests.last?.headers[.cookie] == "sid=1")
    }

    @Test("It says how many cookies it would send, and no more")
    func describing() {
        let request = HTTPRequest(url: url("https://example.com/"), context: CallContext(clock: clock))
        #expect(CookieInterceptor(jar: jar).describe(request) == "has no cookies for it")
        jar.store("sid=opensesame", from: "https://example.com/")
        let before = jar.all
        clock.advance(by: .seconds(1))
        #expect(CookieInterceptor(jar: jar).describe(request) == "sends a cookie")
        #expect(jar.all == before)
        jar.store("b=2", from: "https://example.com/")
        #expect(CookieInterceptor(jar: jar).describe(request) == "sends 2 cookies")
    }
}
