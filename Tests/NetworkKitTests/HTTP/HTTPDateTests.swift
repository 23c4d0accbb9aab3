import Foundation
import Testing

@testable import NetworkKit

@Suite("Dates of HTTP (RFC 9110 §5.6.7)")
struct HTTPDateTests {
    /// 2026-11-30T12:00:00Z.
    private let now = Date(timeIntervalSince1970: 1_796_040_000)

    @Test(
        "All three forms are read",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Thu Jan  1 00:00:00 1970", 0),
            ("Mon, 30 Nov 2026 12:00:30 GMT", 1_796_040_030), ("Monday, 30-Nov-26 12:00:30 GMT", 1_796_040_030),
            ("Mon Nov 30 12:00:30 2026", 1_796_040_030), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
            ("Thu, 29 Feb 2024 00:00:00 GMT", 1_709_164_800), ("Mon, 01 Jan 1601 00:00:00 GMT", -11_644_473_600),
            // Another day's name, and a leap second.
            ("Fri, 30 Nov 2026 12:00:30 GMT", 1_796_040_030), ("Mon, 30 Nov 2026 12:00:60 GMT", 1_796_040_060),
        ] as [(String, Double)])
    func valid(text: String, seconds: Double) {
        #expect(HTTPDate.date(text, now: now)?.timeIntervalSince1970 == seconds)
    }

    @Test(
        "What follows the grammar not quite is no date",
        arguments: [
            "", "Mon", "Mon,", "Mon, 30 Nov 2026 12:00:30 PST", "Mon, 30 Nov 2026 12:00:30 +0000", "Mon, 30 Nov 2026 12:00:30",
            "Mon, 31 Nov 2026 12:00:30 GMT", "Mon, 29 Feb 2026 12:00:30 GMT", "Mon, 00 Nov 2026 12:00:30 GMT",
            "Mon, 30 Nov 2026 24:00:00 GMT", "Mon, 30 Nov 2026 12:60:00 GMT", "Mon, 30 Nov 2026 12:00:61 GMT",
            "Mon, 30 Nov 2026 12:00 GMT", "Mon, 3 Nov 2026 12:00:30 GMT", "mon, 30 nov 2026 12:00:30 gmt", "Mon, 30 Nov 26 12:00:30 GMT",
            "Monday, 30-Nov-2026 12:00:30 GMT", "Monday, 30 Nov 2026 12:00:30 GMT", "Mon, 30-Nov-26 12:00:30 GMT",
            "Mon Nov 30 12:00:30 2026 GMT", "Mon Nov 3 12:00:30 2026", "Mon, 30 Nov 2026 12:00:30 GMT ", " Mon, 30 Nov 2026 12:00:30 GMT",
            "Mon,  30 Nov 2026 12:00:30 GMT", "Xyz, 30 Nov 2026 12:00:30 GMT", "Mon, 30 Foo 2026 12:00:30 GMT",
            "Mon, 30 Nov 1600 12:00:30 GMT", "Mon, 30 Nov 0000 12:00:30 GMT", "Mon, 30 Nov 20260 12:00:30 GMT",
            "2026-11-30T12:00:30Z", "Mon, ３0 Nov 2026 12:00:30 GMT", "Mon, 30 Nov 2026 12:00:30 GMTx", "Mond, 30-Nov-26 12:00:30 GMT",
        ])
    func invalid(text: String) {
        #expect(HTTPDate.date(text, now: now) == nil)
    }

    @Test(
        "A year of two digits is the latest that lies at most 50 years ahead",
        arguments: [("26", 2026), ("27", 2027), ("75", 2075), ("77", 1977), ("94", 1994), ("99", 1999), ("00", 2000)])
    func twoDigitYears(short: String, year: Int) throws {
        let date = try #require(HTTPDate.date("Monday, 01-Jan-\(short) 00:00:00 GMT", now: now))
        #expect(date.timeIntervalSince1970 == Double(Gregorian.daysSinceEpoch(year, 1, 1) * 86_400))
    }

    @Test("The day in 50 years is ahead, the day after it is past")
    func fiftyYears() throws {
        let before = try #require(HTTPDate.date("Monday, 29-Nov-76 12:00:00 GMT", now: now))
        let after = try #require(HTTPDate.date("Monday, 02-Dec-76 12:00:00 GMT", now: now))
        #expect(HTTPDate.text(before)?.contains("2076") == true && HTTPDate.text(after)?.contains("1976") == true)
    }

    @Test("A clock that shows nonsense makes no year of two digits, and nothing worse", arguments: [1e300, -1e300, .infinity, .nan])
    func nonsenseClock(seconds: Double) {
        #expect(HTTPDate.date("Monday, 30-Nov-26 12:00:30 GMT", now: Date(timeIntervalSince1970: seconds)) == nil)
        #expect(HTTPDate.text(Date(timeIntervalSince1970: seconds)) == nil)
    }

    @Test("What is written is read back, every day of four centuries and a second before and after midnight")
    func roundTrip() throws {
        for day in stride(from: -100_000, through: 200_000, by: 61) {
            for second in [-1, 0, 1, 45_296] {
                let date = Date(timeIntervalSince1970: Double(day * 86_400 + second))
                let text = try #require(HTTPDate.text(date))
                #expect(HTTPDate.date(text, now: now) == date)
            }
        }
        #expect(HTTPDate.text(Date(timeIntervalSince1970: 784_111_777.9)) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(HTTPDate.text(Date(timeIntervalSince1970: 0)) == "Thu, 01 Jan 1970 00:00:00 GMT")
        #expect(HTTPDate.text(Date(timeIntervalSince1970: 253_402_300_800)) == nil)
    }

    @Test("Dates that 32 bits can't count are written like others")
    func far() {
        for (seconds, text) in [
            (2_147_483_648, "Tue, 19 Jan 2038 03:14:08 GMT"), (-2_147_483_649, "Fri, 13 Dec 1901 20:45:51 GMT"),
            (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"), (-11_644_473_600, "Mon, 01 Jan 1601 00:00:00 GMT"),
            (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
        ] as [(Double, String)] {
            #expect(HTTPDate.text(Date(timeIntervalSince1970: seconds)) == text)
            #expect(HTTPDate.date(text, now: now)?.timeIntervalSince1970 == seconds)
        }
        #expect(HTTPDate.text(Date(timeIntervalSince1970: -11_644_473_601)) == nil)
    }

    @Test("A day's number is that day again")
    func days() {
        for number in stride(from: -1_000_000, through: 1_000_000, by: 37) {
            let (year, month, day) = Gregorian.day(number)
            #expect(Gregorian.exists(year, month, day) && Gregorian.daysSinceEpoch(year, month, day) == number)
        }
    }
}
