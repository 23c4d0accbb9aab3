import PlatformBase
import Testing

@testable import NetworkKit

@Suite("What may be stored, and what of it is kept")
struct StorageDecisionTests {
    private struct Row: CustomTestStringConvertible, Sendable {
        var name: String
        var status: HTTPStatus = 200
        var headers: HTTPFields = [:]
        var request: HTTPRequest = pageRequest()
        var isShared = false
        var isStored: Bool
        var testDescription: String { name }
    }

    private static let table =
        [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501].map { status in
            Row(name: "\(status) with nothing said", status: HTTPStatus(status), isStored: true)
        }
        + [201, 202, 302, 303, 307, 403, 429, 500, 502, 503, 504, 599].flatMap { status in
            [
                Row(name: "\(status) with nothing said", status: HTTPStatus(status), isStored: false),
                Row(name: "\(status) with max-age", status: HTTPStatus(status), headers: ["Cache-Control": "max-age=1"], isStored: true),
                Row(name: "\(status) with Expires", status: HTTPStatus(status), headers: ["Expires": "0"], isStored: true),
                Row(name: "\(status) that is public", status: HTTPStatus(status), headers: ["Cache-Control": "public"], isStored: true),
                Row(name: "\(status) that is private", status: HTTPStatus(status), headers: ["Cache-Control": "private"], isStored: true),
                Row(
                    name: "\(status), s-maxage alone", status: HTTPStatus(status), headers: ["Cache-Control": "s-maxage=1"], isStored: false
                ),
            ]
        }
        + [
            Row(name: "partial content", status: 206, headers: ["Cache-Control": "max-age=1"], isStored: false),
            Row(name: "not modified", status: 304, headers: ["Cache-Control": "max-age=1"], isStored: false),
            Row(name: "no credentials", status: 401, headers: ["Cache-Control": "max-age=1"], isStored: false),
            Row(name: "no credentials for a proxy", status: 407, headers: ["Cache-Control": "max-age=1"], isStored: false),
            Row(name: "a precondition that fails", status: 412, headers: ["Cache-Control": "max-age=1"], isStored: false),
            Row(name: "a range that isn't there", status: 416, headers: ["Cache-Control": "max-age=1"], isStored: false),
            Row(name: "no-store", headers: ["Cache-Control": "max-age=1, no-store"], isStored: false),
            Row(name: "no-cache", headers: ["Cache-Control": "no-cache"], isStored: true),
            Row(
                name: "must-understand of what is understood", headers: ["Cache-Control": "max-age=1, no-store, must-understand"],
                isStored: true),
            Row(
                name: "must-understand of what isn't", status: 599, headers: ["Cache-Control": "max-age=1, must-understand"],
                isStored: false),
            Row(name: "Vary: *", headers: ["Cache-Control": "max-age=1", "Vary": "*"], isStored: false),
            Row(name: "Vary: Foo, *", headers: ["Cache-Control": "max-age=1", "Vary": ["Foo", ", *"]], isStored: false),
            Row(name: "Vary: Foo", headers: ["Cache-Control": "max-age=1", "Vary": "Foo"], isStored: true),
            Row(
                name: "a request with no-store", request: pageRequest("https://a.test/", .get, ["Cache-Control": "no-store"]),
                isStored: false),
            Row(name: "the policy noStore", request: pageRequest(policy: .noStore), isStored: false),
            Row(name: "HEAD", headers: ["Cache-Control": "max-age=1"], request: pageRequest("https://a.test/", .head), isStored: false),
            Row(
                name: "OPTIONS", headers: ["Cache-Control": "max-age=1"], request: pageRequest("https://a.test/", .options), isStored: false
            ),
            Row(name: "PUT", headers: ["Cache-Control": "max-age=1"], request: pageRequest("https://a.test/", .put), isStored: false),
            Row(name: "POST", headers: ["Cache-Control": "max-age=1"], request: pageRequest("https://a.test/", .post), isStored: false),
            Row(
                name: "POST that gives the resource", headers: ["Cache-Control": "max-age=1", "Content-Location": "/p"],
                request: pageRequest("https://a.test/p", .post), isStored: true),
            Row(
                name: "POST that gives the resource, its name written in letters",
                headers: ["Cache-Control": "max-age=1", "Content-Location": "/\u{fc}"],
                request: pageRequest("https://a.test/%C3%BC", .post), isStored: true),
            Row(
                name: "POST that gives another one", headers: ["Cache-Control": "max-age=1", "Content-Location": "/q"],
                request: pageRequest("https://a.test/p", .post), isStored: false),
            Row(
                name: "POST that says nothing of time", headers: ["Content-Location": "/p"],
                request: pageRequest("https://a.test/p", .post),
                isStored: false),
            Row(name: "private, shared", headers: ["Cache-Control": "private, max-age=1"], isShared: true, isStored: false),
            Row(name: "private fields, shared", headers: ["Cache-Control": "private=\"x\", max-age=1"], isShared: true, isStored: true),
            Row(name: "s-maxage, shared", status: 403, headers: ["Cache-Control": "s-maxage=1"], isShared: true, isStored: true),
        ]
        + [
            ("max-age=1", false), ("public, max-age=1", true), ("must-revalidate, max-age=1", true), ("s-maxage=1", true),
        ].flatMap { control, isStored in
            [
                Row(
                    name: "credentials, shared, \(control)", headers: ["Cache-Control": control],
                    request: pageRequest("https://a.test/", .get, ["Authorization": "x"]), isShared: true, isStored: isStored),
                Row(
                    name: "an identity, shared, \(control)", headers: ["Cache-Control": control], request: pageRequest(identity: "i"),
                    isShared: true, isStored: isStored),
                Row(
                    name: "credentials, private, \(control)", headers: ["Cache-Control": control],
                    request: pageRequest("https://a.test/", .get, ["Authorization": "x"]), isStored: true),
            ]
        }

    private func stored(_ row: Row) -> StoredResponse? {
        StorageDecision.stored(
            ResponseHead(status: row.status, headers: row.headers, url: row.request.url), to: row.request,
            directives: RequestDirectives(row.request),
            identity: row.isShared ? nil : CacheIdentity.identity(of: row.request), isShared: row.isShared, requestTime: cacheStart,
            responseTime: cacheStart)
    }

    @Test("Whether an answer is stored, as RFC 9111 §3 has it", arguments: table)
    private func each(row: Row) { #expect((stored(row) != nil) == row.isStored) }

    @Test("Fields of one connection, those that may not be used unasked, and cookies aren't kept")
    func keptFields() throws {
        let headers: HTTPFields = [
            "Connection": "X-Hop, close", "X-Hop": "1", "Keep-Alive": "1", "Proxy-Authenticate": "1", "Proxy-Authentication-Info": "1",
            "Proxy-Authorization": "1", "Proxy-Connection": "1", "TE": "1", "Trailer": "1", "Transfer-Encoding": "chunked", "Upgrade": "1",
            "Set-Cookie": ["a=b", "c=d"], "Cache-Control": "max-age=1, no-cache=\"X-Token, x-other\", private=\"X-Mine\"", "X-Token": "1",
            "X-Other": "1", "X-Mine": "1", "Content-Type": "a/b", "Content-Length": "3", "X-Stays": ["1", "2"],
        ]
        let kept = try #require(stored(Row(name: "", headers: headers, isStored: true))).headers
        #expect(kept.map(\.name.rawName) == ["Cache-Control", "X-Mine", "Content-Type", "Content-Length", "X-Stays", "X-Stays"])
        let shared = try #require(stored(Row(name: "", headers: headers, isShared: true, isStored: true))).headers
        #expect(!shared.contains("X-Mine") && shared.contains("X-Stays"))
    }

    @Test("An answer that was validated has the date of that, also where the server doesn't say it")
    func updatedDate() {
        let stored = storedResponse(["Date": httpDate(-5), "ETag": "\"1\""])
        func date(_ newer: HTTPFields) -> HTTPFields {
            stored.updated(
                with: newer, requestTime: cacheStart, responseTime: cacheStart.addingTimeInterval(70), isShared: false
            ).headers
        }
        #expect(date([:])[values: .date] == [httpDate(70)])
        #expect(date(["Date": httpDate(60)])[values: .date] == [httpDate(60)])
    }

    @Test("A 304 changes the fields that it brings, but not those of the body that stays")
    func updatedFields() {
        let stored: HTTPFields = [
            "ETag": "\"1\"", "X-A": ["1", "2"], "X-B": "1", "Age": "7", "Content-Length": "36", "Content-Type": "a/b", "Content-Range": "r",
        ]
        let newer: HTTPFields = [
            "X-A": "3", "X-C": "4", "Content-Length": "0", "Content-Encoding": "gzip", "Content-Range": "s", "Content-Type": "c/d",
            "Connection": "close", "Set-Cookie": "a=b", "Cache-Control": "no-cache=\"X-C\"",
        ]
        let updated = StoredHeaders.updated(stored, with: newer, isShared: false)
        #expect(updated[values: "X-A"] == ["3"] && updated["X-B"] == "1" && updated[.eTag] == "\"1\"")
        #expect(updated[.contentLength] == "36" && updated[.contentRange] == "r" && updated[.contentType] == "c/d")
        for name: HTTPField.Name in ["Age", "X-C", "Content-Encoding", "Connection", "Set-Cookie"] { #expect(!updated.contains(name)) }
    }
}
