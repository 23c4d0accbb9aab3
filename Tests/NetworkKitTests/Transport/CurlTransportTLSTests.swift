import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

extension OneAtATime {
    @Suite(
        "CurlTransport: TLS and HTTP/2", .enabled(if: NginxServer.isInstalled, "needs nginx and openssl"), .serialized)
    struct CurlTransportTLSTests {
        private func withServer(_ body: (NginxServer) async throws -> Void) async throws {
            let server = try NginxServer()
            defer { server.stop() }
            try await body(server)
        }

        private func call(_ server: NginxServer, host: String = "localhost") throws -> Call {
            Call(baseURL: try #require(URL(string: "https://\(host):\(server.httpsPort)")), path: "hello")
        }

        @Test(
            "An authority of one's own is trusted by option; HTTP/2 is spoken where the server offers it, and many requests share a connection"
        )
        func ownAuthority() async throws {
            try await withServer { server in
                let client = TestClient(.init(tls: TLSOptions(authorityFile: server.authorityFile), proxy: .none))
                let call = try call(server)
                let reply = try await client.reply(endpoint: call, responseModel: String.self).get()
                #expect(reply.value == "hello over TLS")
                #expect(reply.metrics.version == HTTPVersion(major: 2, minor: 0))
                #expect(reply.metrics.tls != nil)
                // nginx takes 128 streams on a connection.
                let replies = await withTaskGroup(of: Reply<String>?.self) { group in
                    for _ in 0..<200 { group.addTask { try? await client.reply(endpoint: call, responseModel: String.self).get() } }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                #expect(replies.allSatisfy { $0?.value == "hello over TLS" })
                #expect(replies.count { $0?.metrics.isConnectionReused == false } <= 4)
            }
        }

        @Test("HTTP/1.1 is spoken where HTTP/2 is switched off")
        func http1() async throws {
            try await withServer { server in
                let client = TestClient(.init(tls: TLSOptions(authorityFile: server.authorityFile), proxy: .none, offersHTTP2: false))
                let reply = try await client.reply(endpoint: try call(server, host: "127.0.0.1"), responseModel: String.self).get()
                #expect(reply.metrics.version == HTTPVersion(major: 1, minor: 1))
            }
        }

        @Test("A certificate of an unknown authority, an authority file that isn't there, and TLS to a plain port: tls, with the reason")
        func untrusted() async throws {
            try await withServer { server in
                let plain = Call(baseURL: try #require(URL(string: "https://localhost:\(server.httpPort)")), path: "hello")
                let cases = [
                    (TLSOptions(), try call(server)),
                    (TLSOptions(authorityFile: server.folder.appending(path: "none").path), try call(server)),
                    (TLSOptions(authorityFile: server.authorityFile), plain),
                ]
                for (tls, call) in cases {
                    let failure = await TestClient(.init(tls: tls, proxy: .none)).data(for: call).failure
                    guard case .connection(let details) = failure else { return #expect(Bool(false), "\(String(describing: failure))") }
                    #expect(details.kind == .tls)
                    #expect(details.reason.count > 10)
                    #expect(failure?.isRetryable == false)
                }
            }
        }
    }
}
