import Foundation
import NetworkKitTesting
import Testing

@testable import NetworkKit

@Suite("How long a server asks to wait")
struct ServerWaitTests {
    /// 2026-11-30T12:00:00Z.
    static let now = Date(timeIntervalSince1970: 1_796_040_000)

    @Test(
        "Retry-After is seconds or one of three dates; another form is none",
        arguments: [
            ("120", 120), ("0", 0), ("  7  ", 7), ("007", 7), ("31536000", 31_536_000), ("Mon, 30 Nov 2026 12:00:30 GMT", 30),
            ("Monday, 30-Nov-26 12:00:30 GMT", 30), ("Mon Nov 30 12:00:30 2026", 30), ("Sun, 29 Nov 2026 12:00:00 GMT", 0),
            ("Fri, 30 Nov 2026 12:00:30 GMT", 30), ("Mon, 30 Nov 2026 12:00:60 GMT", 60), ("-1", nil), ("+5", nil), ("1.5", nil),
            ("5s", nil),
            ("", nil), ("abc", nil), ("Mon, 30 Nov 2026 12:00:30 PST", nil), ("Mon, 31 Nov 2026 12:00:30 GMT", nil), ("120, 60", nil),
            ("2026-11-30T12:00:30Z", nil), ("0x10", nil), ("1e3", nil), ("١٢", nil), ("99999999999999999999", 1_000_000_000_000_000),
            ("9223372036854775807", 1_000_000_000_000_000), ("Fri, 31 Dec 9999 23:59:59 GMT", 251_606_260_799),
        ] as [(String, Int?)])
    func retryAfter(text: String, seconds: Int?) {
        #expect(ServerWait.wait(["Retry-After": text], now: Self.now) == seconds.map { .seconds($0) })
    }

    struct Suite: Decodable {
        struct Case: Decodable {
            enum Wait: Decodable, Equatable {
                case seconds(Int)
                case word(String)
                init(from decoder: any Decoder) throws {
                    let container = try decoder.singleValueContainer()
                    if let seconds = try? container.decode(Int.self) {
                        self = .seconds(seconds)
                    } else {
                        self = .word(try container.decode(String.self))
                    }
                }
            }
            var input: String
            var wait: Wait?
            var why: String
        }
        var now: Date
        var cases: [Case]
    }

    @Test(
        "The shared suite of Retry-After",
        .enabled(if: SharedSuite.data("retry-after.json") != nil, "there are no suites at ../shared/suites"))
    func sharedSuite() throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let suite = try decoder.decode(Suite.self, from: try #require(SharedSuite.data("retry-after.json")))
        #expect(suite.cases.count >= 20)
        let policy = RetryPolicy(backoff: .constant(.seconds(3)))
        for item in suite.cases {
            let head = ResponseHead(status: 503, headers: ["Retry-After": item.input], url: url("https://a.test"))
            let decision = policy.decide(
                attempt: 1, request: HTTPRequest(url: url("https://a.test")), outcome: .answer(head), now: .init(date: suite.now), random: 0
            )
            switch item.wait {
            case nil: #expect(decision == .after(.seconds(3)), "\(item.input): \(item.why)")
            case .seconds(let seconds) where .seconds(seconds) <= policy.longestServerWait:
                #expect(decision == .after(.seconds(seconds)), "\(item.input): \(item.why)")
            case .seconds(let seconds):
                #expect(decision == .stop(.serverAsksTooMuch(.seconds(seconds))), "\(item.input): \(item.why)")
            case .word("cap"):
                guard case .stop(.serverAsksTooMuch) = decision else {
                    Issue.record("\(item.input) gives \(decision): \(item.why)")
                    continue
                }
            case .word: break
            }
        }
    }

    @Test(
        "RateLimit and the fields before it count when the quota is used up",
        arguments: [
            ([("RateLimit", #""default";r=0;t=30"#)], 30), ([("RateLimit", #""default";r=5;t=30"#)], nil),
            ([("RateLimit", #""burst";r=0;t=2, "day";r=0;t=50, "x";r=1;t=99"#)], 50), ([("RateLimit", "default;r=0;t=7")], 7),
            ([("RateLimit", #""a,b;c";pk=:AbC=:;r=0;t=7"#)], 7), ([("RateLimit", #""default";r=0"#)], nil),
            ([("RateLimit", #""default";r=0"#), ("RateLimit-Policy", #""default";q=100;w=60"#)], 60),
            ([("RateLimit", "limit=100, remaining=0, reset=30")], 30), ([("RateLimit", "limit=100, remaining=1, reset=30")], nil),
            ([("RateLimit", #""default";r=0;t=-3"#)], nil), ([("RateLimit", #""default;r=0;t=30"#)], nil), ([("RateLimit", ",")], nil),
            ([("RateLimit", #""default";r=0;t=9999999999999999999"#)], nil), ([("RateLimit", "")], nil),
            ([("RateLimit-Remaining", "0"), ("RateLimit-Reset", "12")], 12),
            ([("RateLimit-Remaining", "3"), ("RateLimit-Reset", "12")], nil),
            ([("RateLimit-Reset", "12")], nil), ([("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "12")], 12),
            // Numbers that an Int of 32 bits doesn't hold.
            ([("RateLimit", #""default";r=0;t=4294967296"#)], 4_294_967_296),
            ([("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "9")], 9),
            ([("RateLimit", "limit=99999999999, remaining=0, reset=9999999999")], 9_999_999_999),
            ([("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1796040045")], 45),
            ([("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1796040045000")], 45),
            ([("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1796039000")], 0),
            ([("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "soon")], nil),
            ([("X-RateLimit-Remaining", "1"), ("X-RateLimit-Reset", "12")], nil),
            // What says it best counts, and what can't be read doesn't.
            ([("Retry-After", "3"), ("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "12")], 3),
            ([("Retry-After", "x"), ("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "12")], 12), ([], nil),
        ] as [([(String, String)], Int?)])
    func rateLimits(fields: [(String, String)], seconds: Int?) {
        let headers = HTTPFields(fields.map { HTTPField(name: .init(stringLiteral: $0.0), value: $0.1) })
        #expect(ServerWait.wait(headers, now: Self.now) == seconds.map { .seconds($0) })
    }

    @Test("After a 429 a time of its reset counts, unless it says that something remains")
    func tooManyRequests() {
        for (status, remaining, seconds) in [(429, nil, 12), (429, "0", 12), (429, "3", nil), (503, nil, nil)] as [(Int, String?, Int?)] {
            let headers: HTTPFields = ["X-RateLimit-Remaining": remaining, "X-RateLimit-Reset": "12"]
            #expect(ServerWait.wait(headers, status: HTTPStatus(status), now: Self.now) == seconds.map { .seconds($0) })
        }
    }

    @Test("A date is one of the server's clock: where the answer says what that shows, ours may be wrong")
    func serversDate() {
        let headers: HTTPFields = ["Date": "Mon, 30 Nov 2026 12:00:00 GMT", "Retry-After": "Mon, 30 Nov 2026 12:00:30 GMT"]
        for years in [-30.0, 0, 30] {
            #expect(ServerWait.wait(headers, now: Self.now.addingTimeInterval(years * 31_536_000)) == .seconds(30))
        }
    }

    @Test("No field, however odd, does harm")
    func anything() {
        let random = SeededRandom(seed: 11)
        let alphabet = Array(#"0123456789 ,;="\:abrtw-GMT"#)
        for _ in 0..<3000 {
            let text = String((0..<Int(random.next() % 24)).map { _ in alphabet[Int(random.next() % UInt64(alphabet.count))] })
            let headers: HTTPFields = [
                "RateLimit": text, "RateLimit-Policy": text, "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": text,
                "Date": text,
            ]
            #expect(ServerWait.wait(headers, now: Self.now).map { $0 >= .zero } ?? true)
            #expect(ServerWait.retryAfter(text, now: Self.now).map { $0 >= .zero } ?? true)
        }
    }
}
