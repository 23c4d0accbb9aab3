import NetworkKitTesting
import PlatformBase
import Testing

@testable import NetworkKit

@Suite("What a server's word does to a stored answer")
struct CacheValidationTests {
    private let fresh: HTTPFields = ["Cache-Control": "max-age=60", "ETag": "\"1\"", "X": "1"]

    private static let forbidding: [(HTTPFields, isShared: Bool)] = [
        (["Cache-Control": "no-store"], false), (["Cache-Control": "max-age=60, no-store"], true),
        (["Cache-Control": "private, max-age=60"], true), (["Vary": "*"], false), (["Vary": "Accept-Language"], false),
    ]

    @Test("A 304 that doesn't let the answer be kept, or not as it is, is for who asked, and drives it out", arguments: forbidding)
    func forbidden(headers: HTTPFields, isShared: Bool) async throws {
        let bench = CacheBench(
            cache: HTTPCache(isShared: isShared), .text("one", headers: fresh), .status(304, headers: headers),
            .text("two", headers: fresh))
        try await bench.get()
        bench.clock.advance(by: .seconds(70))
        #expect(try await bench.get().description == "200 one revalidated NetworkKit; fwd=stale; fwd-status=304")
        #expect(try await bench.get(policy: .cacheOnly).status == 504)
        #expect(try await bench.get().text == "two")
    }

    @Test("So does the answer to HEAD", arguments: forbidding)
    func forbiddenByHead(headers: HTTPFields, isShared: Bool) async throws {
        let bench = CacheBench(cache: HTTPCache(isShared: isShared), .text("one", headers: fresh), .status(200, headers: headers))
        try await bench.get()
        bench.clock.advance(by: .seconds(70))
        #expect(try await bench.get("https://a.test/page", .head).use == .miss)
        #expect(try await bench.get(policy: .cacheOnly).status == 504)
    }

    @Test("A 304 that changes nothing of that leaves the answer where it is")
    func allowed() async throws {
        let headers: HTTPFields = ["Cache-Control": "private, max-age=60", "Vary": "accept-language"]
        let bench = CacheBench(.text("one", headers: headers.merging("ETag", "\"1\"")), .status(304, headers: headers))
        try await bench.get("https://a.test/page", .get, ["Accept-Language": "de"])
        bench.clock.advance(by: .seconds(70))
        let second = try await bench.get("https://a.test/page", .get, ["Accept-Language": "de"])
        #expect(second.description == "200 one revalidated NetworkKit; fwd=stale; fwd-status=304; stored")
        #expect(try await bench.get("https://a.test/page", .get, ["Accept-Language": "DE"]).use == .hit)
    }

    @Test("What a server without a clock confirms is as fresh as what one with a clock does", arguments: [HTTPMethod.get, .head])
    func undated(method: HTTPMethod) async throws {
        let bench = CacheBench(
            .text("one", headers: ["Cache-Control": "max-age=60", "ETag": "\"1\"", "Date": httpDate(0)]),
            .status(method == .get ? 304 : 200, headers: ["ETag": "\"1\""]))
        try await bench.get()
        bench.clock.advance(by: .seconds(70))
        try await bench.get("https://a.test/page", method)
        bench.clock.advance(by: .seconds(30))
        let third = try await bench.get()
        #expect(third.description == "200 one hit NetworkKit; hit; ttl=30")
        #expect(third.headers[.age] == "30" && third.headers[.date] == httpDate(70))
    }

    @Test(
        "Whether a 304 is about the stored answer",
        arguments: [
            // Stored, the request's own, the 304's.
            (["ETag": "\"1\""], ["If-None-Match": "\"1\""], [:], true),
            (["ETag": "\"1\""], ["If-None-Match": "\"1\""], ["ETag": "\"1\""], true),
            (["ETag": "\"1\""], ["If-None-Match": "\"1\""], ["ETag": "W/\"1\""], true),
            (["ETag": "W/\"1\""], ["If-None-Match": "W/\"1\""], ["ETag": "\"1\""], true),
            (["ETag": "\"1\""], ["If-None-Match": "\"1\""], ["ETag": "\"2\""], false),
            (["ETag": "\"1\""], ["If-None-Match": "\"1\""], ["ETag": "W/\"2\""], false),
            (["ETag": "\"1\""], [:], [:], false),
            (["ETag": "\"1\""], [:], ["ETag": "\"1\""], false),
            (["ETag": "\"1\""], ["If-None-Match": "\"1\", \"2\""], [:], false),
            (["ETag": "\"1\""], ["If-None-Match": "*"], [:], false),
            (["Last-Modified": "a"], ["If-Modified-Since": "a"], [:], true),
            (["Last-Modified": "a"], ["If-Modified-Since": "a"], ["ETag": "W/\"1\""], true),
            (["Last-Modified": "a"], ["If-Modified-Since": "a"], ["ETag": "\"1\""], false),
            (["Last-Modified": "a"], ["If-Modified-Since": "b"], [:], false),
            ([:], [:], [:], false),
        ] as [(HTTPFields, HTTPFields, HTTPFields, Bool)])
    func confirmation(stored: HTTPFields, sent: HTTPFields, newer: HTTPFields, isConfirmed: Bool) {
        #expect(storedResponse(stored).isConfirmed(by: newer, to: sent) == isConfirmed)
    }

    @Test(
        "A 304 about another answer, or to no question, changes nothing: the server is asked for the answer that it means",
        arguments: [
            (["ETag": "\"1\""], ["ETag": "\"2\""]), ([:], [:]), ([:], ["ETag": "\"1\""]),
        ] as [(HTTPFields, HTTPFields)])
    func unconfirmed(stored: HTTPFields, newer: HTTPFields) async throws {
        let bench = CacheBench(
            .text("one", headers: stored.merging("Cache-Control", "max-age=60")), .status(304, headers: newer),
            .text("two", headers: fresh))
        try await bench.get()
        bench.clock.advance(by: .seconds(70))
        #expect(try await bench.get().description == "200 two miss NetworkKit; fwd=stale; fwd-status=200; stored")
        #expect(bench.stub.requests.count == 3 && bench.stub.requests.last?.headers.isEmpty == true)
        #expect(try await bench.get().description == "200 two hit NetworkKit; hit; ttl=60")
    }

    @Test("A server that answers 304 to no question twice is believed, and nothing is stored")
    func always304() async throws {
        let bench = CacheBench(.text("one", headers: ["Cache-Control": "max-age=60"]), .status(304))
        try await bench.get()
        bench.clock.advance(by: .seconds(70))
        #expect(try await bench.get().status == 304)
        #expect(bench.stub.requests.count == 3)
        #expect(try await bench.get(policy: .cacheOnly).status == 504)
    }

    @Test("A 304 to a caller who has what is stored is the caller's, and makes that fresh")
    func ownTag() async throws {
        let bench = CacheBench(.text("one", headers: fresh), .status(304, headers: ["X": "2"]))
        try await bench.get()
        bench.clock.advance(by: .seconds(70))
        let answer = try await bench.get("https://a.test/page", .get, ["If-None-Match": "\"1\""])
        #expect(answer.status == 304 && answer.text.isEmpty)
        let second = try await bench.get()
        #expect(second.description == "200 one hit NetworkKit; hit; ttl=60" && second.headers["X"] == "2")
    }

    @Test("A 304 to a caller who has something else, or may have, makes nothing fresh", arguments: ["\"0\"", "\"0\", \"1\"", "*"])
    func otherTag(tags: String) async throws {
        let bench = CacheBench(.text("one", headers: fresh), .status(304), .text("two", headers: fresh))
        try await bench.get()
        bench.clock.advance(by: .seconds(70))
        #expect(try await bench.get("https://a.test/page", .get, ["If-None-Match": tags]).status == 304)
        #expect(try await bench.get().text == "two")
    }

    @Test("What the request had validated while it was fresh was asked for by the request; what is stale is stale, whoever asks")
    func reasons() async throws {
        let bench = CacheBench(.text("one", headers: fresh), .status(304), .status(304), .text("two", headers: fresh))
        try await bench.get()
        #expect(try await bench.get(policy: .revalidate).cacheStatus == "NetworkKit; fwd=request; fwd-status=304; stored")
        bench.clock.advance(by: .seconds(70))
        #expect(try await bench.get(policy: .revalidate).cacheStatus == "NetworkKit; fwd=stale; fwd-status=304; stored")
        #expect(
            try await bench.get("https://a.test/page", .get, ["Cache-Control": "no-cache"]).cacheStatus
                == "NetworkKit; fwd=request; stored")
    }
}

extension HTTPFields {
    fileprivate func merging(_ name: HTTPField.Name, _ value: String) -> HTTPFields {
        var fields = self
        fields[name] = value
        return fields
    }
}
