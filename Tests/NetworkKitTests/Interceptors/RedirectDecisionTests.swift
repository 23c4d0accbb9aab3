import Foundation
import Testing

@testable import NetworkKit

@Suite("Where a redirect leads")
struct RedirectDecisionTests {
    private func target(
        _ status: HTTPStatus = 302, _ location: String..., from source: String = "https://h.test/a/b?q#f", method: HTTPMethod = .get,
        body: RequestBody? = nil, headers: HTTPFields = [:], policy: RedirectPolicy = .standard, followed: Int = 0
    ) throws(RequestError) -> HTTPRequest? {
        let request = HTTPRequest(url: url(source), method: method, headers: headers, body: body)
        let head = ResponseHead(
            status: status, headers: HTTPFields(location.map { HTTPField(name: .location, value: $0) }), url: request.url)
        return try RedirectDecision.target(of: head, for: request, policy: policy, followed: followed)
    }

    /// Status, method, the method that follows, whether the body goes along.
    private static let methodTable: [(Int, String, String, Bool)] = [
        (301, "GET", "GET", false), (301, "HEAD", "HEAD", false), (301, "POST", "GET", false), (301, "PUT", "PUT", true),
        (301, "DELETE", "DELETE", true), (302, "GET", "GET", false), (302, "HEAD", "HEAD", false), (302, "POST", "GET", false),
        (302, "PATCH", "PATCH", true), (303, "GET", "GET", false), (303, "HEAD", "HEAD", false), (303, "POST", "GET", false),
        (303, "PUT", "GET", false), (303, "TESTING", "GET", false), (307, "GET", "GET", false), (307, "HEAD", "HEAD", false),
        (307, "POST", "POST", true), (307, "TESTING", "TESTING", true), (308, "POST", "POST", true), (308, "PUT", "PUT", true),
        (308, "DELETE", "DELETE", true),
    ]

    private func check(_ status: Int, _ method: String, then: String, isResent: Bool) throws {
        let hasBody = isResent || ["POST", "PUT", "PATCH", "TESTING"].contains(method)
        let next = try #require(
            try target(
                HTTPStatus(status), "/c", method: HTTPMethod(name: method), body: hasBody ? .data(Data("x".utf8)) : nil,
                headers: hasBody ? ["Content-Type": "a/b", "Content-Encoding": "gzip", "X": "y"] : ["X": "y"]))
        #expect(next.method.name == then, "\(status) \(method)")
        #expect((next.body != nil) == isResent, "\(status) \(method)")
        #expect(next.headers.map(\.name.rawName) == (isResent ? ["Content-Type", "Content-Encoding", "X"] : ["X"]), "\(status) \(method)")
    }

    @Test("Methods change as RFC 9110 §15.4 and Fetch say", arguments: methodTable)
    func methodChanges(status: Int, method: String, then: String, isResent: Bool) throws {
        try check(status, method, then: then, isResent: isResent)
    }

    @Test("The collected cases of browsers' tests")
    func suite() throws {
        struct Suite: Decodable { var cases: [Case] }
        struct Case: Decodable {
            var status: Int
            var method, then: String
            var body_resent: Bool
        }
        guard let data = SharedSuite.data("redirect-methods.json") else {
            print("redirect-methods.json isn't there; the table above stands for it")
            return
        }
        let cases = try JSONDecoder().decode(Suite.self, from: data).cases
        #expect(!cases.isEmpty)
        for test in cases { try check(test.status, test.method, then: test.then, isResent: test.body_resent) }
    }

    @Test("Fields that describe a dropped body go with it")
    func bodyFields() throws {
        let next = try target(
            303, "/c", method: .post, body: .data(Data("x".utf8)),
            headers: [
                "content-type": "a/b", "Content-Length": 1, "Content-Encoding": "gzip", "Content-Language": "de", "Content-Location": "/x",
                "Transfer-Encoding": "chunked", "Content-Range": "bytes 0-0/1", "Digest": "x", "Content-Digest": "x",
                "Expect": "100-continue",
                "Accept": "a/b",
            ])
        #expect(next?.headers.map(\.name.rawName) == ["Accept"])
    }

    @Test("A body that can't be read again isn't sent again empty", arguments: [301, 302, 307, 308])
    func notReplayable(status: Int) async throws {
        let body = RequestBody.stream(ChunkSequence([]))
        let method: HTTPMethod = status < 307 ? .put : .post
        // As long as nobody has begun to read it, it is as good as new.
        #expect(try target(HTTPStatus(status), "/c", method: method, body: body)?.body != nil)
        for try await _ in body.chunks() {}
        let error = failure { () throws(RequestError) in try target(HTTPStatus(status), "/c", method: method, body: body) }
        guard case .notReplayable = error else { return #expect(error != nil, "expected notReplayable") }
        #expect(try target(303, "/c", method: .post, body: body)?.body == nil)
    }

    @Test("Other statuses, and one without Location, are answers", arguments: [200, 201, 300, 304, 305, 306, 309, 400])
    func answers(status: Int) throws {
        #expect(try target(HTTPStatus(status), "/c") == nil)
        #expect(try target(302) == nil)
        #expect(try target(302, "/c", policy: .manual) == nil)
    }

    @Test(
        "Location is relative to the request, and takes its fragment along",
        arguments: [
            ("/c", "https://h.test/c#f"), ("c", "https://h.test/a/c#f"), ("?x", "https://h.test/a/b?x#f"), ("#g", "https://h.test/a/b?q#g"),
            ("", "https://h.test/a/b?q#f"), ("../../c/./d", "https://h.test/c/d#f"), ("//o.test/c", "https://o.test/c#f"),
            ("https://o.test", "https://o.test/#f"), ("HTTPS://O.test:8443/c#", "HTTPS://O.test:8443/c#"), ("  /c\t", "https://h.test/c#f"),
            ("/c d", "https://h.test/c%20d#f"), ("/%C3%BC ü[1]?b[]=%5B", "https://h.test/%C3%BC%20%C3%BC%5B1%5D?b%5B%5D=%5B#f"),
            ("https://[::1]:8080/c", "https://[::1]:8080/c#f"), ("\\\\o.test\\c", "https://h.test/a/%5C%5Co.test%5Cc#f"),
        ])
    func locations(location: String, expected: String) throws {
        #expect(try target(302, location)?.url.absoluteString == expected)
    }

    @Test(
        "Only http and https are followed",
        arguments: [
            "ftp://h.test/", "file:///etc/passwd", "javascript:alert(1)", "data:text/plain,x", "mailto:a@b", "gopher://h.test",
            "ws://h.test",
        ])
    func schemes(location: String) {
        #expect(failure { () throws(RequestError) in try target(302, location) }?.redirectFault == .scheme)
    }

    @Test("https doesn't lead to http unless asked for")
    func insecure() throws {
        #expect(failure { () throws(RequestError) in try target(302, "http://h.test/") }?.redirectFault == .insecure)
        #expect(try target(302, "http://h.test/", policy: .init(allowsInsecure: true))?.url.absoluteString == "http://h.test/#f")
        #expect(try target(302, "https://h.test/", from: "http://h.test/")?.url.absoluteString == "https://h.test/")
    }

    @Test(
        "A Location that is no URL is a fault",
        arguments: ["https://", "http:c", "https://h.test:99999/", "https://h%2F.test/", "https:///c"])
    func invalid(location: String) {
        let error = failure { () throws(RequestError) in try target(302, location, from: "http://h.test/") }
        #expect(error?.redirectFault == .location)
        #expect(error?.description.contains(location) == true)
    }

    @Test("More than one Location is a fault, the same twice is none")
    func several() throws {
        #expect(failure { () throws(RequestError) in try target(302, "/c", "/d") }?.redirectFault == .location)
        #expect(try target(302, "/c", "/c")?.url.path == "/c")
    }

    @Test("The limit counts redirects in a row")
    func limit() throws {
        #expect(try target(302, "/c", policy: .init(limit: 2), followed: 1) != nil)
        #expect(
            failure { () throws(RequestError) in try target(302, "/c", policy: .init(limit: 2), followed: 2) }?.redirectFault == .tooMany)
    }

    @Test("User information in a Location that isn't followed isn't shown")
    func userInformation() {
        for location in ["ftp://jo:hunter22@h.test/", "https://jo:hunter22@h.test:99999/"] {
            let error = failure { () throws(RequestError) in try target(302, location) }
            #expect(error?.redirectFault != nil && !everythingShown(of: error as Any).contains("hunter22"))
        }
    }
}
