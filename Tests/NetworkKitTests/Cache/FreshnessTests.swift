import PlatformBase
import Testing

@testable import NetworkKit

@Suite("How old an answer is, and how long it is fresh")
struct FreshnessTests {
    private struct Row: CustomTestStringConvertible, Sendable {
        var name: String
        var headers: HTTPFields
        var status: HTTPStatus = 200
        var requested = 0.0
        var came = 0.0
        /// When it is looked at; `nil` for when it came.
        var now: Double?
        var isShared = false
        var hasQuery = false
        var age: Double
        var lifetime: Double
        var testDescription: String { name }
    }

    private static let table = [
        Row(name: "max-age", headers: ["Cache-Control": "max-age=60", "Date": httpDate(0)], now: 10, age: 10, lifetime: 60),
        Row(name: "max-age before Expires", headers: ["Cache-Control": "max-age=60", "Expires": httpDate(5)], age: 0, lifetime: 60),
        Row(name: "max-age 0 before Expires", headers: ["Cache-Control": "max-age=0", "Expires": httpDate(900)], age: 0, lifetime: 0),
        Row(name: "s-maxage isn't for a private cache", headers: ["Cache-Control": "s-maxage=9, max-age=60"], age: 0, lifetime: 60),
        Row(
            name: "s-maxage is for a shared one", headers: ["Cache-Control": "max-age=60, s-maxage=9"], isShared: true, age: 0, lifetime: 9),
        Row(name: "Expires less Date", headers: ["Expires": httpDate(100), "Date": httpDate(40)], now: 1, age: 1, lifetime: 60),
        Row(name: "Expires before Date", headers: ["Expires": httpDate(300), "Date": httpDate(400)], age: 0, lifetime: -100),
        Row(name: "Expires without Date", headers: ["Expires": httpDate(30)], came: 10, age: 10, lifetime: 20),
        Row(name: "Expires with a Date that is none", headers: ["Expires": httpDate(30), "Date": "foo"], age: 0, lifetime: 30),
        Row(name: "Expires at +0000", headers: ["Expires": "Thu, 01 Jan 2026 00:01:00 +0000"], age: 0, lifetime: 60),
        Row(name: "Expires in the wrong case", headers: ["Expires": "THU, 01 JAN 2026 00:01:00 gMt"], age: 0, lifetime: 60),
        Row(name: "Expires as RFC 850", headers: ["Expires": "thursday, 01-jan-26 00:01:00 GMT"], age: 0, lifetime: 60),
        Row(name: "Expires as asctime", headers: ["Expires": "Thu Jan  1 00:01:00 2026"], age: 0, lifetime: 60),
        Row(name: "Expires after 2038", headers: ["Expires": "Sun, 21 Nov 2286 17:46:39 GMT"], age: 0, lifetime: 8_232_860_799),
        Row(name: "Expires twice the same", headers: ["Expires": [httpDate(9), httpDate(9)]], age: 0, lifetime: 9),
        Row(name: "a slow server's clock", headers: ["Cache-Control": "max-age=60", "Date": httpDate(-20)], now: 5, age: 25, lifetime: 60),
        Row(name: "a fast server's clock", headers: ["Cache-Control": "max-age=60", "Date": httpDate(900)], now: 5, age: 5, lifetime: 60),
        Row(
            name: "Age above what Date says", headers: ["Cache-Control": "max-age=60", "Date": httpDate(-10), "Age": 25], age: 25,
            lifetime: 60),
        Row(
            name: "Date above what Age says", headers: ["Cache-Control": "max-age=60", "Date": httpDate(-30), "Age": 25], age: 30,
            lifetime: 60),
        Row(
            name: "the time on the way counts", headers: ["Cache-Control": "max-age=60", "Age": 7, "Date": httpDate(5)], came: 5, now: 6,
            age: 13, lifetime: 60),
        Row(name: "Age twice: the first", headers: ["Cache-Control": "max-age=60", "Age": ["7", "900"]], age: 7, lifetime: 60),
        Row(name: "Age as a list: the first", headers: ["Cache-Control": "max-age=60", "Age": "7, 900"], age: 7, lifetime: 60),
        Row(name: "Age that is none", headers: ["Cache-Control": "max-age=60", "Age": "-7200"], age: 0, lifetime: 60),
        Row(name: "Age with a point", headers: ["Cache-Control": "max-age=60", "Age": "7200.0"], age: 0, lifetime: 60),
        Row(name: "Age beyond counting", headers: ["Age": "99999999999999999999"], age: 2_147_483_648, lifetime: 0),
        Row(name: "our clock set back a little", headers: ["Cache-Control": "max-age=60"], came: 5, now: 0, age: 5, lifetime: 60),
        Row(name: "our clock set back a lot", headers: ["Cache-Control": "max-age=60"], came: 500, now: 0, age: .infinity, lifetime: 60),
        Row(name: "a tenth since the last change", headers: ["Last-Modified": httpDate(-1000)], age: 0, lifetime: 100),
        Row(name: "… of a day at most", headers: ["Last-Modified": "Thu, 01 Jan 1970 00:00:00 GMT"], age: 0, lifetime: 86_400),
        Row(name: "… never negative", headers: ["Last-Modified": httpDate(1000)], age: 0, lifetime: 0),
        Row(name: "… not with a query", headers: ["Last-Modified": httpDate(-1000)], hasQuery: true, age: 0, lifetime: 0),
        Row(name: "… not for a 201", headers: ["Last-Modified": httpDate(-1000)], status: 201, age: 0, lifetime: 0),
        Row(
            name: "… for a 599 that is public", headers: ["Last-Modified": httpDate(-1000), "Cache-Control": "public"], status: 599, age: 0,
            lifetime: 100),
        Row(name: "nothing said", headers: [:], age: 0, lifetime: 0),
    ]

    @Test("Age and lifetime as RFC 9111 §4.2 has them", arguments: table)
    private func each(row: Row) {
        let response = storedResponse(row.headers, status: row.status, requestTime: row.requested, responseTime: row.came)
        let freshness = Freshness(
            of: response, at: cacheStart.addingTimeInterval(row.now ?? row.came), isShared: row.isShared, hasQuery: row.hasQuery)
        #expect(freshness.age == row.age)
        #expect(freshness.lifetime == row.lifetime)
    }

    @Test(
        "An Expires that isn't a date of HTTP is long past",
        arguments: [
            "0", "-1", "", "soon", "Thu, 18 Aug 2050 02:01:18 UTC", "Thu, 18 Aug 2050 02:01:18 AEST", "Thu, 18 Aug 50 02:01:18 GMT",
            "Thu 18 Aug 2050 02:01:18 GMT", "Thu, 18  Aug  2050 02:01:18 GMT", "Thu, 18-Aug-2050 02:01:18 GMT",
            "Thu, 18 Aug 2050 02.01.18 GMT", "Thu, 18 Aug 2050 2:01:18 GMT", "Thu, 31 Feb 2050 02:01:18 GMT",
            "Thu, 18 Aug 2050 02:01:18 +0100",
        ])
    func invalidExpires(text: String) {
        let freshness = Freshness(of: storedResponse(["Expires": text]), at: cacheStart, isShared: false, hasQuery: false)
        #expect(!freshness.isFresh && freshness.lifetime < 0)
    }

    @Test("Two Expires that differ are long past")
    func conflictingExpires() {
        let response = storedResponse(["Expires": [httpDate(60), httpDate(61)]])
        #expect(Freshness(of: response, at: cacheStart, isShared: false, hasQuery: false).lifetime < 0)
    }

    @Test("It is fresh until its lifetime is over, and not at its end")
    func boundary() {
        let response = storedResponse(["Cache-Control": "max-age=60"])
        let at = { Freshness(of: response, at: cacheStart.addingTimeInterval($0), isShared: false, hasQuery: false).isFresh }
        #expect(at(59.9) && !at(60) && !at(60.1))
    }
}
