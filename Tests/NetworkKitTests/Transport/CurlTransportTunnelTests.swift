import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

@Suite("CurlTransport: proxies and TLS", .enabled(if: NginxServer.isInstalled, "needs nginx and openssl"), .nginx)
struct CurlTransportTunnelTests {
    @Test("https goes through a proxy by CONNECT; the proxy gets its credentials, and the server sees nothing of them")
    func tunnel() async throws {
        let server = try NginxServer.current
        let proxy = try TunnelProxy()
        defer { proxy.stop() }
        let tls = TLSOptions(authorityFile: server.authorityFile, pins: [try server.authority.pin("server")])
        let client = TestClient(.init(tls: tls, proxy: .url("http://127.0.0.1:\(proxy.port)", user: "user", password: "s3cret")))
        let id = UUID().uuidString
        for _ in 0..<2 { #expect(try await client.text(server.call(.good, ["id": id])) == "hello over TLS") }
        #expect(proxy.heads.count == 1)
        #expect(proxy.heads[0].contains("Proxy-Authorization: Basic " + Data("user:s3cret".utf8).base64EncodedString()))
        let requests = try server.requests(with: id)
        #expect(requests.count == 2 && requests.allSatisfy { $0.contains("proxy=\"-\"") })
    }

    @Test("Behind a proxy a server is trusted as without one: pins and authorities hold")
    func trust() async throws {
        let server = try NginxServer.current
        let proxy = try TunnelProxy()
        defer { proxy.stop() }
        for tls in [TLSOptions(), TLSOptions(authorityFile: server.authorityFile, pins: [try server.authority.pin("otherName")])] {
            let id = UUID().uuidString
            let client = TestClient(.init(tls: tls, proxy: .url("http://127.0.0.1:\(proxy.port)")))
            #expect(try connectionFailure(of: await client.data(for: try server.call(.good, ["id": id]))).kind == .tls)
            #expect(try server.requests(with: id).isEmpty)
        }
    }

    @Test("A proxy that speaks TLS itself is trusted by the same authority file, and not without it; pins are for servers")
    func tlsProxy() async throws {
        let server = try NginxServer.current
        // nginx takes a request for another server as one for itself: here it stands for a proxy.
        let proxy = CurlTransport.Options.Proxy.url("https://localhost:\(server.port(.good))", user: "user", password: "s3cret")
        let tls = TLSOptions(authorityFile: server.authorityFile, pins: [try server.authority.pin("otherName")])
        let id = UUID().uuidString
        let call = Call(baseURL: try #require(URL(string: "http://far.invalid")), path: "hello", query: ["id": id])
        #expect(try await TestClient(.init(tls: tls, proxy: proxy)).text(call) == "hello over TLS")
        let failure = try connectionFailure(of: await TestClient(.init(proxy: proxy)).data(for: call))
        #expect(failure.kind == .tls && failure.reason.contains("TLS with the proxy https://localhost:\(server.port(.good)) failed"))
        #expect(!failure.reason.contains("s3cret"))
        #expect(try server.requests(with: id).count == 1)
    }
}
