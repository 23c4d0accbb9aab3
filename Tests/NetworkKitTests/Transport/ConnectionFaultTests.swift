import PlatformBase
import Testing

@testable import NetworkKit

#if canImport(CCurl)
/// What no server here can be made to say.
@Suite("What a failed connection means")
struct ConnectionFaultTests {
    private func fault(_ code: Int, _ words: String, status: Int = 0, error: Int32 = 0, _ options: CurlTransport.Options = .init())
        -> ConnectionFault
    {
        ConnectionFault(
            code: code, words: words, origin: Origin(scheme: "https", host: "api.example", port: 443), proxyStatus: status,
            systemError: error,
            options: options)
    }

    @Test(
        "Words of OpenSSL and libcurl, of old and new versions, become what to do",
        arguments: [
            (60, "SSL certificate problem: self signed certificate", "self-signed"),
            (60, "SSL certificate problem: self-signed certificate in certificate chain", "no authority that is trusted here"),
            (60, "SSL certificate problem: certificate is not yet valid", "isn't valid yet"),
            (60, "SSL: certificate subject name 'a' does not match target host name 'b'", "for other names"),
            (35, "error:1409442E:SSL routines:ssl3_read_bytes:tlsv1 alert protocol version", "no version of TLS"),
            (35, "OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to api.example:443", "broke off"),
            (
                56, "OpenSSL SSL_read: error:0A00045C:SSL routines::tlsv13 alert certificate required, errno 0",
                "demands a client certificate"
            ),
            (56, "OpenSSL SSL_read: error:0A000418:SSL routines::tlsv1 alert unknown ca, errno 0", "doesn't accept the client certificate"),
        ])
    func tls(_ code: Int, _ words: String, _ meaning: String) throws {
        let explanation = try #require(fault(code, words).explanation)
        #expect(explanation.kind == .tls)
        #expect(explanation.reason.contains(meaning))
        #expect(explanation.reason.contains("api.example:443") && explanation.reason.contains(words))
    }

    @Test("What is no matter of TLS isn't taken for one")
    func others() {
        #expect(fault(56, "Recv failure: Connection reset by peer").explanation == nil)
        #expect(fault(56, "OpenSSL SSL_read: error:0A000438:SSL routines::tlsv1 alert internal error, errno 0").explanation == nil)
        #expect(fault(18, "transfer closed").explanation == nil)
    }

    @Test("A proxy's URL that libcurl quotes loses its credentials")
    func quoted() {
        let words = "Unsupported proxy syntax in 'http://us er:s3cret@proxy.example:1'"
        #expect(fault(5, words).explanation?.reason.contains("s3cret") == false)
        #expect(fault(5, words).explanation?.reason.contains("***@proxy.example:1") == true)
        #expect(ConnectionFault.withoutUserInfo("no mail here") == "no mail here")
    }

    @Test("A 407 says whether credentials were given")
    func credentials() {
        let options: [(CurlTransport.Options.Proxy, String)] = [
            (.url("http://p.example:1"), "it demands credentials; give them"), (.url("http://u:p@p.example:1"), "doesn't accept"),
            (.url("http://p.example:1", user: "u"), "doesn't accept"), (.environment, "the environment's URL"),
        ]
        for (proxy, words) in options {
            let explanation = fault(56, "CONNECT tunnel failed, response 407", status: 407, .init(proxy: proxy)).explanation
            #expect(explanation?.kind == .proxy)
            #expect(explanation?.reason.contains(words) == true)
        }
    }

    @Test("A socket that this program may not use is said to be that")
    func socket() {
        let explanation = fault(7, "Failed to connect", error: EACCES, .init(unixSocket: "/run/x.sock")).explanation
        #expect(explanation?.reason.contains("may not use the Unix socket") == true)
    }
}
#endif
