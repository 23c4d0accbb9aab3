import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

@Suite("CurlTransport: TLS and HTTP/2", .enabled(if: NginxServer.isInstalled, "needs nginx and openssl"), .nginx)
struct CurlTransportTLSTests {
    private func client(_ tls: TLSOptions? = nil, offersHTTP2: Bool = true) throws -> TestClient {
        let tls = try tls ?? TLSOptions(authorityFile: NginxServer.current.authorityFile)
        return TestClient(.init(tls: tls, proxy: .none, offersHTTP2: offersHTTP2))
    }

    /// The reason of a call that must fail for its TLS, before its request is sent.
    private func refusal(
        _ tls: TLSOptions? = nil, by site: NginxServer.Site, host: String = "localhost", sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> String {
        let server = try NginxServer.current
        let id = UUID().uuidString
        let result = try await client(tls).data(for: server.call(site, host: host, ["id": id]))
        let failure = try connectionFailure(of: result, sourceLocation: sourceLocation)
        #expect(failure.kind == .tls, sourceLocation: sourceLocation)
        #expect(failure.reason.contains("\(host):\(server.port(site))"), "\(failure.reason)", sourceLocation: sourceLocation)
        #expect(result.failure?.isRetryable == false, sourceLocation: sourceLocation)
        #expect(try server.requests(with: id).isEmpty, sourceLocation: sourceLocation)
        return failure.reason
    }

    @Test(
        "An authority of one's own is trusted by option; HTTP/2 is spoken where the server offers it, and many requests share a connection"
    )
    func ownAuthority() async throws {
        let client = try client()
        let call = try NginxServer.current.call()
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

    @Test("Over HTTP/2 a body that would wait for the server goes out, and the server answers")
    func expectContinue() async throws {
        let client = try client()
        var call = try NginxServer.current.call()
        // It knows the protocol by then.
        _ = try await client.reply(endpoint: call, responseModel: String.self).get()
        call.method = HTTPMethod.post
        call.body = .stream(HeardChunks("hello"))
        call.options.expectContinueTimeout = .seconds(50)
        let response = try await client.response(for: call).get()
        #expect(response.status == 405 && response.metrics.version == HTTPVersion(major: 2, minor: 0))
    }

    @Test("HTTP/1.1 is spoken where HTTP/2 is switched off")
    func http1() async throws {
        let call = try NginxServer.current.call(host: "127.0.0.1")
        let reply = try await client(offersHTTP2: false).reply(endpoint: call, responseModel: String.self).get()
        #expect(reply.metrics.version == HTTPVersion(major: 1, minor: 1))
    }

    @Test("A certificate of an unknown authority, an authority file that isn't there, and TLS to a plain port: tls, with the reason")
    func untrusted() async throws {
        let server = try NginxServer.current
        #expect(try await refusal(TLSOptions(), by: .good).contains("no authority that is trusted here"))
        let plain = Call(baseURL: try #require(URL(string: "https://localhost:\(server.httpPort)")), path: "hello")
        let failure = try connectionFailure(of: try await client().data(for: plain))
        #expect(failure.kind == .tls && failure.reason.contains("doesn't speak TLS"), "\(failure.reason)")
        let missing = server.authority.file("none.pem")
        let file = try connectionFailure(of: try await client(TLSOptions(authorityFile: missing)).data(for: server.call()))
        #expect(file.kind == .tls && file.reason.contains("none.pem") && file.reason.contains("No such file"), "\(file.reason)")
    }

    @Test("An authority file that is no PEM, is damaged, empty or a folder: tls, and nothing is connected to")
    func badAuthorityFiles() async throws {
        let authority = try NginxServer.current.authority
        try authority.openssl("x509", "-in", "ca.pem", "-outform", "der", "-out", "ca.der")
        let whole = try String(contentsOfFile: authority.authorityFile, encoding: .utf8)
        let files = [
            (authority.file("ca.der"), "no certificate in PEM"), (try authority.write("", to: "empty.pem"), "no certificate in PEM"),
            (try authority.write(String(whole.dropLast(60)), to: "cut.pem"), "damaged or cut off"),
            (authority.folder.path, "no regular file"),
            (authority.file("ca.key"), "no certificate in PEM"), ("", "no name"),
        ]
        try await LoopbackServer.with { _ in
        } perform: { server in
            let url = try #require(URL(string: "https://127.0.0.1:\(server.port)"))
            for (file, why) in files {
                let failure = try connectionFailure(of: try await client(TLSOptions(authorityFile: file)).data(for: Call(baseURL: url)))
                #expect(failure.kind == .tls && failure.reason.contains(why), "\(failure.reason)")
            }
            #expect(server.connectionCount == 0)
        }
    }

    @Test("An authority file that comes later is taken then")
    func laterFile() async throws {
        let server = try NginxServer.current
        let late = server.authority.file("late-\(UUID().uuidString).pem")
        let client = try client(TLSOptions(authorityFile: late))
        _ = try connectionFailure(of: await client.data(for: server.call()))
        try FileManager.default.copyItem(atPath: server.authorityFile, toPath: late)
        #expect(try await client.text(server.call()) == "hello over TLS")
    }

    @Test("A certificate that has expired is refused before the request is sent")
    func expired() async throws {
        #expect(try await refusal(by: .expired).contains("has expired"))
    }

    @Test("A certificate that vouches for itself is refused before the request is sent, and taken where it is named as an authority")
    func selfSigned() async throws {
        #expect(try await refusal(by: .selfSigned).contains("self-signed"))
        let server = try NginxServer.current
        let client = try client(TLSOptions(authorityFile: server.authority.file("selfSigned.pem")))
        #expect(try await client.text(server.call(.selfSigned)) == "hello over TLS")
    }

    @Test("A certificate for another name is refused before the request is sent")
    func wrongName() async throws {
        #expect(try await refusal(by: .otherName).contains("for other names than localhost"))
        #expect(try await refusal(by: .otherName, host: "127.0.0.1").contains("for other names than 127.0.0.1"))
    }

    @Test("A server whose highest version of TLS is below the lowest that is spoken is refused before the request is sent")
    func versionTooLow() async throws {
        let authority = try NginxServer.current.authorityFile
        let needs13 = TLSOptions(authorityFile: authority, minimumVersion: .v1_3)
        #expect(try await refusal(needs13, by: .tls12Only).contains("no version of TLS"))
        #expect(try await client(needs13).text(NginxServer.current.call()) == "hello over TLS")
        #expect(try await client().text(NginxServer.current.call(.tls12Only)) == "hello over TLS")
        #expect(try await refusal(by: .tls11Only).contains("no version of TLS"))
    }

    @Test("A server whose key is pinned is talked to, whether it is the one pin or one of several")
    func pinned() async throws {
        let server = try NginxServer.current
        let (own, other) = (try server.authority.pin("server"), try server.authority.pin("otherName"))
        for pins in [[own], [other, own], [own, other]] {
            let client = try client(TLSOptions(authorityFile: server.authorityFile, pins: pins))
            #expect(try await client.text(server.call()) == "hello over TLS")
            #expect(try await client.text(server.call(host: "127.0.0.1")) == "hello over TLS")
        }
    }

    @Test(
        "A server whose key isn't pinned is refused before the request is sent, by whatever name and though its authority's key is pinned")
    func notPinned() async throws {
        let authority = try NginxServer.current.authority
        let pins = [try authority.pin("ca"), try authority.pin("otherName")]
        let tls = TLSOptions(authorityFile: authority.authorityFile, pins: pins)
        for host in ["localhost", "127.0.0.1"] {
            #expect(try await refusal(tls, by: .good, host: host).contains("none of the 2 that are pinned"))
        }
        let one = TLSOptions(authorityFile: authority.authorityFile, pins: [pins[0]])
        #expect(try await refusal(one, by: .good).contains("not the one that is pinned"))
    }

    @Test("A pin doesn't make up for a certificate that isn't trusted")
    func pinAlone() async throws {
        let pins = [try NginxServer.current.authority.pin("server")]
        #expect(try await refusal(TLSOptions(pins: pins), by: .good).contains("no authority that is trusted here"))
    }

    @Test("B79: a malformed pin fails every request, and nothing is connected to; a redirect to a host that isn't pinned is refused")
    func malformedPin() async throws {
        let server = try NginxServer.current
        let pin = try server.authority.pin("server")
        try await LoopbackServer.with { routes in
            routes.get("/away") { _ in .status(302, headers: ["Location": "https://localhost:\(server.port(.otherName))/hello"]) }
        } perform: { loopback in
            let plain = try client(TLSOptions(authorityFile: server.authorityFile, pins: [pin]))
            let redirected = try connectionFailure(of: await plain.data(for: loopback.call("away")))
            #expect(redirected.kind == .tls)
            let broken = try client(TLSOptions(authorityFile: server.authorityFile, pins: [pin, "https://localhost"]))
            for call in [loopback.call("away"), try server.call()] {
                let failure = try connectionFailure(of: await broken.data(for: call))
                #expect(failure.kind == .tls && failure.reason.contains("A pin looks like"))
            }
            #expect(loopback.requestCount == 1)
        }
    }

    @Test("What one transport may and shows counts for no other: each makes connections of its own")
    func noLeaks() async throws {
        let server = try NginxServer.current
        let authority = server.authority
        try authority.issue("member")
        let trusting = try client()
        let call = try server.call()
        #expect(try await trusting.text(call) == "hello over TLS")
        // The connection of the first stays open while the others are refused, and asked without a certificate.
        _ = try await refusal(TLSOptions(), by: .good)
        _ = try await refusal(TLSOptions(authorityFile: server.authorityFile, pins: [try authority.pin("otherName")]), by: .good)
        let certificate = TLSOptions.ClientCertificate.pem(authority.file("member.pem"), keyFile: authority.file("member.key"))
        let member = try client(TLSOptions(authorityFile: server.authorityFile, clientCertificate: certificate))
        #expect(try await member.text(server.call(.asksForCertificate)) == "hello over TLS")
        #expect(await trusting.data(for: try server.call(.asksForCertificate)).failure?.statusCode == 400)
        #expect(try await member.text(server.call(.asksForCertificate)) == "hello over TLS")
        let again = try await trusting.reply(endpoint: call, responseModel: String.self).get()
        #expect(again.metrics.isConnectionReused)
    }
}
