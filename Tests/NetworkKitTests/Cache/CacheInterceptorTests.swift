import NetworkKitTesting
import PlatformBase
import Testing

@testable import NetworkKit

@Suite("A cache in front of a server")
struct CacheInterceptorTests {
    private let fresh: HTTPFields = ["Cache-Control": "max-age=60", "ETag": "\"1\"", "X": "1"]

    @Test("A second request within max-age sends nothing, and says where its answer came from")
    func hit() async throws {
        let bench = CacheBench(.text("one", headers: fresh), .text("two"))
        let first = try await bench.get()
        #expect(first.text == "one" && first.use == .miss && first.cacheStatus == "NetworkKit; fwd=uri-miss; stored")
        #expect(!first.headers.contains(.age))
        bench.clock.advance(by: .seconds(42))
        let second = try await bench.get()
        #expect(second.text == "one" && second.use == .hit && second.cacheStatus == "NetworkKit; hit; ttl=18")
        #expect(first.response.head.cacheTimeToLive == nil && second.response.head.cacheTimeToLive == .seconds(18))
        #expect(second.headers[.age] == "42" && second.headers["X"] == "1" && second.response.url.absoluteString == "https://a.test/page")
        #expect(bench.stub.requests.count == 1)
    }

    @Test("A stale answer is validated, and a 304 makes it fresh with the fields that it brings")
    func validation() async throws {
        let bench = CacheBench(
            .text("one", headers: fresh), .status(304, headers: ["X": "2", "Cache-Control": "max-age=100", "Set-Cookie": "a=b"]),
            .text("two"))
        try await bench.get()
        bench.clock.advance(by: .seconds(60))
        let second = try await bench.get()
        #expect(second.status == 200 && second.text == "one" && second.use == .revalidated && second.headers["X"] == "2")
        #expect(second.cacheStatus == "NetworkKit; fwd=stale; fwd-status=304; stored" && second.headers[.age] == "0")
        // The server sets it now, so it is for who asks now, and for nobody later.
        #expect(second.headers[.setCookie] == "a=b")
        #expect(bench.stub.requests[1].headers[.ifNoneMatch] == "\"1\"")
        bench.clock.advance(by: .seconds(99))
        let third = try await bench.get()
        #expect(third.use == .hit && third.headers[.age] == "99" && !third.headers.contains(.setCookie))
        bench.clock.advance(by: .seconds(1))
        let last = try await bench.get()
        #expect(last.text == "two" && last.use == .miss && last.cacheStatus == "NetworkKit; fwd=stale; fwd-status=200; stored")
    }

    @Test("A Set-Cookie reaches who asked the server, and nobody whom the cache answers")
    func cookies() async throws {
        let bench = CacheBench(.text("one", headers: ["Cache-Control": "max-age=60", "Set-Cookie": "session=1"]))
        #expect(try await bench.get().headers[.setCookie] == "session=1")
        let second = try await bench.get()
        #expect(second.use == .hit && !second.headers.contains(.setCookie))
    }

    @Test("Each policy takes, asks and stores what its name says")
    func policies() async throws {
        let bench = CacheBench(
            .text("1", headers: fresh), .text("2", headers: fresh), .text("3"), .status(304), .text("5", headers: fresh), .text("6"))
        func text(_ policy: CachePolicy?) async throws -> String {
            let reading = try await bench.get(policy: policy)
            return reading.description
        }
        #expect(try await bench.get(policy: .cacheOnly).status == 504)
        #expect(try await text(.preferCache) == "200 1 miss NetworkKit; fwd=uri-miss; stored")
        #expect(try await text(.protocol) == "200 1 hit NetworkKit; hit; ttl=60")
        #expect(try await text(.reload) == "200 2 miss NetworkKit; fwd=request; stored")
        #expect(bench.stub.requests[1].headers == ["Cache-Control": "no-cache"])
        #expect(try await text(nil) == "200 2 hit NetworkKit; hit; ttl=60")
        #expect(try await text(.noStore) == "200 3 miss NetworkKit; fwd=bypass")
        #expect(try await text(nil) == "200 2 hit NetworkKit; hit; ttl=60")
        #expect(try await text(.revalidate) == "200 2 revalidated NetworkKit; fwd=request; fwd-status=304; stored")
        #expect(bench.stub.requests[3].headers == ["If-None-Match": "\"1\"", "Cache-Control": "max-age=0"])
        bench.clock.advance(by: .seconds(99))
        #expect(try await text(.preferCache) == "200 2 stale NetworkKit; hit; ttl=-39")
        #expect(try await text(.cacheOnly) == "200 2 stale NetworkKit; hit; ttl=-39")
        #expect(try await text(.protocol) == "200 5 miss NetworkKit; fwd=stale; fwd-status=200; stored")
        #expect(bench.stub.requests.count == 5)
    }

    @Test("An answer that contradicts the stored one and may not be kept drives it out")
    func replacedByNothing() async throws {
        let bench = CacheBench(.text("1", headers: fresh), .text("2", headers: ["Cache-Control": "no-store"]), .text("3"))
        try await bench.get()
        #expect(try await bench.get(policy: .reload).cacheStatus == "NetworkKit; fwd=request")
        #expect(try await bench.get().text == "3")
    }

    @Test("A server that fails leaves the stored answer where it was")
    func failureKeeps() async throws {
        let bench = CacheBench(.text("1", headers: fresh), .status(500), .text("3"))
        try await bench.get()
        #expect(try await bench.get(policy: .reload).status == 500)
        #expect(try await bench.get().text == "1")
    }

    @Test("Answers of one URL are kept by what they vary on")
    func variants() async throws {
        let stub = StubTransport {
            $0.fallback { .text($0.headers[.acceptLanguage] ?? "-", headers: ["Cache-Control": "max-age=60", "Vary": "Accept-Language"]) }
        }
        let bench = CacheBench(stub)
        for language in ["de", "en", "de", "en"] {
            #expect(try await bench.get("https://a.test/page", .get, ["Accept-Language": language]).text == language)
        }
        #expect(try await bench.get().text == "-")
        #expect(stub.requests.count == 3)
        #expect(
            try await bench.get("https://a.test/page", .get, ["Accept-Language": "fr"]).cacheStatus == "NetworkKit; fwd=vary-miss; stored")
    }

    @Test("No account sees another's copy; a token that was renewed finds its own")
    func accounts() async throws {
        let stub = StubTransport {
            $0.fallback { .text("\($0.number)", headers: ["Cache-Control": "max-age=60", "Vary": "Authorization"]) }
        }
        let bench = CacheBench(stub)
        #expect(try await bench.get("https://a.test/page", .get, ["Authorization": "old"], identity: "anna").text == "1")
        #expect(try await bench.get("https://a.test/page", .get, ["Authorization": "new"], identity: "anna").text == "1")
        #expect(try await bench.get(identity: "bert").text == "2")
        #expect(try await bench.get().text == "3")
        #expect(try await bench.get("https://a.test/page", .get, ["Authorization": "own"]).text == "4")
        #expect(try await bench.get("https://a.test/page", .get, ["Authorization": "own"]).text == "4")
        #expect(try await bench.get(identity: "anna").text == "1")
        // What one has changed has changed for all.
        try await bench.get("https://a.test/page", .put, identity: "bert")
        #expect(try await bench.get(identity: "anna").text == "6")
        await bench.cache.removeAll()
        #expect(try await bench.get(identity: "anna").text == "7")
    }

    @Test("A shared cache keeps nothing private, and of a request with credentials only what the server allows")
    func shared() async throws {
        let stub = StubTransport { $0.fallback { .text("\($0.number)", headers: ["Cache-Control": $0.query ?? ""]) } }
        let bench = CacheBench(cache: HTTPCache(isShared: true), stub)
        func isKept(_ control: String, identity: String? = nil) async throws -> Bool {
            _ = try await bench.get("https://a.test/?" + control, identity: identity)
            return try await bench.get("https://a.test/?" + control, identity: identity).use == .hit
        }
        #expect(try await !isKept("private,max-age=60"))
        #expect(try await isKept("max-age=60"))
        #expect(try await !isKept("max-age=61", identity: "anna"))
        #expect(try await isKept("max-age=62,public", identity: "anna"))
        #expect(try await bench.get("https://a.test/?max-age=62,public", identity: "bert").use == .hit)
    }

    @Test("A shared cache gives nobody an answer that varies with credentials which others have")
    func sharedVariants() async throws {
        let stub = StubTransport {
            $0.fallback { .text("\($0.number)", headers: ["Cache-Control": "public, max-age=60", "Vary": "Authorization"]) }
        }
        let bench = CacheBench(cache: HTTPCache(isShared: true), stub)
        let texts = try await [
            bench.get(identity: "anna").text, bench.get(identity: "bert").text, bench.get().text, bench.get(identity: "anna").text,
        ]
        #expect(texts == ["1", "2", "3", "1"])
    }

    @Test("A request with a body is neither answered by another one's answer nor leaves its own")
    func bodies() async throws {
        let bench = CacheBench(StubTransport { $0.fallback { [fresh] in .text("\($0.number)", headers: fresh) } })
        func search(_ text: String) -> HTTPRequest {
            var request = pageRequest()
            request.body = .data(Data(text.utf8), contentType: nil)
            return request
        }
        #expect(try await bench.get().text == "1")
        for count in 2...3 {
            #expect(try await bench.read(search("\(count)")).description == "200 \(count) miss NetworkKit; fwd=bypass")
        }
        #expect(try await bench.get().description == "200 1 hit NetworkKit; hit; ttl=60")
        #expect(CacheInterceptor(cache: bench.cache).describe(search("1")) == "neither answers nor stores")
    }

    @Test("Who wants stored answers only never asks the server, whatever else it wants")
    func onlyIfCached() async throws {
        let bench = CacheBench(.text("one", headers: fresh))
        try await bench.get()
        let describing = CacheInterceptor(cache: bench.cache)
        var withBody = pageRequest(policy: .cacheOnly)
        withBody.body = .data(Data("a".utf8), contentType: nil)
        let requests =
            [HTTPMethod.post, .put, .delete, .options].map { pageRequest("https://a.test/page", $0, policy: .cacheOnly) } + [
                pageRequest("https://a.test/page", .post, ["Cache-Control": "only-if-cached"]),
                pageRequest("https://a.test/page", .get, ["Cache-Control": "only-if-cached, no-store"]),
                pageRequest("https://a.test/page", .get, ["Cache-Control": "only-if-cached"], policy: .noStore),
                pageRequest("https://a.test/page", .get, ["Cache-Control": "only-if-cached"], policy: .reload), withBody,
            ]
        for request in requests {
            let reading = try await bench.read(request)
            #expect(reading.status == 504 && reading.cacheStatus == "NetworkKit; detail=only-if-cached")
            #expect(describing.describe(request) == "private: fails with 504")
        }
        #expect(bench.stub.requests.count == 1)
        #expect(try await bench.get(policy: .cacheOnly).text == "one")
    }

    @Test("What an unsafe request has changed is asked for anew, and so is where its answer points")
    func invalidation() async throws {
        let stub = StubTransport {
            $0.on(.post, "/fails", .status(500))
            $0.on(.post, "/named", .status(201, headers: ["Location": "/m\u{fc}nchen"]))
            $0.on(.post, "*", .status(201, headers: ["Location": "/other"]))
            $0.fallback { .text("\($0.number)", headers: ["Cache-Control": "max-age=60"]) }
        }
        let bench = CacheBench(stub)
        for page in ["/page", "/other", "/third", "/fails"] { try await bench.get("https://a.test" + page) }
        #expect(try await bench.get("https://a.test/page", .post).cacheStatus == "NetworkKit; fwd=method")
        try await bench.get("https://a.test/fails", .post)
        let uses = try await [
            bench.get("https://a.test/page").use, bench.get("https://a.test/other").use, bench.get("https://a.test/third").use,
            bench.get("https://a.test/fails").use,
        ]
        #expect(uses == [.miss, .miss, .hit, .hit])
        try await bench.get("https://a.test/m%C3%BCnchen")
        try await bench.get("https://a.test/named", .post)
        #expect(try await bench.get("https://a.test/m%C3%BCnchen").use == .miss, "servers write letters as they are")
    }

    @Test("HEAD is answered from what GET has brought, and its own answer renews that or drives it out")
    func head() async throws {
        let bench = CacheBench(
            .text("body", headers: fresh), .status(200, headers: ["ETag": "\"1\"", "Cache-Control": "max-age=500", "X": "2"]),
            .status(200, headers: ["ETag": "\"2\""]), .text("new", headers: fresh))
        try await bench.get()
        let head = try await bench.get("https://a.test/page", .head)
        #expect(head.text.isEmpty && head.use == .hit && head.headers["X"] == "1")
        bench.clock.advance(by: .seconds(70))
        #expect(try await bench.get("https://a.test/page", .head).use == .miss)
        bench.clock.advance(by: .seconds(400))
        let renewed = try await bench.get()
        #expect(renewed.use == .hit && renewed.text == "body" && renewed.headers["X"] == "2")
        bench.clock.advance(by: .seconds(200))
        try await bench.get("https://a.test/page", .head)
        #expect(try await bench.get().text == "new")
    }

    @Test("Parts of what is stored are answered, and a 304 where the caller has it already")
    func less() async throws {
        let bench = CacheBench(.text("0123456789", headers: fresh), .text("x"))
        try await bench.get()
        let part = try await bench.get("https://a.test/page", .get, ["Range": "bytes=2-4"])
        #expect(part.status == 206 && part.text == "234" && part.headers[.contentRange] == "bytes 2-4/10" && part.use == .hit)
        #expect(part.headers[.contentLength] == "3")
        let same = try await bench.get("https://a.test/page", .get, ["If-None-Match": "\"1\""])
        #expect(same.status == 304 && same.text.isEmpty && same.headers[.eTag] == "\"1\"" && same.use == .hit)
        #expect(try await bench.get("https://a.test/page", .get, ["If-None-Match": "\"0\""]).text == "0123456789")
        #expect(bench.stub.requests.count == 1)
        #expect(try await bench.get("https://a.test/page", .get, ["Range": "bytes=20-"]).cacheStatus == "NetworkKit; fwd=partial; stored")
        #expect(bench.stub.requests[1].headers == ["Range": "bytes=20-"])
    }

    @Test("Partial content isn't stored")
    func partialContent() async throws {
        let bench = CacheBench(
            .text("01", status: 206, headers: ["Cache-Control": "max-age=60", "Content-Range": "bytes 0-1/4"]), .text("0123"))
        try await bench.get("https://a.test/page", .get, ["Range": "bytes=0-1"])
        #expect(try await bench.get().text == "0123")
    }

    @Test("A caller's own condition goes on unchanged when the server must be asked, and its 304 is the caller's")
    func ownCondition() async throws {
        let bench = CacheBench(.text("one", headers: fresh), .status(304))
        try await bench.get()
        bench.clock.advance(by: .seconds(70))
        let answer = try await bench.get("https://a.test/page", .get, ["If-None-Match": "\"0\""])
        #expect(answer.status == 304 && answer.use == .miss)
        #expect(bench.stub.requests[1].headers == ["If-None-Match": "\"0\""])
    }

    @Test("A stale answer stands in for a server that fails, as long as the server has said")
    func staleIfError() async throws {
        let headers: HTTPFields = ["Cache-Control": "max-age=60, stale-if-error=100"]
        for answer in [StubAnswer.status(503), .connection(.refused), .failure(.timedOut()), .failure(.rejected())] {
            let bench = CacheBench(.text("old", headers: headers), answer)
            try await bench.get()
            bench.clock.advance(by: .seconds(160))
            let reading = try await bench.get()
            #expect(reading.text == "old" && reading.use == .stale && reading.cacheStatus == "NetworkKit; hit; ttl=-100")
            bench.clock.advance(by: .seconds(1))
            do {
                let late = try await bench.get()
                #expect(late.status == 503)
            } catch {
                #expect(error.caseName != "unknown")
            }
        }
        let others = CacheBench(.text("old", headers: headers), .status(404))
        try await others.get()
        others.clock.advance(by: .seconds(70))
        #expect(try await others.get().status == 404)
    }

    @Test("A cache may let stale answers stand in where the server doesn't say, but not against its word")
    func standardStandIn() async throws {
        for (control, isKept) in [("max-age=60", true), ("max-age=60, must-revalidate", false), ("max-age=60, stale-if-error=1", false)] {
            let bench = CacheBench(
                cache: HTTPCache(staleIfError: .seconds(100)), .text("old", headers: ["Cache-Control": control]), .status(503))
            try await bench.get()
            bench.clock.advance(by: .seconds(70))
            #expect(try await bench.get().status == (isKept ? 200 : 503))
        }
    }

    @Test("A call that is over gets no stale answer in place of its end")
    func endedCall() async throws {
        let bench = CacheBench(.text("old", headers: ["Cache-Control": "max-age=60, stale-if-error=100"]), .stalled)
        try await bench.get()
        bench.clock.advance(by: .seconds(70))
        let scope = CallScope()
        var request = pageRequest()
        request.context.scope = scope
        request.context.deadline = .seconds(5)
        async let reading = bench.read(request)
        await bench.stub.waitForRequests(2)
        scope.end(.deadline(.seconds(5)))
        await bench.clock.advance(through: .seconds(5))
        do {
            _ = try await reading
            Issue.record("an answer after the end")
        } catch {
            #expect((error as? RequestError)?.caseName == "timedOut")
        }
    }

    @Test("An answer without a body is stored without being read")
    func emptyBody() async throws {
        let bench = CacheBench(.status(204, headers: fresh))
        _ = try await bench.send(pageRequest())
        #expect(try await bench.get().use == .hit)
    }

    @Test("An answer is streamed while it is stored, and stored only when it was read to its end")
    func streamed() async throws {
        let chunks = StubAnswer.chunks([Data("ab".utf8), Data("cd".utf8)], headers: fresh)
        let bench = CacheBench(chunks, chunks, chunks.failing(afterBodyBytes: 2, with: .connection()), chunks)
        // One that stops half-way leaves nothing.
        do {
            let response = try await bench.send(pageRequest())
            for try await _ in response.body { break }
            response.body.discard()
        }
        #expect(try await bench.send(pageRequest()).metrics.cache == .miss)
        // Neither does one that breaks off …
        let broken = try await bench.send(pageRequest())
        await #expect(throws: RequestError.self) { for try await _ in broken.body {} }
        let whole = try await bench.send(pageRequest())
        #expect(whole.metrics.cache == .miss)
        var pieces: [String] = []
        for try await chunk in whole.body { pieces.append(String(decoding: chunk, as: UTF8.self)) }
        #expect(pieces == ["ab", "cd"] && whole.body.metrics?.cache == .miss)
        #expect(try await bench.get().description == "200 abcd hit NetworkKit; hit; ttl=60")
    }

    @Test("What doesn't fit is answered and not stored; the oldest makes room for the newest")
    func capacity() async throws {
        let stub = StubTransport {
            $0.fallback { .text(String(repeating: "x", count: Int($0.query ?? "") ?? 0), headers: ["Cache-Control": "max-age=60"]) }
        }
        let bench = CacheBench(cache: HTTPCache(memoryCapacity: 10_000), stub)
        #expect(try await bench.get("https://a.test/?3000").cacheStatus == "NetworkKit; fwd=uri-miss")
        for size in 2000..<2010 { try await bench.get("https://a.test/?\(size)") }
        #expect(try await bench.get("https://a.test/?2009").use == .hit)
        #expect(try await bench.get("https://a.test/?2000").use == .miss)
    }

    @Test("Redirects are cached as what they are, each hop by itself")
    func redirects() async throws {
        let stub = StubTransport {
            $0.get("/a", .redirect(to: "/b", status: 301).adding(["Cache-Control": "max-age=60"]))
            $0.get("/b", .text("b", headers: ["Cache-Control": "max-age=60"]))
        }
        let session = HTTPSession(transport: stub, interceptors: [.cache(HTTPCache())], clock: TestClock())
        for _ in 0..<2 {
            let text = try await NetworkClient(session: session).data(for: SampleEndpoint(path: "/a")).get()
            #expect(text == Data("b".utf8))
        }
        #expect(stub.requests.map(\.path) == ["/a", "/b"])
    }

    @Test("It says what it would do")
    func description() async {
        let cache = CacheInterceptor(cache: HTTPCache())
        #expect(cache.describe(pageRequest()) == "private: answers while RFC 9111 lets it, else asks the server")
        #expect(cache.describe(pageRequest(policy: .reload)) == "private: asks the server and stores its answer")
        #expect(cache.describe(pageRequest(policy: .cacheOnly)) == "private: answers, or fails with 504")
        #expect(cache.describe(pageRequest(policy: .noStore)) == "neither answers nor stores")
        #expect(cache.describe(pageRequest("https://a.test/", .post)) == "passes POST on and forgets what it may change")
        #expect(
            CacheInterceptor(cache: HTTPCache(isShared: true)).describe(pageRequest(policy: .preferCache))?.hasPrefix("shared: ") == true)
    }
}
