import Foundation
import Testing

@testable import NetworkKit

@Suite("URI references")
struct URIReferenceTests {
    private static let base = URIReference("http://a/b/c/d;p?q")

    @Test(
        "RFC 3986 §5.4.1, normal examples",
        arguments: [
            ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
            ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"),
            ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"), (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"),
            ("g;x?y#s", "http://a/b/c/g;x?y#s"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"),
            ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
            ("../../g", "http://a/g"),
        ])
    func normal(reference: String, expected: String) {
        #expect(URIReference(reference).resolved(against: Self.base).text == expected)
    }

    @Test(
        "RFC 3986 §5.4.2, abnormal examples",
        arguments: [
            ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"),
            ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"),
            ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
            ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"), ("g?y/./x", "http://a/b/c/g?y/./x"),
            ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/./x", "http://a/b/c/g#s/./x"), ("g#s/../x", "http://a/b/c/g#s/../x"),
            ("http:g", "http:g"),
        ])
    func abnormal(reference: String, expected: String) {
        #expect(URIReference(reference).resolved(against: Self.base).text == expected)
    }

    @Test("A base without a path, and one with a fragment")
    func otherBases() {
        #expect(URIReference("g").resolved(against: URIReference("http://a?q")).text == "http://a/g")
        #expect(URIReference("").resolved(against: URIReference("http://a?q")).text == "http://a?q")
        #expect(URIReference("g").resolved(against: URIReference("http://a/b#f")).text == "http://a/g#f")
        #expect(URIReference("g#h").resolved(against: URIReference("http://a/b#f")).text == "http://a/g#h")
        #expect(URIReference("g#").resolved(against: URIReference("http://a/b#f")).text == "http://a/g#")
    }

    @Test(
        "A reference is put together as it was taken apart",
        arguments: [
            "http://u:p@[::1]:80/a/b?c?d#e#f", "//h", "a:b:c", "1a:b", "?", "#", "", "http://", "http:///p", "mailto:x@y", "/a:b", "a/b:c",
            "http://h?q", "h@x:y//z",
        ])
    func roundTrip(text: String) {
        #expect(URIReference(text).text == text)
    }

    @Test("The five components are told apart")
    func components() {
        let whole = URIReference("https://u@h:1/p/q?x=/?#f?#")
        #expect(
            whole.scheme == "https" && whole.authority == "u@h:1" && whole.path == "/p/q" && whole.query == "x=/?"
                && whole.fragment == "f?#")
        let bare = URIReference("1a:b")
        #expect(bare.scheme == nil && bare.path == "1a:b")
    }

    @Test(
        "What can't stand in a URL is encoded, what is encoded stays",
        arguments: [
            ("/a b%20c", "/a%20b%20c"), ("/a[1]?b[]=%5B#c d#e", "/a%5B1%5D?b%5B%5D=%5B#c%20d%23e"),
            ("http://[::1]:80/ü", "http://[::1]:80/%C3%BC"),
            ("http://ü.test/", "http://%C3%BC.test/"), ("/100%", "/100%25"), ("\\\\h\\x", "%5C%5Ch%5Cx"),
        ])
    func encoded(text: String, expected: String) {
        #expect(URIReference(text).encoded.text == expected)
    }

    @Test("A URL has the reference's bytes, or isn't there")
    func url() {
        #expect(URIReference("https://h.test/a%20b?c=%5B&d=%ff#x").url?.absoluteString == "https://h.test/a%20b?c=%5B&d=%ff#x")
        #expect(URIReference("https://h.test/a b").url == nil)
    }

    @Test(
        "An authority's parts",
        arguments: [
            ("h", nil, "h", nil), ("h:80", nil, "h", "80"), ("u:p@h:80", "u:p", "h", "80"), ("a@b@h", "a@b", "h", nil),
            ("[::1]:8", nil, "[::1]", "8"), ("[::1]", nil, "[::1]", nil), ("h:", nil, "h", nil), ("@h", "", "h", nil),
        ] as [(String, String?, String, String?)])
    func authority(text: String, userInfo: String?, host: String, port: String?) {
        let authority = Authority(text)
        #expect(authority.userInfo == userInfo && authority.host == host && authority.port == port)
    }
}
