import Foundation
import Testing

@testable import NetworkKit

@Suite("Where cookies belong")
struct CookieScopeTests {
    private static let domainTable: [(String, String, Bool)] = [
        ("example.com", "example.com", true), ("example.com", "a.example.com", true), ("example.com", "a.b.example.com", true),
        ("example.com", "badexample.com", false), ("a.example.com", "example.com", false), ("example.com", "example.com.", false),
        ("example.com.", "example.com.", true), ("example.com.", "a.example.com.", true), ("example.com", "example.org", false),
        ("0.1", "127.0.0.1", false), ("127.0.0.1", "127.0.0.1", true), ("0.0.1", "127.0.0.1.", false), ("", "example.com", false),
        (".example.com", "a.example.com", false), ("xn--mller-kva.example", "www.xn--mller-kva.example", true),
        ("0x1", "10.0x1", false), ("[::1]", "[::1]", true), ("com", "example.com", true),
    ]

    private static let pathTable: [(String, String, Bool)] = [
        ("/", "/", true), ("/", "/a", true), ("/a", "/a", true), ("/a", "/a/", true), ("/a", "/a/b", true), ("/a/", "/a/b", true),
        ("/a/", "/a", false), ("/a", "/ab", false), ("/a/b", "/a", false), ("/A", "/a", false), ("/a%20b", "/a%20b/c", true),
        ("/a b", "/a%20b", false),
    ]

    private static let addressTable: [(String, Bool)] = [
        ("127.0.0.1", true), ("127.0.0.1.", true), ("1", true), ("[::1]", true), ("10.0x7f", true), ("0x", true),
        ("example.com", false),
        ("1.2.3.4.com", false), ("example.c0m", false), ("xn--55qx5d", false), ("a.0xg", false), ("face", false),
    ]

    private static let placeTable: [(String, String, String, Bool)] = [
        ("https://Example.COM/a?b#c", "example.com", "/a", true), ("http://example.com", "example.com", "/", false),
        ("http://example.com?x=/y", "example.com", "/", false), ("http://user@example.com:8080/a/b", "example.com", "/a/b", false),
        ("https://[::1]:1/", "[::1]", "/", true), ("https://h.test#/x", "h.test", "/", true),
        ("https://h.test/a/?x=/y#/z", "h.test", "/a/", true),
        ("https://u:p@h.test:1?/x", "h.test", "/", true), ("https://h.test//a%2Fb/../c", "h.test", "//a%2Fb/../c", true),
        ("http://m%C3%BCller.example/", "xn--mller-kva.example", "/", false),
    ]

    @Test(
        "A domain includes itself and the names below it",
        arguments: domainTable)
    func domains(domain: String, host: String, isIncluded: Bool) {
        #expect(CookieScope.domain(domain, includes: host) == isIncluded)
    }

    @Test(
        "A path includes itself and what lies below it",
        arguments: pathTable)
    func paths(path: String, requested: String, isIncluded: Bool) {
        #expect(CookieScope.path(path, includes: requested) == isIncluded)
    }

    @Test(
        "A cookie without a path has the folder of what was asked",
        arguments: [
            ("/", "/"), ("", "/"), ("/a", "/"), ("/a/", "/a"), ("/a/b", "/a"), ("/a/b/c.html", "/a/b"), ("a/b", "/"), ("//a", "/"),
        ])
    func defaults(requested: String, path: String) {
        #expect(CookieScope.defaultPath(of: requested) == path)
    }

    @Test(
        "Addresses are told from names by their last label",
        arguments: addressTable)
    func addresses(host: String, isAddress: Bool) {
        #expect(CookieScope.isAddress(host[...]) == isAddress)
    }

    @Test(
        "A place is what a URL says of host, path and safety",
        arguments: placeTable)
    func places(text: String, host: String, path: String, isSecure: Bool) throws {
        let place = try #require(CookiePlace(url(text)))
        #expect(place.host == host && place.path == path && place.isSecure == isSecure)
    }

    @Test("What can't be asked is no place", arguments: ["ftp://example.com/", "file:///etc", "/a"])
    func noPlaces(text: String) {
        #expect(CookiePlace(url(text)) == nil)
    }
}
