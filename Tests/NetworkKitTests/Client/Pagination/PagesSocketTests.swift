import Foundation
import NetworkKitTesting
import Testing

@testable import NetworkKit

@Suite("Pages of two servers, over sockets")
struct PagesSocketTests {
    private struct Linked: LinkedPageEndpoint {
        typealias Response = [Int]
        var pageURL: URL?
        var baseURL: URL
        var path: Path { "list" }
        var headers: HTTPFields { ["X-Api-Key": .secret("key-2"), "Cookie": "session=3", "X-Plain": "x"] }
    }

    /// A page with a link to the next, if there is one.
    private static func page(_ number: Int, next: String?) -> LoopbackResponse {
        .json("[\(number)]", headers: next.map { ["Link": "<\($0)>; rel=\"next\""] } ?? [:])
    }

    private static func names(_ request: RecordedRequest) -> [Bool] {
        [.authorization, "X-Api-Key", .cookie, "X-Plain"].map { request.headers.contains($0) }
    }

    @Test("A Link header that points to another origin: credentials stay home, and go again to where they belong")
    func otherOrigin() async throws {
        let places = Recorder<URL>()
        let home = try await LoopbackServer.start { routes in
            routes.get("list") { request in
                request.query == nil
                    ? Self.page(1, next: places.values.last?.absoluteString) : Self.page(4, next: nil)
            }
        }
        let other = try await LoopbackServer.start { routes in
            routes.get("list") { _ in Self.page(2, next: "more?x=1") }
            routes.get("more") { _ in Self.page(3, next: places.values.first?.absoluteString) }
        }
        places.add(home.url("/list?back=1"))
        places.add(other.url("/list"))
        let client = TestClient(interceptors: [.authentication(.bearer("token-1"))])
        var pages: [[Int]] = []
        for try await page in client.pages(Linked(baseURL: home.baseURL)) { pages.append(page) }
        #expect(pages == [[1], [2], [3], [4]])
        #expect(home.requests.map(Self.names) == [[true, true, true, true], [true, true, true, true]])
        #expect(other.requests.map(Self.names) == [[false, false, false, true], [false, false, false, true]])
        let sent = other.requests.map { request in request.target + request.headers.map { "\($0.name.rawName): \($0.value)" }.joined() }
        for secret in ["token-1", "key-2", "session=3"] { #expect(!sent.joined().contains(secret)) }
        await home.stop()
        await other.stop()
    }

    @Test("A page that repeats for ever ends the pages when it comes again, and nothing is asked for behind it", arguments: [false, true])
    func repeats(_ prefetch: Bool) async throws {
        try await LoopbackServer.with { routes in
            // Each link differs, so that only the content tells.
            routes.get("list") { request in
                let number = request.queryItems.first.flatMap { Int($0.value ?? "") } ?? 0
                return Self.page(7, next: "?n=\(number + 1)")
            }
        } perform: { server in
            var pages: [[Int]] = []
            let error = await failure { () async throws(RequestError) in
                for try await page in TestClient().pages(Linked(baseURL: server.baseURL), prefetch: prefetch) { pages.append(page) }
            }
            guard case .stream(let details)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
            #expect(pages == [[7]])
            #expect(details.position == 2)
            await server.waitForAnswers(2)
            #expect(server.requestCount == 2)
        }
    }
}
