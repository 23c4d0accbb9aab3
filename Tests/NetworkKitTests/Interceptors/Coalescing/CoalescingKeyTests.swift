import Foundation
import NetworkKitTesting
import Testing

@testable import NetworkKit

@Suite("Which requests are one")
struct CoalescingKeyTests {
    private static func request(_ change: (inout HTTPRequest) -> Void = { _ in }) -> HTTPRequest {
        var request = HTTPRequest(url: url("https://a.test/1?x=1"), headers: ["Accept": "text/plain", "X-A": "1"])
        request.context.delivery = .value
        request.context.homeOrigin = request.origin
        change(&request)
        return request
    }

    private func key(_ request: HTTPRequest) -> CoalescingKey? { CoalescingKey(request, ignoring: ["traceparent"]) }

    @Test(
        "Requests that ask the same are one, whatever each caller keeps for itself",
        arguments: [
            request(), request { $0.headers["traceparent"] = "00-1" }, request { $0.options.deadline = .seconds(1) },
            request { $0.options.name = "b" }, request { $0.options.maximumBodySize = 1 },
            request { $0.headers = ["accept": "text/plain", "x-a": "1"] }, request { $0.context.attempt = 3 },
        ])
    func same(other: HTTPRequest) throws {
        let (one, other) = try (#require(key(Self.request())), #require(key(other)))
        #expect(one == other && one.hashValue == other.hashValue)
    }

    @Test(
        "Requests that differ in what matters are not",
        arguments: [
            request { $0.url = url("https://a.test/1?x=2") }, request { $0.method = .head }, request { $0.headers[.range] = "bytes=0-1" },
            request { $0.headers[.ifNoneMatch] = "\"a\"" }, request { $0.headers[.accept] = "text/html" },
            request { $0.headers[.acceptLanguage] = "de" }, request { $0.headers[.authorization] = "Bearer b" },
            request { $0.headers[.cookie] = "a=b" }, request { $0.headers["X-A"] = "2" }, request { $0.headers.removeAll("X-A") },
            request { $0.context.identity = "somebody" }, request { $0.context.homeOrigin = Origin(url("https://b.test")) },
            request { $0.options.timeout = .seconds(1) }, request { $0.options.cachePolicy = .reload },
            request { $0.options.redirectPolicy = .manual }, request { $0.options.idempotencyKey = "k" },
        ])
    func different(other: HTTPRequest) throws {
        #expect(try #require(key(Self.request())) != #require(key(other)))
    }

    @Test("Two ways to write one letter are two values, and two identities")
    func bytes() throws {
        let values = try ["\u{e9}", "e\u{301}"].map { value in try #require(key(Self.request { $0.headers["X-A"] = value })) }
        let identities = try ["\u{e9}", "e\u{301}"].map { name in try #require(key(Self.request { $0.context.identity = name })) }
        #expect(values[0] == values[0] && values[0] != values[1])
        #expect(identities[0] == identities[0] && identities[0] != identities[1])
    }

    @Test(
        "What writes, has a body or is read as a stream has its own exchange",
        arguments: [
            request { $0.method = .post }, request { $0.method = .delete }, request { $0.body = .data(Data("a".utf8), contentType: nil) },
            request { $0.context.delivery = .stream },
        ])
    func unshared(other: HTTPRequest) {
        #expect(key(other) == nil)
    }
}
