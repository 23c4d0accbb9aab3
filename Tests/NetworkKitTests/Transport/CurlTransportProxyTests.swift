import NetworkKit
import NetworkKitTesting
import PlatformBase
import TestSupport
import Testing

@Suite("CurlTransport: proxies")
struct CurlTransportProxyTests {
    /// Asks for a host that exists nowhere, so that only a proxy can answer; says whether it did.
    static func reachesProxy(host: String, _ variables: [String: String], within timeout: Duration) async throws -> Bool {
        for name in ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"] { unsetenv(name) }
        return try await LoopbackServer.with { routes in
            routes.fallback { _ in .text("by proxy") }
        } perform: { proxy in
            for (name, value) in variables { setenv(name, value.replacing("PROXY", with: "http://127.0.0.1:\(proxy.port)"), 1) }
            let call = Call(baseURL: try #require(URL(string: "http://\(host)/")), options: .init(timeout: timeout))
            let text = try? await TestClient(.init(proxy: .environment)).text(call)
            return text == "by proxy"
        }
    }

    // In a process of its own: the environment belongs to all of it.
    @Test("B80: the environment's proxy is used but for what no_proxy names, at label boundaries; HTTP_PROXY is nobody's")
    func environment() async {
        await #expect(processExitsWith: .success) {
            typealias Case = (host: String, variables: [String: String], usesProxy: Bool)
            let cases: [Case] = [
                ("a.invalid", ["http_proxy": "PROXY"], true),
                ("a.invalid", ["all_proxy": "PROXY"], true),
                ("a.invalid", ["HTTP_PROXY": "PROXY"], false),
                ("a.invalid", [:], false),
                ("a.invalid", ["http_proxy": "PROXY", "no_proxy": "*"], false),
                ("a.invalid", ["http_proxy": "PROXY", "no_proxy": "invalid"], false),
                ("a.invalid", ["http_proxy": "PROXY", "NO_PROXY": " .invalid , x"], false),
                ("ainvalid.test", ["http_proxy": "PROXY", "no_proxy": "invalid.test"], true),
                ("a.invalid", ["http_proxy": "PROXY", "no_proxy": "localhost,127.0.0.1"], true),
                ("127.77.7.7", ["http_proxy": "PROXY", "no_proxy": "127.77.7.7"], false),
                ("127.77.7.7", ["http_proxy": "PROXY", "no_proxy": "127.0.0.0/8"], false),
                ("127.77.7.7", ["http_proxy": "PROXY", "no_proxy": "10.0.0.0/8"], true),
            ]
            for (host, variables, usesProxy) in cases {
                let reached = try await CurlTransportProxyTests.reachesProxy(
                    host: host, variables, within: usesProxy ? .seconds(60) : .milliseconds(500))
                #expect(reached == usesProxy, "\(host) with \(variables)")
            }
        }
    }

    @Test("The environment's proxy that can't be used is named, and its credentials aren't shown")
    func brokenEnvironment() async {
        await #expect(processExitsWith: .success) {
            for name in ["http_proxy", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"] { unsetenv(name) }
            let call = Call(baseURL: try #require(URL(string: "http://far.invalid/")))
            for proxy in [
                "gopher://user:s3cret@h:1", "http://us er:s3cret@h:1", "http://user:s3cret@127.0.0.1:1", "user:s3cret@no.invalid:1",
            ] {
                setenv("http_proxy", proxy, 1)
                let result = await TestClient(.init()).data(for: call)
                let failure = try connectionFailure(of: result)
                #expect(failure.kind == .proxy && failure.reason.contains("the proxy that the environment names"), "\(failure.reason)")
                #expect(!failure.reason.contains("s3cret") && !CurlTransportProxyTests.everythingShown(of: result).contains("s3cret"))
            }
        }
    }

    @Test("https_proxy is the environment's proxy for https, with its credentials; http_proxy is none for it")
    func environmentForHTTPS() async {
        await #expect(processExitsWith: .success) {
            for name in ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"] { unsetenv(name) }
            let proxy = try TunnelProxy { _ in "403 Forbidden" }
            defer { proxy.stop() }
            let call = Call(baseURL: try #require(URL(string: "https://far.invalid/")))
            setenv("http_proxy", "http://127.0.0.1:\(proxy.port)", 1)
            let direct = try connectionFailure(of: await TestClient(.init()).data(for: call))
            #expect(direct.kind == .nameLookup)
            setenv("https_proxy", "http://user:s3cret@127.0.0.1:\(proxy.port)", 1)
            let failure = try connectionFailure(of: await TestClient(.init()).data(for: call))
            #expect(failure.kind == .proxy && failure.reason.contains("the proxy that the environment names answered 403"))
            #expect(!failure.reason.contains("s3cret"))
            let credentials = Data("user:s3cret".utf8).base64EncodedString()
            #expect(proxy.heads.count == 1 && proxy.heads[0].contains("Proxy-Authorization: Basic \(credentials)"))
        }
    }

    // MARK: By option

    /// A call that only a proxy can answer.
    private func farCall() throws -> Call { Call(baseURL: try #require(URL(string: "http://far.invalid/a"))) }

    @Test("Credentials of a proxy come decoded from its URL, or as they are beside it, and go out as Basic")
    func credentials() async throws {
        try await LoopbackServer.with { routes in
            routes.fallback { request in .text(request.target) }
        } perform: { proxy in
            let address = "127.0.0.1:\(proxy.port)"
            let proxies: [CurlTransport.Options.Proxy] = [
                .url("http://us%65r:p%40ss%25%3A@\(address)"), .url("http://\(address)", user: "user", password: "p@ss%:"),
            ]
            for proxy in proxies {
                let text = try await TestClient(.init(proxy: proxy)).text(farCall())
                #expect(text == "http://far.invalid/a")
            }
            let expected = "Basic " + Data("user:p@ss%:".utf8).base64EncodedString()
            #expect(proxy.requests.map { $0.headers[.proxyAuthorization] } == [expected, expected])
        }
    }

    @Test("Wrong credentials for a proxy are its 407, which an http request gets as an answer; none of them is shown")
    func wrongCredentials() async throws {
        try await LoopbackServer.with { routes in
            routes.fallback { request in
                let isKnown = request.headers[.proxyAuthorization] == "Basic " + Data("user:right".utf8).base64EncodedString()
                return isKnown ? .text("in") : .status(407, headers: ["Proxy-Authenticate": "Basic realm=test"])
            }
        } perform: { proxy in
            let url = "http://127.0.0.1:\(proxy.port)"
            let text = try await TestClient(.init(proxy: .url(url, user: "user", password: "right"))).text(farCall())
            #expect(text == "in")
            let result = await TestClient(.init(proxy: .url(url, user: "user", password: "s3cret"))).data(for: try farCall())
            #expect(result.failure?.statusCode == 407)
            #expect(!Self.everythingShown(of: result).contains("s3cret"))
            #expect(proxy.requestCount == 2)
        }
    }

    @Test("What is excepted from a proxy is asked directly, and sees nothing of its credentials; the environment's no_proxy doesn't count")
    func exceptions() async throws {
        await #expect(processExitsWith: .success) {
            setenv("no_proxy", "*", 1)
            try await LoopbackServer.with { routes in
                routes.fallback { _ in .text("direct") }
            } perform: { origin in
                try await LoopbackServer.with { routes in
                    routes.fallback { _ in .text("by proxy") }
                } perform: { proxy in
                    let url = "http://user:s3cret@127.0.0.1:\(proxy.port)"
                    let cases: [([String], String)] = [
                        ([], "by proxy"), (["127.0.0.1"], "direct"), (["127.0.0.0/8"], "direct"), (["example.com", "127.0.0.1"], "direct"),
                        (["*"], "direct"), (["27.0.0.1"], "by proxy"),
                    ]
                    for (except, answer) in cases {
                        let text = try await TestClient(.init(proxy: .url(url, except: except))).text(origin.call())
                        #expect(text == answer, "\(except)")
                    }
                    #expect(origin.requestCount == 4)
                    #expect(origin.requests.allSatisfy { !$0.headers.contains(.proxyAuthorization) })
                }
            }
        }
    }

    @Test("A proxy that nobody is at: proxy, with its address and without its credentials")
    func unreachable() async throws {
        let port = try LoopbackSocket.freePort()
        for scheme in ["http", "https"] {
            let call = Call(baseURL: try #require(URL(string: "\(scheme)://far.invalid/")))
            let result = await TestClient(.init(proxy: .url("http://user:s3cret@127.0.0.1:\(port)"))).data(for: call)
            let failure = try connectionFailure(of: result)
            #expect(
                failure.kind == .proxy && failure.reason.contains("the proxy http://127.0.0.1:\(port) can't be used"), "\(failure.reason)")
            #expect(failure.reason.contains("nobody listens there"), "\(failure.reason)")
            #expect(!Self.everythingShown(of: result).contains("s3cret"))
        }
    }

    @Test("A proxy that refuses CONNECT with 403 or 407: proxy, with its status and what to do, and nothing of the request was sent")
    func refusesTunnel() async throws {
        let right = "Basic " + Data("user:right".utf8).base64EncodedString()
        let proxy = try TunnelProxy { head in
            head.contains("forbidden.invalid") ? "403 Forbidden" : head.contains(right) ? "502 Bad Gateway" : "407 Who Are You"
        }
        defer { proxy.stop() }
        let url = "http://127.0.0.1:\(proxy.port)"
        let cases: [(CurlTransport.Options.Proxy, String, String)] = [
            (.url(url), "far.invalid", "answered 407 to CONNECT far.invalid:443: it demands credentials; give them"),
            (
                .url(url, user: "user", password: "s3cret"), "far.invalid",
                "answered 407 to CONNECT far.invalid:443: it doesn't accept the credentials"
            ),
            (.url(url), "forbidden.invalid", "answered 403 to CONNECT forbidden.invalid:443: it doesn't let this request through"),
            (.url(url, user: "user", password: "right"), "far.invalid", "answered 502"),
        ]
        for (choice, host, words) in cases {
            let call = Call(
                baseURL: try #require(URL(string: "https://\(host)/")), path: "hidden", method: HTTPMethod.post,
                headers: ["X-Own": "hidden"],
                body: .data(Data("hidden".utf8)))
            let result = await TestClient(.init(proxy: choice)).data(for: call)
            let failure = try connectionFailure(of: result)
            #expect(failure.kind == .proxy && failure.reason.contains(words), "\(failure.reason)")
            #expect(!Self.everythingShown(of: result).contains("s3cret"))
        }
        #expect(proxy.heads.count == cases.count)
        #expect(proxy.heads.allSatisfy { $0.hasPrefix("CONNECT ") && !$0.contains("hidden") })
    }

    @Test("A proxy, or a server of TLS, that takes the connection and says nothing ends in timedOut")
    func silent() async throws {
        let (listener, port) = try LoopbackSocket.bound()
        defer { close(listener) }
        #expect(listen(listener, 16) == 0)
        let cases: [(CurlTransport.Options.Proxy, String)] = [
            (.url("http://127.0.0.1:\(port)"), "https://far.invalid/"), (.url("https://127.0.0.1:\(port)"), "http://far.invalid/"),
            (.none, "https://127.0.0.1:\(port)/"),
        ]
        for (proxy, url) in cases {
            let call = Call(baseURL: try #require(URL(string: url)), options: .init(timeout: .milliseconds(100)))
            guard case .timedOut = await TestClient(.init(proxy: proxy)).data(for: call).failure else { return #expect(Bool(false)) }
        }
    }

    private static func everythingShown(of value: some Any) -> String { "\(value) \(String(reflecting: value)) " + dumped(value) }

    @Test("A proxy's credentials are in no description")
    func descriptions() {
        let proxies: [CurlTransport.Options.Proxy] = [
            .url("http://user:s3cret@proxy.example:3128"), .url("http://proxy.example:3128", user: "user", password: "s3cret"),
        ]
        for proxy in proxies {
            let options = CurlTransport.Options(proxy: proxy)
            for value in [options, proxy, CurlTransport(options)] as [Any] { #expect(!Self.everythingShown(of: value).contains("s3cret")) }
            #expect("\(proxy)" == "http://proxy.example:3128")
        }
    }

    private static func dumped(_ value: some Any) -> String {
        var text = ""
        dump(value, to: &text)
        return text
    }
}
