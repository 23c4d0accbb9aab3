import PlatformBase
import Testing

@testable import NetworkKit

@Suite("What a stored answer answers")
struct CacheAnswerTests {
    private func answer(
        _ asked: HTTPFields, _ stored: HTTPFields = ["ETag": "\"a\"", "Last-Modified": httpDate(-60)], status: HTTPStatus = 200,
        method: HTTPMethod = .get
    ) -> CacheAnswer {
        CacheAnswer(cacheEntry(storedResponse(stored, status: status)), to: pageRequest("https://a.test/", method, asked))
    }

    private static let table: [(asked: HTTPFields, expected: CacheAnswer)] = [
        ([:], .whole),
        (["If-None-Match": "\"a\""], .notModified), (["If-None-Match": "W/\"a\""], .notModified),
        (["If-None-Match": "\"b\", \"a\""], .notModified), (["If-None-Match": "*"], .notModified), (["If-None-Match": "\"b\""], .whole),
        (["If-None-Match": "\"x,a\""], .whole),
        (["If-Modified-Since": httpDate(-60)], .notModified), (["If-Modified-Since": httpDate(0)], .notModified),
        (["If-Modified-Since": httpDate(-61)], .whole), (["If-Modified-Since": "nonsense"], .whole),
        // The tag says it all where there is one.
        (["If-None-Match": "\"b\"", "If-Modified-Since": httpDate(0)], .whole),
        (["If-None-Match": "\"a\"", "If-Modified-Since": httpDate(-900)], .notModified),
        (["If-Match": "\"a\""], .none), (["If-Unmodified-Since": httpDate(0)], .none),
        (["Range": "bytes=0-1"], .part(0..<2)), (["Range": "bytes=1-"], .part(1..<10)), (["Range": "bytes=-1"], .part(9..<10)),
        (["Range": "bytes=-99"], .part(0..<10)), (["Range": "bytes=5-99"], .part(5..<10)), (["Range": "Bytes=9-9"], .part(9..<10)),
        (["Range": "bytes=10-"], .none), (["Range": "bytes=5-4"], .none), (["Range": "bytes=-0"], .none), (["Range": "bytes=-"], .none),
        (["Range": "bytes=0-1,3-4"], .none), (["Range": "pages=1-2"], .none), (["Range": "bytes=a-b"], .none), (["Range": ""], .none),
        (["Range": "bytes=99999999999999999999-"], .none), (["Range": "bytes= 0-1"], .none),
        (["Range": "bytes=0-1", "If-Range": "\"a\""], .part(0..<2)), (["Range": "bytes=0-1", "If-Range": "\"b\""], .whole),
        (["Range": "bytes=0-1", "If-Range": "W/\"a\""], .whole), (["Range": "bytes=0-1", "If-Range": httpDate(-60)], .part(0..<2)),
        (["Range": "bytes=0-1", "If-Range": httpDate(0)], .whole), (["Range": "bytes=0-1", "If-None-Match": "\"a\""], .notModified),
    ]

    @Test("A request that asks for less gets less, or the server is asked", arguments: table)
    func each(asked: HTTPFields, expected: CacheAnswer) { #expect(answer(asked) == expected) }

    @Test("Only a 200 has parts and can be unchanged; HEAD has no part")
    func limits() {
        #expect(answer(["If-None-Match": "\"a\""], status: 404) == .whole)
        #expect(answer(["Range": "bytes=0-1"], status: 404) == .whole)
        #expect(answer(["Range": "bytes=0-1"], method: .head) == .whole)
        #expect(answer(["If-None-Match": "\"a\""], [:]) == .whole)
        // Without a date of the last change the answer's own stands for it (RFC 9111 §4.3.2).
        #expect(answer(["If-Modified-Since": httpDate(0)], ["Date": httpDate(-1)]) == .notModified)
        #expect(answer(["If-Modified-Since": httpDate(-2)], ["Date": httpDate(-1)]) == .whole)
    }

    private static let changes: [(method: HTTPMethod, status: HTTPStatus, headers: HTTPFields, gone: [String])] = [
        (.post, 200, [:], ["/page"]), (.put, 204, [:], ["/page"]), (.delete, 303, [:], ["/page"]), (.patch, 200, [:], ["/page"]),
        (.post, 400, [:], []), (.post, 500, [:], []), (.get, 200, ["Location": "/x"], []), (.head, 200, [:], []), (.options, 200, [:], []),
        (.post, 201, ["Location": "/new"], ["/page", "/new"]), (.post, 201, ["Location": "new"], ["/page", "/new"]),
        (.put, 200, ["Content-Location": "/page#x"], ["/page"]),
        (.post, 201, ["Location": "https://a.test/n", "Content-Location": "o?p"], ["/page", "/n", "/o?p"]),
        // Nobody may say that of another's.
        (.post, 201, ["Location": "https://b.test/new"], ["/page"]), (.post, 201, ["Location": "http://a.test/new"], ["/page"]),
        (.post, 201, ["Location": "https://a.test:8443/new"], ["/page"]), (.post, 201, ["Location": "mailto:x"], ["/page"]),
    ]

    @Test("What an unsafe request has changed is forgotten, also where its answer says so", arguments: changes)
    func invalidation(method: HTTPMethod, status: HTTPStatus, headers: HTTPFields, gone: [String]) {
        let request = pageRequest("https://a.test/page", method)
        let keys = CacheInvalidation.keys(of: request, answeredBy: ResponseHead(status: status, headers: headers, url: request.url))
        #expect(keys == gone.map { CacheKey("https://a.test" + $0) })
    }
}
