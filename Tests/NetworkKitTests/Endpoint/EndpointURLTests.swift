import Foundation
import Testing

@testable import NetworkKit

@Suite("Joining base, path and query")
struct EndpointURLTests {
    private func joined(_ base: String, _ path: Path, _ query: Query = [:]) throws(RequestError) -> String {
        try EndpointURL(base: url(base), path: path, query: query).url.absoluteString
    }

    @Test(
        "Exactly one slash stands between base and path, whatever each side brings",
        arguments: [
            ("https://h.test", "a/b", "https://h.test/a/b"), ("https://h.test/", "a/b", "https://h.test/a/b"),
            ("https://h.test", "/a/b", "https://h.test/a/b"), ("https://h.test/", "/a/b", "https://h.test/a/b"),
            ("https://h.test//", "//a/b", "https://h.test/a/b"), ("https://h.test/3", "a", "https://h.test/3/a"),
            ("https://h.test/3/", "a", "https://h.test/3/a"), ("https://h.test/3", "/a", "https://h.test/3/a"),
            ("https://h.test/3/", "/a/", "https://h.test/3/a/"), ("https://h.test/3", "/", "https://h.test/3/"),
        ])
    func slashes(base: String, path: String, expected: String) throws {
        #expect(try joined(base, Path(path)) == expected)
    }

    @Test(
        "An empty path leaves the base untouched",
        arguments: [
            "https://h.test", "https://h.test/", "https://h.test/3", "https://h.test/3/", "https://h.test/3?k=v", "https://h.test?k=v",
        ])
    func emptyPath(base: String) throws {
        #expect(try joined(base, "") == base)
    }

    @Test(
        "Queries of base, path and endpoint are merged in that order",
        arguments: [
            ("https://h.test/app/?module=a", "x", ["p": 1], "https://h.test/app/x?module=a&p=1"),
            ("https://h.test/app", "x?q=1", [:], "https://h.test/app/x?q=1"),
            ("https://h.test/app?m=a", "x?q=1", ["p": "2"], "https://h.test/app/x?m=a&q=1&p=2"),
            ("https://h.test/app", "?q=1", [:], "https://h.test/app?q=1"), ("https://h.test/app?", "x?", [:], "https://h.test/app/x"),
            ("https://h.test/app", "x?q=a?b/c", [:], "https://h.test/app/x?q=a?b/c"),
        ] as [(String, Path, Query, String)])
    func queries(base: String, path: Path, query: Query, expected: String) throws {
        #expect(try joined(base, path, query) == expected)
    }

    @Test(
        "What is literal goes out as written, encoded parts and dot segments included",
        arguments: [
            ("a%2Fb%20c", "/a%2Fb%20c"), ("a/../b/./c", "/a/../b/./c"), ("..", "/.."), ("a%2e%2E/b", "/a%2e%2E/b"),
            ("a;p=1,2/@me:x!$&'()*+", "/a;p=1,2/@me:x!$&'()*+"), ("a//b", "/a//b"), ("a%2Fb%20c?x=%26%3D", "/a%2Fb%20c?x=%26%3D"),
        ])
    func literals(path: String, expected: String) throws {
        #expect(try joined("https://h.test", Path(path)) == "https://h.test" + expected)
    }

    @Test(
        "What can't stand in a URL is encoded once",
        arguments: [
            ("top rated", "/top%20rated"), ("100%", "/100%25"), ("a%zz", "/a%25zz"), ("é", "/%C3%A9"), ("{id}|\"", "/%7Bid%7D%7C%22"),
            ("a?q=top rated", "/a?q=top%20rated"), ("a?list[]=1%202", "/a?list%5B%5D=1%202"),
        ])
    func encodedLiterals(path: String, expected: String) throws {
        #expect(try joined("https://h.test", Path(path)) == "https://h.test" + expected)
    }

    @Test(
        "A call never leaves its base origin by what a path holds",
        arguments: [
            "//evil.test/x", "http://evil.test/", "\\\\evil.test/x", "/\\evil.test", "https:evil.test", "@evil.test", ":99/x",
            "///evil.test",
        ])
    func origin(path: String) throws {
        for base in ["https://h.test", "https://h.test/3/"] {
            let target = url(try joined(base, Path(path)))
            #expect(Origin(target) == Origin(url("https://h.test")))
            #expect(URIReference(target.absoluteString).authority == "h.test")
        }
    }

    @Test(
        "Ports, localhost and IPv6 addresses work",
        arguments: ["http://localhost:8080", "http://127.0.0.1:1", "http://[::1]:8080", "https://[2001:db8::1]", "http://h.test:65535"])
    func authorities(base: String) throws {
        #expect(try joined(base, "a") == base + "/a")
    }

    @Test("A URL without a host says which form is meant")
    func relativeBase() {
        let error = failure { () throws(RequestError) in try joined("localhost:8080", "a") }
        #expect(error?.invalidComponent == .whole)
        #expect(error?.description.contains("absolute URL") == true)
    }

    @Test(
        "A base that can't be asked is refused, and the part at fault named",
        arguments: [
            ("ftp://h.test", .scheme), ("file:///etc/passwd", .scheme), ("h.test/a", .whole), ("http://:80/", .host),
            ("http://h.test:0/", .port), ("http://h.test:65536/", .port), ("http://[12]/", .host),
        ] as [(String, RequestError.InvalidURL.Component)])
    func refused(base: String, component: RequestError.InvalidURL.Component) {
        guard let base = URL(string: base) else { return }  // Where URL itself refuses it, nobody can ask it either.
        let error = failure { () throws(RequestError) in try EndpointURL(base: base, path: "a", query: [:]) }
        #expect(error?.invalidComponent == component)
    }

    @Test("An empty port is left out")
    func emptyPort() throws {
        #expect(try joined("http://h.test:/x", "a") == "http://h.test/x/a")
    }

    @Test("Control characters in a literal are refused", arguments: ["a\r\nb", "a\nX: y", "\u{0}", "a\u{7F}", "a?q=\t"])
    func controls(path: String) {
        #expect(failure { () throws(RequestError) in try joined("https://h.test", Path(path)) }?.invalidComponent == .path)
    }

    @Test("A fragment is kept apart from the query")
    func fragment() throws {
        #expect(try joined("https://h.test", "a#top?x", ["q": 1]) == "https://h.test/a?q=1#top?x")
    }

    @Test("User information becomes Basic credentials and leaves the URL")
    func userInformation() throws {
        let target = try EndpointURL(base: url("https://jo:p%40ss%3Aword@h.test:8443/x"), path: "a", query: [:])
        #expect(target.url.absoluteString == "https://h.test:8443/x/a")
        #expect(target.credentials?.name == .authorization)
        #expect(target.credentials?.value == "Basic " + Data("jo:p@ss:word".utf8).base64EncodedString())
        #expect(target.credentials?.isSecret == true)
    }

    @Test("An empty user information is no credentials")
    func emptyUserInformation() throws {
        let target = try EndpointURL(base: url("https://@h.test/"), path: "a", query: [:])
        #expect(target.url.absoluteString == "https://h.test/a")
        #expect(target.credentials == nil)
    }

    @Test("A secret isn't shown by the error of a URL that can't be made")
    func secretsInErrors() {
        let endpoint = SampleEndpoint(
            baseURL: url("https://jo:hunter22@h.test:70000/"), path: "f/\(secret: "k3y-value")/", query: ["t": .secret("t0ken/")])
        let error = failure { () throws(RequestError) in try HTTPRequest(endpoint) }
        #expect(error?.invalidComponent == .port)
        let bare = failure { () throws(RequestError) in try RequestURL("jo:hunter22@h.test/x") }
        #expect(bare?.description.contains("hunter22") == false)
        #expect(bare?.description.contains("h.test/x") == true)
    }
}
