import Foundation
import NetworkKitTesting
import Testing

@testable import NetworkKit

@Suite("Pages, one after the other")
struct PagesTests {
    struct Listing: Codable, Sendable, Equatable {
        var page = 1
        var total: Int?
        var items: [Int] = []
        var cursor: String?
    }

    /// Counted pages of two items, three in all.
    struct Numbered: NumberedPageEndpoint {
        typealias Response = Listing
        var page = 1
        var lastPage: Int?
        var baseURL: URL { url("https://api.example.com") }
        var path: Path { "list" }
        var query: Query { ["page": page] }
        var headers: HTTPFields { ["Authorization": "Bearer token-1"] }
        func pageCount(_ page: Listing) -> Int? { page.total }
        func isLast(_ page: Listing) -> Bool { page.items.isEmpty }
    }

    struct Offset: OffsetPageEndpoint {
        typealias Response = Listing
        var offset = 0
        var hasTotal = true
        var baseURL: URL { url("https://api.example.com") }
        var path: Path { "list" }
        var query: Query { ["offset": offset] }
        func itemCount(_ page: Listing) -> Int { page.items.count }
        func itemTotal(_ page: Listing) -> Int? { hasTotal ? page.total : nil }
    }

    struct Cursor: CursorPageEndpoint {
        typealias Response = Listing
        var cursor: String?
        var method: any RequestMethod { .post }
        var baseURL: URL { url("https://api.example.com") }
        var path: Path { "list" }
        var body: RequestBody? { .json(["after": cursor]) }
        func nextCursor(_ page: Listing) -> String? { page.cursor }
    }

    struct Linked: LinkedPageEndpoint {
        typealias Response = [Int]
        var pageURL: URL?
        var key: String?
        var baseURL: URL { url("https://api.example.com/v1") }
        var path: Path { "list" }
        var query: Query { ["size": 2, "key": key.map { .secret($0) }] }
        var headers: HTTPFields { ["Authorization": "Bearer token-1", "X-Api-Key": .secret("key-2"), "X-Plain": "x"] }
    }

    private func client(_ transport: any Transport, clock: any Clock<Duration> = TestClock()) -> NetworkClient {
        NetworkClient(session: HTTPSession(transport: transport, clock: clock))
    }

    /// A server of `count` pages of two items each.
    private static func server(_ count: Int, clocked: Duration? = nil) -> StubTransport {
        StubTransport { routes in
            routes.get("list") { request in
                let page = request.query("page").flatMap { Int($0) } ?? 1
                let answer = StubAnswer.json(Listing(page: page, total: count, items: page > count ? [] : [2 * page - 1, 2 * page]))
                return clocked.map { answer.delayed(by: $0) } ?? answer
            }
        }
    }

    private func all<Elements: AsyncSequence>(_ elements: Elements) async -> ([Elements.Element], RequestError?)
    where Elements.Failure == RequestError {
        var result: [Elements.Element] = []
        do throws(RequestError) {
            for try await element in elements { result.append(element) }
        } catch {
            return (result, error)
        }
        return (result, nil)
    }

    // MARK: The ways of paging

    @Test("Counted pages end with the last, by the server's count, the endpoint's own bound, or an empty page")
    func numbered() async {
        let stub = Self.server(3)
        let (pages, error) = await all(client(stub).pages(Numbered()))
        #expect(pages.map(\.items) == [[1, 2], [3, 4], [5, 6]])
        #expect(error == nil)
        #expect(stub.requests.map(\.target) == ["/list?page=1", "/list?page=2", "/list?page=3"])
        #expect(await all(client(Self.server(1000)).pages(Numbered(page: 499, lastPage: 500))).0.map(\.page) == [499, 500])
        let uncounted = StubTransport {
            $0.get("list", .json(Listing(items: [1])), .json(Listing(items: [2])), .json(Listing(items: [])))
        }
        #expect(await all(client(uncounted).pages(Numbered())).0.map(\.items) == [[1], [2], []])
    }

    @Test("Pages by offset end with the total, or with an empty page")
    func offset() async {
        for hasTotal in [true, false] {
            let stub = StubTransport {
                $0.get(
                    "list", .json(Listing(total: 5, items: [1, 2])), .json(Listing(total: 5, items: [3, 4])),
                    .json(Listing(total: 5, items: [5])), .json(Listing(total: 5)))
            }
            let (pages, error) = await all(client(stub).pages(Offset(hasTotal: hasTotal)))
            #expect(pages.flatMap(\.items) == [1, 2, 3, 4, 5])
            #expect(error == nil)
            #expect(stub.requests.map(\.target) == [0, 2, 4, 5].prefix(hasTotal ? 3 : 4).map { "/list?offset=\($0)" })
        }
    }

    @Test("Pages by cursor end without one; the cursor may be in the body", arguments: [nil, ""])
    func cursor(_ end: String?) async {
        let stub = StubTransport {
            $0.post("list", .json(Listing(items: [1], cursor: "a b")), .json(Listing(items: [2], cursor: "c")), .json(Listing(cursor: end)))
        }
        let (pages, error) = await all(client(stub).pages(Cursor()))
        #expect(pages.map(\.cursor) == ["a b", "c", end])
        #expect(error == nil)
        #expect(
            stub.requests.map { String(decoding: $0.body, as: UTF8.self) } == [#"{"after":null}"#, #"{"after":"a b"}"#, #"{"after":"c"}"#])
    }

    private func linked(_ links: String...) -> StubTransport {
        let answers = links.enumerated().map { StubAnswer.json("[\($0.offset)]", headers: ["Link": $0.element]) }
        return StubTransport { routes in
            let number = Recorder<Int>()
            routes.fallback { _ in
                number.add(0)
                return number.values.count <= answers.count ? answers[number.values.count - 1] : .json("[]")
            }
        }
    }

    @Test("Linked pages follow rel=next, as it is written and relative to the page")
    func links() async {
        let stub = linked("<?size=2&cursor=a%2Fb>; rel=\"next\", </>; rel=first", "</v2/list?x=1>; rel=next")
        let (pages, error) = await all(client(stub).pages(Linked()))
        #expect(pages == [[0], [1], []])
        #expect(error == nil)
        #expect(
            stub.requests.map(\.url.absoluteString) == [
                "https://api.example.com/v1/list?size=2", "https://api.example.com/v1/list?size=2&cursor=a%2Fb",
                "https://api.example.com/v2/list?x=1",
            ])
        #expect(stub.requests.allSatisfy { $0.headers[.authorization] == "Bearer token-1" })
    }

    // MARK: Secrets

    @Test("A link to another origin gets no credentials, and neither does what it leads to")
    func otherOrigin() async {
        let stub = linked("<https://evil.test/list>; rel=next", "</more>; rel=next", "<https://api.example.com/back>; rel=next")
        let (pages, error) = await all(client(stub).pages(Linked()))
        #expect(pages.count == 4 && error == nil)
        #expect(stub.requests.map(\.url.host) == ["api.example.com", "evil.test", "evil.test", "api.example.com"])
        #expect(stub.requests.map { $0.headers[.authorization] != nil } == [true, false, false, true])
        #expect(stub.requests.map { $0.headers["X-Api-Key"] != nil } == [true, false, false, true])
        #expect(stub.requests.allSatisfy { $0.headers["X-Plain"] == "x" })
        #expect(stub.requests.allSatisfy { $0.context.homeOrigin == Origin(url("https://api.example.com")) })
    }

    @Test("From https to http counts as another origin; a link that is no URL to ask ends the pages")
    func oddLinks() async {
        let stub = linked("<http://api.example.com/list>; rel=next")
        _ = await all(client(stub).pages(Linked()))
        #expect(stub.requests.map { $0.headers[.authorization] != nil } == [true, false])
        for link in ["<ftp://api.example.com/list>; rel=next", "<mailto:a@b>; rel=next", "<https:///x>; rel=next"] {
            let (pages, error) = await all(client(linked(link)).pages(Linked()))
            #expect(pages == [[0]])
            guard case .invalidURL? = error else { Issue.record("\(link): \(String(describing: error))"); continue }
        }
    }

    @Test("A URL with a secret of the call is asked at the call's origin only")
    func secretInURL() async {
        let stub = linked("<https://evil.test/list?key=hush-hush>; rel=next")
        let (pages, error) = await all(client(stub).pages(Linked(key: "hush-hush")))
        #expect(pages.count == 1)
        guard case .invalidURL? = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(!everythingShown(of: error as Any).contains("hush-hush"))
        #expect(stub.requests.count == 1)
        let home = linked("<?key=hush-hush&page=2>; rel=next")
        #expect(await all(client(home).pages(Linked(key: "hush-hush"))).1 == nil)
    }

    @Test("Pages that go on from a URL that was kept give secrets to the base URL's origin alone")
    func keptURL() async {
        let stub = linked("<https://api.example.com/back>; rel=next")
        let session = HTTPSession(
            transport: stub, interceptors: [.authentication(.bearer("token-3"))], headers: ["X-Session": .secret("key-4")],
            clock: TestClock())
        let (pages, error) = await all(NetworkClient(session: session).pages(Linked(pageURL: url("https://evil.test/list?page=7"))))
        #expect(pages == [[0], []] && error == nil)
        #expect(stub.requests.map(\.url.absoluteString) == ["https://evil.test/list?page=7", "https://api.example.com/back"])
        for name: HTTPField.Name in [.authorization, "X-Api-Key", "X-Session"] {
            #expect(stub.requests.map { $0.headers.contains(name) } == [false, true])
        }
        #expect(stub.requests.allSatisfy { $0.headers["X-Plain"] == "x" })
        #expect(stub.requests.allSatisfy { $0.context.homeOrigin == Origin(url("https://api.example.com")) })
        let home = linked()
        _ = await all(client(home).pages(Linked(pageURL: url("https://api.example.com/v1/list?page=7"))))
        #expect(home.requests.map { $0.headers[.authorization] } == ["Bearer token-1"])
    }

    @Test("A body with a secret goes to the base URL's origin only, by a link or from a URL that was kept")
    func secretInBody() async {
        struct Search: LinkedPageEndpoint {
            typealias Response = [Int]
            var pageURL: URL?
            var baseURL: URL { url("https://api.example.com") }
            var path: Path { "search" }
            var method: any RequestMethod { .query }
            var body: RequestBody? { .form(["key": .secret("hush-hush")]) }
        }
        let stub = linked("<?page=2>; rel=next", "<https://evil.test/search>; rel=next")
        let (pages, error) = await all(client(stub).pages(Search()))
        #expect(pages == [[0], [1]] && error?.invalidComponent == .whole)
        #expect(error?.description.contains("body") == true && !everythingShown(of: error as Any).contains("hush-hush"))
        #expect(stub.requests.count == 2)
        let kept = await client(stub).send(Search(pageURL: url("https://evil.test/search")))
        #expect(kept.failure?.invalidComponent == .whole && stub.requests.count == 2)
    }

    @Test("The endpoint's own Host stays with the base URL's origin")
    func ownHost() async {
        struct Virtual: LinkedPageEndpoint {
            typealias Response = [Int]
            var pageURL: URL?
            var baseURL: URL { url("http://127.0.0.1:8080") }
            var path: Path { "list" }
            var headers: HTTPFields { ["Host": "virtual.test"] }
        }
        let stub = linked("<?page=2>; rel=next", "<https://evil.test/>; rel=next", "<http://127.0.0.1:8080/>; rel=next")
        #expect(await all(client(stub).pages(Virtual())).1 == nil)
        #expect(stub.requests.map { $0.headers[.host] } == ["virtual.test", "virtual.test", nil, "virtual.test"])
    }

    @Test("A page's URL is where every call goes")
    func everyCall() async throws {
        let stub = StubTransport { $0.get("https://api.example.com/v2/list", .json("[7]")) }
        let client = client(stub)
        let page = Linked(pageURL: url("https://api.example.com/v2/list?page=7"))
        #expect(try await client.send(page).get() == [7])
        #expect(try await client.reply(to: page).get().value == [7])
        #expect(try await client.data(for: page).get() == Data("[7]".utf8))
        #expect(try await client.response(for: page).get().status == 200)
        for try await line in client.lines(for: page) { #expect(line == "[7]") }
        let file = FileManager.default.temporaryDirectory.appending(path: "networkkit-page-\(UUID().uuidString)")
        _ = try await client.download(page, to: file).get()
        #expect(try Data(contentsOf: file) == Data("[7]".utf8))
        try FileManager.default.removeItem(at: file)
        #expect(stub.requests.map(\.url.absoluteString) == Array(repeating: "https://api.example.com/v2/list?page=7", count: 6))
        #expect(try HTTPRequest(page).url.absoluteString == "https://api.example.com/v2/list?page=7")
        #expect(try HTTPRequest(Linked()).url.absoluteString == "https://api.example.com/v1/list?size=2")
        let explanation = client.explain(page)
        #expect(explanation.url == "https://api.example.com/v2/list?page=7")
        #expect(
            explanation.urlParts.map { [$0.name, $0.value, $0.origin] } == [["page", "https://api.example.com/v2/list?page=7", "pageURL"]])
        #expect(stub.requests.count == 6)
    }

    @Test("A page's URL that isn't absolute is refused in words", arguments: ["list?page=2", "/list", "//api.example.com/list"])
    func relativeURL(_ text: String) async {
        let error = await client(linked()).send(Linked(pageURL: url(text))).failure
        #expect(error?.invalidComponent == .whole && error?.description.contains(text) == true)
        #expect(error?.description.contains("not an absolute URL") == true)
    }

    @Test(
        "A link that is no URL ends the pages with an error, not as if the last had come",
        arguments: ["https://[::1/list", "https://api.example.com:port/list", "https://jo:pa55word@[::1/list"])
    func noURL(_ link: String) async {
        let stub = linked("<\(link)>; rel=next")
        let (pages, error) = await all(client(stub).pages(Linked()))
        #expect(pages == [[0]])
        #expect(error?.invalidComponent != nil && stub.requests.count == 1)
        #expect(!everythingShown(of: error as Any).contains("pa55word"))
    }

    // MARK: Loops

    @Test("Pages that lead in a circle end when one is asked for again")
    func circle() async {
        let stub = linked("<?p=2>; rel=next", "<?p=3>; rel=next", "<?p=2>; rel=next")
        let (pages, error) = await all(client(stub).pages(Linked()))
        #expect(pages == [[0], [1], [2]])
        guard case .stream(let details)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(details.position == 4)
        #expect(stub.requests.count == 3)
    }

    @Test("A page that repeats for ever ends the pages when it comes a second time, unless that is allowed")
    func repeats() async {
        let stub = StubTransport(.json(Listing(total: 1000, items: [1])))
        let (pages, error) = await all(client(stub).pages(Numbered()))
        #expect(pages.count == 1)
        guard case .stream(let details)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(details.position == 2)
        #expect(details.url?.query == "page=2")
        #expect(await all(client(stub).pages(Numbered(), limit: 5, allowsRepeats: true)).0.count == 5)
    }

    // MARK: Limits and prefetching

    @Test("No page is fetched beyond the limit", arguments: [false, true])
    func limit(_ prefetch: Bool) async {
        for limit in [-1, 0, 1, 2] {
            let stub = Self.server(5)
            #expect(await all(client(stub).pages(Numbered(), limit: limit, prefetch: prefetch)).0.count == max(0, limit))
            #expect(stub.requests.count == max(0, limit))
        }
    }

    @Test("Items come in order, up to a limit, and no page is fetched for more", arguments: [false, true])
    func items(_ prefetch: Bool) async {
        #expect(await all(client(Self.server(3)).items(Numbered(), \.items, prefetch: prefetch)).0 == [1, 2, 3, 4, 5, 6])
        for (limit, requests) in [(0, 0), (1, 1), (2, 1), (3, 2), (6, 3), (100, 3)] {
            let stub = Self.server(3)
            let items = await all(client(stub).items(Numbered(), \.items, limit: limit)).0
            #expect(items == Array([1, 2, 3, 4, 5, 6].prefix(limit)))
            #expect(stub.requests.count == requests)
        }
        // Pages without items are passed over.
        let sparse = StubTransport {
            $0.get("list", .json(Listing(page: 1, total: 3)), .json(Listing(page: 2, total: 3)), .json(Listing(page: 3, items: [9])))
        }
        struct Sparse: PagedEndpoint {
            typealias Response = Listing
            var page = 1
            var baseURL: URL { url("https://api.example.com") }
            var path: Path { "list" }
            var query: Query { ["page": page] }
            func next(after page: Listing, response: HTTPResponse) -> Sparse? { page.total == nil ? nil : Sparse(page: self.page + 1) }
        }
        #expect(await all(client(sparse).items(Sparse(), \.items, prefetch: prefetch)).0 == [9])
    }

    @Test("Without prefetching a page is asked for when it is wanted; with it, while the one before is looked at")
    func prefetch() async throws {
        for prefetch in [false, true] {
            let stub = Self.server(3)
            var pages = client(stub).pages(Numbered(), prefetch: prefetch).makeAsyncIterator()
            #expect(stub.requests.isEmpty)
            _ = try await pages.next()
            if prefetch { await stub.waitForRequests(2) }
            #expect(stub.requests.count == (prefetch ? 2 : 1))
            #expect(try await pages.next()?.page == 2)
            #expect(try await pages.next()?.page == 3)
            #expect(try await pages.next() == nil)
            #expect(try await pages.next() == nil)
            #expect(stub.requests.count == 3)
        }
    }

    @Test("Leaving the loop ends the request that was made ahead")
    func leaving() async throws {
        let clock = TestClock()
        let stub = StubTransport {
            $0.get("list") { request in
                let page = request.query("page").flatMap { Int($0) } ?? 1
                let answer = StubAnswer.json(Listing(page: page, total: 9, items: [page]))
                return page == 1 ? answer : answer.delayed(by: .seconds(20))
            }
        }
        for try await _ in client(stub, clock: clock).pages(Numbered(), prefetch: true) {
            await stub.waitForRequests(2)
            break
        }
        // The stub sleeps as long as it is asked, by the session's clock; nobody sleeps any more.
        await clock.sleepers([])
        #expect(stub.requests.count == 2)
        var items = client(stub, clock: clock).items(Numbered(), \.items, limit: 1, prefetch: true).makeAsyncIterator()
        #expect(try await items.next() == 1)
        await clock.sleepers([])
        #expect(try await items.next() == nil)
    }

    @Test("Cancelling the task ends the wait for a page at once", arguments: [false, true])
    func cancel(_ prefetch: Bool) async {
        let clock = TestClock()
        let stub = StubTransport {
            $0.get("list") { request in
                let page = request.query("page").flatMap { Int($0) } ?? 1
                let answer = StubAnswer.json(Listing(page: page, total: 9, items: [page]))
                return page == 1 ? answer : answer.delayed(by: .seconds(20))
            }
        }
        let pages = client(stub, clock: clock).pages(Numbered(), prefetch: prefetch)
        let task = Task { await all(pages) }
        await stub.waitForRequests(2)
        task.cancel()
        let (seen, error) = await task.value
        #expect(seen.count == 1)
        #expect(error?.isCancellation == true)
        await clock.sleepers([])
        #expect(stub.requests.count == 2)
    }

    @Test("A page that fails ends the sequence with its error, and only once", arguments: [false, true])
    func failing(_ prefetch: Bool) async throws {
        let stub = StubTransport { $0.get("list", .json(Listing(total: 3, items: [1])), .status(503)) }
        var pages = client(stub).pages(Numbered(), prefetch: prefetch).makeAsyncIterator()
        _ = try await pages.next()
        let error = await #expect(throws: RequestError.self) { try await pages.next() }
        #expect(error?.statusCode == 503)
        #expect(try await pages.next() == nil)
        #expect(stub.requests.count == 2)
    }

    @Test("The endpoint sees the page's answer, whose body is empty")
    func response() async {
        struct Seeing: PagedEndpoint {
            typealias Response = Listing
            let seen: Recorder<HTTPResponse>
            var baseURL: URL { url("https://api.example.com") }
            var path: Path { "list" }
            func next(after page: Listing, response: HTTPResponse) -> Seeing? {
                seen.add(response)
                return nil
            }
        }
        let seen = Recorder<HTTPResponse>()
        _ = await all(client(StubTransport(.json(Listing(), headers: ["X-Total": "7"]))).pages(Seeing(seen: seen)))
        #expect(seen.values.first?.headers["X-Total"] == "7")
        #expect(seen.values.first?.body.expectedLength == 0)
    }
}
