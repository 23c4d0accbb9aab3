import NetworkKit
import NetworkKitTesting
import PlatformBase
import TestSupport
import Testing

@Suite("CurlTransport: client certificates", .enabled(if: NginxServer.isInstalled, "needs nginx and openssl"), .nginx)
struct CurlTransportClientCertificateTests {
    private typealias Certificate = TLSOptions.ClientCertificate

    private static let passphrase = "pass phrase/ä"

    private let authority: TestAuthority

    init() throws {
        authority = try NginxServer.current.authority
    }

    private func client(_ certificate: Certificate?) -> TestClient {
        TestClient(.init(tls: TLSOptions(authorityFile: authority.authorityFile, clientCertificate: certificate), proxy: .none))
    }

    /// What a certificate makes of a call to a server that asks for one.
    private func failure(_ certificate: Certificate?, sourceLocation: SourceLocation = #_sourceLocation) async throws -> String {
        let server = try NginxServer.current
        let id = UUID().uuidString
        let result = await client(certificate).data(for: try server.call(.asksForCertificate, ["id": id]))
        let failure = try connectionFailure(of: result, sourceLocation: sourceLocation)
        #expect(failure.kind == .tls, sourceLocation: sourceLocation)
        #expect(!"\(result) \(everything(of: result))".contains(Self.passphrase), sourceLocation: sourceLocation)
        #expect(try server.requests(with: id).isEmpty, sourceLocation: sourceLocation)
        return failure.reason
    }

    private func everything(of value: some Any) -> String {
        var text = ""
        dump(value, to: &text)
        return text
    }

    /// A certificate of a name that no other test uses.
    private func issue(_ name: String) throws {
        try authority.issue(name)
        try authority.openssl("pkey", "-in", "\(name).key", "-aes256", "-passout", "pass:\(Self.passphrase)", "-out", "\(name).secret.key")
        try authority.openssl(
            "pkcs12", "-export", "-in", "\(name).pem", "-inkey", "\(name).key", "-passout", "pass:\(Self.passphrase)", "-out", "\(name).p12"
        )
        try authority.openssl(
            "pkcs12", "-export", "-in", "\(name).pem", "-inkey", "\(name).key", "-passout", "pass:", "-out", "\(name).open.p12")
        let both =
            try String(contentsOfFile: authority.file("\(name).pem"), encoding: .utf8)
            + String(contentsOfFile: authority.file("\(name).key"), encoding: .utf8)
        _ = try authority.write(both, to: "\(name).both.pem")
    }

    @Test("A client certificate that is demanded is shown: PEM with its key apart, in one file or encrypted, and PKCS#12")
    func shown() async throws {
        let server = try NginxServer.current
        try issue("shown")
        let certificates: [Certificate] = [
            .pem(authority.file("shown.pem"), keyFile: authority.file("shown.key")), .pem(authority.file("shown.both.pem")),
            .pem(authority.file("shown.pem"), keyFile: authority.file("shown.secret.key"), passphrase: Self.passphrase),
            .pkcs12(authority.file("shown.p12"), passphrase: Self.passphrase), .pkcs12(authority.file("shown.open.p12")),
        ]
        for certificate in certificates {
            let id = UUID().uuidString
            #expect(try await client(certificate).text(server.call(.asksForCertificate, ["id": id])) == "hello over TLS", "\(certificate)")
            #expect(try server.requests(with: id).first?.contains("client=\"CN=shown\"") == true)
        }
    }

    @Test("A server that demands a client certificate in the handshake, and gets none or one of another authority: tls, with the reason")
    func demandedInHandshake() async throws {
        try authority.issue("other")
        try authority.signItself("stranger")
        let stranger = Certificate.pem(authority.file("stranger.pem"), keyFile: authority.file("stranger.key"))
        for version in ["-tls1_2", "-tls1_3"] {
            let port = try LoopbackSocket.freePort()
            let record = authority.folder.appending(path: "demands\(version)")
            let server = try ChildProcess(
                Program.openssl,
                [
                    "s_server", "-accept", "127.0.0.1:\(port)", "-cert", "server.pem", "-key", "server.key", "-CAfile", "ca.pem", "-Verify",
                    "1",
                    "-verify_return_error", "-quiet", version,
                ], folder: authority.folder, output: record)
            defer {
                server.terminate()
                server.wait()
            }
            try LoopbackSocket.waitForListener(at: port)
            let call = Call(baseURL: try #require(URL(string: "https://localhost:\(port)")), path: "unsent")
            let missing = try connectionFailure(of: await client(nil).data(for: call))
            #expect(missing.kind == .tls && missing.reason.contains("client certificate"), "\(version): \(missing.reason)")
            let wrong = try connectionFailure(of: await client(stranger).data(for: call))
            #expect(wrong.kind == .tls && wrong.reason.contains("doesn't accept the client certificate"), "\(version): \(wrong.reason)")
            // It prints what it is sent.
            #expect(try !String(contentsOf: record, encoding: .utf8).contains("unsent"))
        }
    }

    @Test("nginx takes the request and answers 400 where it was shown no client certificate, or a wrong one")
    func demandedByNginx() async throws {
        let server = try NginxServer.current
        try authority.signItself("unknown")
        let unknown = Certificate.pem(authority.file("unknown.pem"), keyFile: authority.file("unknown.key"))
        for certificate in [nil, unknown] {
            #expect(await client(certificate).data(for: try server.call(.asksForCertificate)).failure?.statusCode == 400)
        }
    }

    @Test("A key that isn't the certificate's: tls, before the request is sent")
    func wrongKey() async throws {
        try authority.issue("mine")
        let reason = try await failure(.pem(authority.file("mine.pem"), keyFile: authority.file("server.key")))
        #expect(reason.contains("server.key") && reason.contains("does the key belong to it"), "\(reason)")
    }

    @Test("A certificate or key file that isn't there, or isn't one: tls, and which file it is")
    func files() async throws {
        try issue("files")
        let (pem, key) = (authority.file("files.pem"), authority.file("files.key"))
        let cases: [(Certificate, String)] = [
            (.pem(pem, keyFile: authority.file("no.key")), "no.key"), (.pem(authority.file("no.pem"), keyFile: key), "no.pem"),
            (.pem(pem), "no private key"), (.pem(key, keyFile: key), "no certificate in PEM"), (.pem(pem, keyFile: pem), "no private key"),
            (.pem(authority.file("files.p12")), "for PKCS#12 there is"), (.pkcs12(pem), "no PKCS#12"),
            (.pkcs12(authority.file("no.p12")), "No such file"), (.pem("", keyFile: key), "no name"),
        ]
        for (certificate, why) in cases {
            let reason = try await failure(certificate)
            #expect(reason.contains(why), "\(certificate): \(reason)")
        }
    }

    @Test("A key whose passphrase is wrong or missing: tls; nobody is asked for it, and none is shown", .timeLimit(.minutes(1)))
    func passphrases() async throws {
        try issue("locked")
        let (pem, key, pkcs12) = (authority.file("locked.pem"), authority.file("locked.secret.key"), authority.file("locked.p12"))
        #expect(try await failure(.pem(pem, keyFile: key)).contains("is encrypted; give its passphrase"))
        let wrong = "not the " + Self.passphrase
        for certificate in [Certificate.pem(pem, keyFile: key, passphrase: wrong), .pkcs12(pkcs12, passphrase: wrong), .pkcs12(pkcs12)] {
            #expect(try await failure(certificate).contains("is the passphrase right"))
        }
    }

    @Test("A passphrase is in no description")
    func descriptions() {
        let certificate = Certificate.pem("a.pem", keyFile: "a.key", passphrase: Self.passphrase)
        let options = CurlTransport.Options(tls: TLSOptions(clientCertificate: certificate))
        for value in [certificate, options.tls, options, CurlTransport(options)] as [Any] {
            for text in ["\(value)", String(reflecting: value), everything(of: value)] { #expect(!text.contains(Self.passphrase)) }
        }
        #expect("\(certificate)" == "PEM in a.pem with the key in a.key, passphrase ***")
    }
}
