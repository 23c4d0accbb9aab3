import PlatformBase
import Testing

@testable import NetworkKit

@Suite("A proxy's URL")
struct ProxyAddressTests {
    private func address(_ url: String, _ user: String? = nil, _ password: String? = nil) throws(RequestError) -> ProxyAddress {
        try ProxyAddress(url, user: user, password: password, except: [])
    }

    @Test("Credentials are taken out of the URL and decoded, or come as they are")
    func credentials() throws {
        let inURL = try address("HTTP://us%65r%40corp:p%25a%3As%2Fs@proxy.example:3128/")
        #expect(inURL.url == "http://proxy.example:3128")
        #expect(inURL.credentials?.user == "user@corp" && inURL.credentials?.password == "p%a:s/s")
        let apart = try address("http://[::1]:8080", "us%65r", "p%25 ä:@")
        #expect(apart.url == "http://[::1]:8080")
        #expect(apart.credentials?.user == "us%65r" && apart.credentials?.password == "p%25 ä:@")
        #expect(try address("socks5h://127.0.0.1:1080").credentials == nil)
        #expect(try address("http://token@127.0.0.1:1").credentials?.password == "")
    }

    @Test("Exceptions are joined as libcurl takes them")
    func exceptions() throws {
        let address = try ProxyAddress("http://p.example:1", user: nil, password: nil, except: ["example.com", "10.0.0.0/8"])
        #expect(address.exceptions == "example.com,10.0.0.0/8")
        for name in ["", "a,b", "a b", "a\n"] {
            let failure = failure { () throws(RequestError) in
                try ProxyAddress("http://p.example:1", user: nil, password: nil, except: [name])
            }
            #expect(failure?.connectionKind == .proxy)
        }
    }

    @Test(
        "A URL that is no proxy's is an error that says why, and shows no credentials",
        arguments: [
            ("user:s3cret@proxy.example:3128", "no scheme"), ("proxy.example:3128", "no scheme"), ("ftp://u:s3cret@h:1", "scheme"),
            ("http://u:s3cret@proxy.example", "no port"), ("http://u:s3cret@h:0", "no port"), ("http://u:s3cret@h:99999", "no port"),
            ("http://u:s3cret@:3128", "no host"), ("http://u:s3cret@a b:3128", "no host"), ("http://u:s3cret@h:1/path", "path"),
            ("http://u:s3cret%@h:1", "percent-encoded"), ("http://u:s3cret%zz@h:1", "percent-encoded"),
            ("http://u%3Ax:s3cret@h:1", "colon"), ("http://u%3A%CC%81x:s3cret@h:1", "colon"),
            ("http://u:s3cret%0d%0aX@h:1", "control character"),
        ])
    func malformed(_ url: String, _ why: String) {
        let failure = failure { () throws(RequestError) in try address(url) }
        guard case .connection(let details) = failure else { return #expect(Bool(false)) }
        #expect(details.kind == .proxy)
        #expect(details.reason.contains(why), "\(details.reason)")
        #expect(!details.reason.contains("s3cret"))
    }

    @Test("Credentials in two places are an error")
    func twoPlaces() {
        let failure = failure { () throws(RequestError) in try address("http://a:s3cret@h:1", "b", "s3cret") }
        #expect(failure?.description.contains("one place") == true && failure?.description.contains("s3cret") == false)
    }
}
