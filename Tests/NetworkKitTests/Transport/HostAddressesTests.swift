import PlatformBase
import Testing

@testable import NetworkKit

@Suite("Addresses for names")
struct HostAddressesTests {
    @Test("Names are written as they are looked up, IPv6 addresses in brackets")
    func lines() throws {
        let addresses = try HostAddresses([
            "B.example:443": ["192.0.2.7", "2001:db8::7", "[::1]"], "a.example:80": ["127.0.0.1"],
        ])
        #expect(addresses.lines == ["a.example:80:127.0.0.1", "b.example:443:192.0.2.7,[2001:db8::7],[::1]"])
    }

    @Test(
        "An entry that would lead nowhere is an error that names it",
        arguments: [
            ("api.example", ["127.0.0.1"], "no port"), ("api.example:0", ["127.0.0.1"], "1 to 65535"),
            ("api.example:99999", ["127.0.0.1"], "1 to 65535"), ("api.example:https", ["127.0.0.1"], "1 to 65535"),
            (":443", ["127.0.0.1"], "no name of a host"), ("https://api.example:443", ["127.0.0.1"], "no name of a host"),
            ("*:443", ["127.0.0.1"], "no name of a host"), ("*.example:443", ["127.0.0.1"], "no name of a host"),
            ("api.example:443", [], "no address"), ("api.example:443", ["localhost"], "no IPv4 or IPv6 address"),
            ("api.example:443", ["127.0.0.1,127.0.0.2"], "no IPv4 or IPv6 address"),
            ("api.example:443", ["127.0.0.1:80"], "no IPv4 or IPv6 address"),
            ("api.example:443", ["[127.0.0.1]"], "no IPv4 or IPv6 address"),
            ("api.example:443", ["127.0.0.1", ""], "no IPv4 or IPv6 address"), ("[::1]:443", ["127.0.0.1"], "no name of a host"),
        ])
    func malformed(_ name: String, _ addresses: [String], _ why: String) {
        let failure = failure { () throws(RequestError) in try HostAddresses([name: addresses]) }
        #expect(failure?.connectionKind == .nameLookup)
        #expect(failure?.description.contains(why) == true, "\(failure?.description ?? "")")
    }

    @Test("A name in two spellings is an error")
    func twice() {
        let failure = failure { () throws(RequestError) in try HostAddresses(["a.example:1": ["::1"], "A.example:1": ["127.0.0.1"]]) }
        #expect(failure?.description.contains("twice") == true)
    }
}
