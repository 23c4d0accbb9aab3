import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

@Suite("CurlTransport: proxies")
struct CurlTransportProxyTests {
    /// Asks for a host that exists nowhere, so that only a proxy can answer; says whether it did.
    static func reachesProxy(host: String, _ variables: [String: String]) async throws -> Bool {
        for name in ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"] { unsetenv(name) }
        return try await LoopbackServer.with { routes in
            routes.fallback { _ in .text("by proxy") }
        } perform: { proxy in
            for (name, value) in variables { setenv(name, value.replacing("PROXY", with: "http://127.0.0.1:\(proxy.port)"), 1) }
            let call = Call(baseURL: try #require(URL(string: "http://\(host)/")), options: .init(timeout: .milliseconds(500)))
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
            ]
            for (host, variables, usesProxy) in cases {
                let reached = try await CurlTransportProxyTests.reachesProxy(host: host, variables)
                #expect(reached == usesProxy, "\(host) with \(variables)")
            }
        }
    }

    @Test("A proxy's credentials are in no description")
    func descriptions() {
        let options = CurlTransport.Options(proxy: .url("http://user:s3cret@proxy.example:3128"))
        for text in ["\(options)", "\(options.proxy)", String(reflecting: options.proxy), dumped(options)] {
            #expect(!text.contains("s3cret"))
        }
        #expect("\(options.proxy)".contains("proxy.example:3128"))
    }

    private func dumped(_ value: some Any) -> String {
        var text = ""
        dump(value, to: &text)
        return text
    }
}
