import Foundation
import Testing

@testable import NetworkKit

@Suite("Reading Set-Cookie")
struct SetCookieParserTests {
    private static let pairTable: [(String, String?, String)] = [
        ("a=b", "a", "b"), (" a = b ", "a", "b"), ("\ta\t=\tb\t", "a", "b"), ("a=", "a", ""), ("=b", "", "b"), ("b", "", "b"),
        ("a=b=c", "a", "b=c"), ("a==b", "a", "=b"), ("a=\"b\"", "a", "\"b\""), ("a=\"b; c\"", "a", "\"b"), ("a=b c", "a", "b c"),
        ("a=b,c=d", "a", "b,c=d"), ("a b=c", "a b", "c"), ("a=\u{E9}", "a", "\u{E9}"), ("a=b\tc", "a", "b\tc"), ("a=b;", "a", "b"),
        ("a=b;;;", "a", "b"), ("a=b; =c; d", "a", "b"), ("  ;x=y; a=b", nil, ""), ("a[]=%7B", "a[]", "%7B"), ("é=1", "é", "1"),
    ]

    private static let expiryTable: [(String, TimeInterval?)] = [
        ("a=b", nil), ("a=b; Max-Age=60", 60), ("a=b; max-age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT", 60),
        ("a=b; Expires=Thu, 01 Jan 1970 00:00:00 GMT; MAX-AGE=60", 60), ("a=b; Max-Age=60; Max-Age=70", 70),
        ("a=b; Expires=Thu, 01 Jan 2026 00:01:00 GMT", 60), ("a=b; Expires=Thu, 01 Jan 2026 00:01:00 GMT; Expires=nonsense", 60),
        ("a=b; Max-Age=; Expires=Thu, 01 Jan 2026 00:01:00 GMT", 60), ("a=b; Max-Age=1x; Max-Age=60", 60), ("a=b; Max-Age=\"60\"", nil),
        ("a=b; Max-Age=+60", nil), ("a=b; Max-Age=6.5", nil), ("a=b; Max-Age=-", nil), ("a=b; Max-Age", nil), ("a=b; Max-Age= 60 ", 60),
        ("a=b; Max-Age=99999999999999999999999999", 400 * 86_400), ("a=b; Max-Age=34560001", 400 * 86_400),
        ("a=b; Expires=Fri, 31 Dec 9999 23:59:59 GMT", 400 * 86_400), ("a=b; Expires=nonsense", nil), ("a=b; Expires", nil),
    ]

    private static let flagTable: [(String, Bool, Bool, Cookie.SameSite?)] = [
        ("a=b; Secure", true, false, nil), ("a=b; secure=no", true, false, nil), ("a=b; HTTPONLY", false, true, nil),
        ("a=b;secure;httponly;samesite=STRICT", true, true, Cookie.SameSite.strict), ("a=b; SameSite=Lax", false, false, .lax),
        ("a=b; SameSite=None", false, false, Cookie.SameSite.none), ("a=b; SameSite=Lax; SameSite=odd", false, false, nil),
        ("a=b; SameSite", false, false, nil), ("a=b; NotSecure; X-HttpOnly", false, false, nil),
    ]

    private static let domainTable: [(String, String, Bool)] = [
        ("Domain=example.com", "example.com", false), ("Domain=.example.com", "example.com", false),
        ("Domain=EXAMPLE.com", "example.com", false), ("domain=www.example.com", "www.example.com", false),
        ("Domain=", "www.example.com", true), ("Domain=.", "www.example.com", true), ("Domain", "www.example.com", true),
        ("Domain=example.org; Domain=example.com", "example.com", false), ("Domain=example.com; Domain=", "www.example.com", true),
        ("Domain= example.com ", "example.com", false),
    ]

    private static let foreignTable: [(String, String, Cookie.Refusal)] = [
        ("https://www.example.com/", "example.org", Cookie.Refusal.foreignDomain("example.org")),
        ("https://www.example.com/", "a.www.example.com", .foreignDomain("a.www.example.com")),
        ("https://www.example.com/", "..example.com", .foreignDomain(".example.com")),
        ("https://www.example.com/", "example.com.", .foreignDomain("example.com.")),
        ("https://www.example.com/", "ample.com", .foreignDomain("ample.com")),
        ("https://www.example.com/", "com", .publicSuffix("com")), ("https://www.example.com/", ".com", .publicSuffix("com")),
        ("https://www.example.com./", "com.", .publicSuffix("com.")),
        ("https://www.example.com/", "localhost", .publicSuffix("localhost")),
        ("https://127.0.0.1/", "0.0.1", .addressDomain("0.0.1")), ("https://127.0.0.1/", "1", .addressDomain("1")),
        ("https://127.0.0.1/", "127.0.0.2", .addressDomain("127.0.0.2")), ("https://[::1]/", "[::2]", .addressDomain("[::2]")),
        ("https://www.example.com/", "b\u{FC}cher.example", .domainOutsideASCII),
        ("https://shop.co.uk/", "co.uk", .publicSuffix("co.uk")),
        ("https://www.example.com/", "https://example.com", .foreignDomain("https://example.com")),
        ("https://www.example.com/", "example.com:443", .foreignDomain("example.com:443")),
    ]

    private static let prefixTable: [(String, Bool)] = [
        ("__Secure-a=b; Secure", true), ("__Secure-a=b", false), ("__secure-a=b", false),
        ("__SECURE-a=b; Secure; Domain=example.com", true),
        ("__Host-a=b; Secure; Path=/", true), ("__Host-a=b; Path=/", false), ("__Host-a=b; Secure", false),
        ("__Host-a=b; Secure; Path=/a", false), ("__host-a=b; Secure; Path=/; Domain=www.example.com", false),
        ("__HoSt-a=b; Secure; Path=/; Domain=", true), ("__Host-=b; Secure; Path=/", true), ("=__Host-a=b; Secure; Path=/", false),
        ("__Secure-a; Secure", false), ("=__secure-a", false), ("__Secur-a=b", true), ("_Host-a=b", true), ("x__Host-a=b", true),
        ("__Hostile=b", true),
    ]

    private static let pathTable: [(String, String)] = [
        ("a=b", "/a"), ("a=b; Path=/", "/"), ("a=b; path=/x/y", "/x/y"), ("a=b; Path=x", "/a"), ("a=b; Path=", "/a"),
        ("a=b; Path", "/a"),
        ("a=b; Path=/x; Path=/y", "/y"), ("a=b; Path=/x; Path=y", "/a"), ("a=b; Path=\"/x\"", "/a"), ("a=b; Path = /x ", "/x"),
    ]

    @Test(
        "Name and value are split at the first equals sign, and trimmed",
        arguments: pairTable)
    func pairs(text: String, name: String?, value: String) throws {
        guard let name else {
            #expect(parsed(text) == .failure(.empty))
            return
        }
        let cookie = try parsed(text).get()
        #expect(cookie.name == name && cookie.value == value)
    }

    @Test("Neither name nor value is no cookie", arguments: ["", "=", " = ", ";", "; Secure", "=; Path=/"])
    func empty(text: String) {
        #expect(parsed(text) == .failure(.empty))
    }

    @Test(
        "A control character anywhere refuses the field",
        arguments: [
            "a=b\u{0}", "a=b\r", "a=b\nc=d", "\u{1}a=b", "a=\u{7F}", "a=b; Path=/\u{8}", "a=b; X=\u{1F}", "a\u{B}=b", "a=b; Secure\u{0}",
        ])
    func controls(text: String) {
        #expect(parsed(text) == .failure(.character))
    }

    @Test("Name and value may have 4096 bytes together, and no more")
    func size() throws {
        #expect(try parsed("abc=" + String(repeating: "x", count: 4093)).get().value.count == 4093)
        #expect(parsed("abc=" + String(repeating: "x", count: 4094)) == .failure(.tooLarge(4097)))
        #expect(parsed(String(repeating: "é", count: 2049)) == .failure(.tooLarge(4098)))
        #expect(try parsed("abc=d; x=" + String(repeating: "x", count: 1 << 16)).get().value == "d")
    }

    @Test("An attribute of more than 1024 bytes isn't there")
    func attributeSize() throws {
        let path = "/" + String(repeating: "p", count: 1023)
        #expect(try parsed("a=b; Path=\(path)").get().path == path)
        #expect(try parsed("a=b; Path=/x; Path=\(path)p").get().path == "/x")
        #expect(try parsed("a=b; Domain=\(String(repeating: "d", count: 1025))").get().isHostOnly)
    }

    @Test(
        "Max-Age wins over Expires, wherever it stands, and the last of one kind counts",
        arguments: expiryTable)
    func expiry(text: String, seconds: TimeInterval?) throws {
        #expect(try parsed(text).get().expires == seconds.map { Date.start.addingTimeInterval($0) })
    }

    @Test(
        "What has ended is a cookie that has ended",
        arguments: [
            "a=b; Max-Age=0", "a=b; Max-Age=-1", "a=b; Max-Age=-99999999999999999999999", "a=b; Max-Age=00",
            "a=b; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "a=b; Expires=Mon, 01 Jan 1601 00:00:00 GMT",
        ])
    func ended(text: String) throws {
        #expect(try parsed(text).get().isExpired(at: .start))
    }

    @Test(
        "A path that doesn't begin with a slash is the default one",
        arguments: pathTable)
    func paths(text: String, path: String) throws {
        #expect(try parsed(text).get().path == path)
    }

    @Test(
        "Secure, HttpOnly and SameSite are kept, in whatever case",
        arguments: flagTable)
    func flags(text: String, isSecure: Bool, isHTTPOnly: Bool, sameSite: Cookie.SameSite?) throws {
        let cookie = try parsed(text).get()
        #expect(cookie.isSecure == isSecure && cookie.isHTTPOnly == isHTTPOnly && cookie.sameSite == sameSite)
    }

    @Test(
        "A domain is that of the host or one above it",
        arguments: domainTable)
    func domains(attribute: String, domain: String, isHostOnly: Bool) throws {
        let cookie = try parsed("a=b; \(attribute)").get()
        #expect(cookie.domain == domain && cookie.isHostOnly == isHostOnly)
    }

    @Test(
        "A domain that the sender doesn't belong to, or that belongs to everybody, refuses the cookie",
        arguments: foreignTable)
    func foreignDomains(source: String, domain: String, refusal: Cookie.Refusal) {
        #expect(parsed("a=b; Domain=\(domain)", from: source) { $0 == "co.uk" } == .failure(refusal))
        #expect(!refusal.description.contains("a=b"))
    }

    @Test(
        "A host that isn't to be shared may name itself, and the cookie stays there",
        arguments: [
            ("http://localhost:8080/", "localhost"), ("http://127.0.0.1/", "127.0.0.1"), ("http://[::1]:80/", "[::1]"),
            ("https://co.uk/", ".co.uk"),
        ])
    func ownDomain(source: String, domain: String) throws {
        #expect(try parsed("a=b; Domain=\(domain)", from: source) { $0 == "co.uk" }.get().isHostOnly)
    }

    @Test("A host outside ASCII is its IDNA form, and so is its domain")
    func idna() throws {
        let source = "https://www.m%C3%BCller.example/"
        #expect(try parsed("a=b", from: source).get().domain == "www.xn--mller-kva.example")
        #expect(try parsed("a=b; Domain=xn--mller-kva.example", from: source).get().domain == "xn--mller-kva.example")
    }

    @Test("Without https there is no Secure cookie")
    func secureSource() {
        #expect(parsed("a=b; Secure", from: "http://www.example.com/") == .failure(.insecureSource))
        #expect(parsed("a=b; Secure", from: "http://localhost/") == .failure(.insecureSource))
    }

    @Test(
        "Prefixes of a name are promises, in whatever case",
        arguments: prefixTable)
    func prefixes(text: String, isStored: Bool) {
        let result = parsed(text, from: "https://www.example.com/a")
        #expect(((try? result.get()) != nil) == isStored)
        if case .failure(let refusal) = result, case .prefix = refusal {} else { #expect(isStored) }
    }

    @Test("A prefix asks for the path itself, not for a default that happens to be the root")
    func hostPrefixAtTheRoot() {
        #expect(parsed("__Host-a=b; Secure", from: "https://example.com/x") == .failure(.prefix("__Host-")))
    }

    @Test("A million semicolons are read in their time, and say nothing")
    func manyAttributes() throws {
        let cookie = try parsed("a=b" + String(repeating: ";", count: 1_000_000) + " Secure").get()
        #expect(cookie.isSecure)
    }

    @Test("No description of a cookie shows its value")
    func descriptions() throws {
        let cookie = try parsed("sid=opensesame; Secure; HttpOnly; SameSite=Lax; Max-Age=60; Domain=example.com").get()
        #expect(!everythingShown(of: cookie).contains("opensesame"))
        #expect(cookie.description == "sid=***; Domain=example.com; Path=/a; Expires=2026-01-01T00:01:00Z; Secure; HttpOnly; SameSite=lax")
        #expect(try parsed("opensesame").get().description == "***; Domain=www.example.com (this host only); Path=/a")
    }
}
