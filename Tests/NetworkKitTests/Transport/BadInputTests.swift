import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

/// What is refused before a byte is sent, by the whole client: each a typed error that names the fault.
@Suite("Bad input")
struct BadInputTests {
    private let client = TestClient()

    /// What a method of one's own may get wrong.
    private struct Method: RequestMethod { var name: String }

    private struct Unencodable: Encodable, Sendable {
        var orders = [1.0, .nan]
    }

    private func failure(_ change: (inout Call) -> Void) async throws -> (RequestError?, requests: Int) {
        try await LoopbackServer.with { routes in
            routes.fallback { _ in .text("reached") }
        } perform: { server in
            var call = server.call("a")
            change(&call)
            let failure = await client.data(for: call).failure
            return (failure, server.requestCount)
        }
    }

    @Test(
        "A base URL that can't be asked names the part at fault",
        arguments: [
            ("localhost", RequestError.InvalidURL.Component.whole), ("/just/a/path", .whole), ("ftp://127.0.0.1/", .scheme),
            ("file:///etc/hostname", .scheme), ("http://127.0.0.1:0/", .port), ("http://127.0.0.1:99999/", .port), ("http:///x", .host),
            ("http://a%20b/", .host), ("http://a%2Fb/", .host), ("localhost:8080/x", .whole),
        ])
    func baseURLs(_ text: String, _ component: RequestError.InvalidURL.Component) async throws {
        let url = try #require(URL(string: text))
        let (failure, requests) = try await failure { $0.baseURL = url }
        guard case .invalidURL(let details) = failure else { return #expect(Bool(false), "\(String(describing: failure))") }
        #expect(details.component == component || text.hasPrefix("localhost:") && details.component == .scheme)
        #expect(!details.reason.isEmpty)
        #expect(requests == 0)
    }

    @Test(
        "A method that could smuggle a request, or isn't one, is refused",
        arguments: ["GET / HTTP/1.1\r\nX: y\r\n\r\nGET", "GE T", "", "GET\n", "GÉT", "CONNECT"])
    func methods(_ name: String) async throws {
        let (failure, requests) = try await failure { $0.method = Method(name: name) }
        guard case .encode(let details) = failure else { return #expect(Bool(false)) }
        #expect(details.part == .method)
        #expect(requests == 0)
    }

    @Test("A field name that could smuggle a field is refused", arguments: ["X\r\nY", "X Y", "X:", "", "Ü", "X\u{0}"])
    func fieldNames(_ name: String) async throws {
        let (failure, requests) = try await failure { $0.headers = HTTPFields([HTTPField(name: .init(name), value: "v")]) }
        guard case .encode(let details) = failure else { return #expect(Bool(false)) }
        #expect(details.part == .fieldName)
        #expect(requests == 0)
    }

    @Test("A field value that could begin another field is refused", arguments: ["a\r\nX-Evil: 1", "a\nb", "a\rb", "a\u{0}b", "a\u{7F}"])
    func fieldValues(_ value: String) async throws {
        let (failure, requests) = try await failure { $0.headers = ["X-A": value] }
        guard case .encode(let details) = failure else { return #expect(Bool(false)) }
        #expect(details.part == .fieldValue("X-A"))
        #expect(requests == 0)
    }

    @Test("A path that holds a line end, or a value that changes the resource, is refused", arguments: ["a\r\nb", "a\u{0}"])
    func paths(_ text: String) async throws {
        for path in [Path(text), "x/\("")", "x/\("..")", "x/\("%2e%2E")/y"] {
            let (failure, requests) = try await failure { $0.path = path }
            guard case .invalidURL(let details) = failure else { return #expect(Bool(false)) }
            #expect(details.component == .path)
            #expect(requests == 0)
        }
    }

    @Test("A body that doesn't encode names the place in the value")
    func bodies() async throws {
        let (failure, requests) = try await failure {
            $0.method = HTTPMethod.post
            $0.body = .json(Unencodable())
        }
        guard case .encode(let details) = failure else { return #expect(Bool(false)) }
        #expect(details.part == .body && details.codingPath == "orders[1]")
        #expect(requests == 0)
    }

    @Test("A number without a decimal form is refused in path and query")
    func numbers() async throws {
        for change: (inout Call) -> Void in [{ $0.path = "\(Double.nan)" }, { $0.query = ["lat": Double.infinity] }] {
            let (failure, requests) = try await failure(change)
            guard case .invalidURL = failure else { return #expect(Bool(false)) }
            #expect(requests == 0)
        }
    }
}
