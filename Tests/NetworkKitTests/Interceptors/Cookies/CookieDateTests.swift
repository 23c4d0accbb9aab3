import Foundation
import Testing

@testable import NetworkKit

@Suite("Dates of cookies")
struct CookieDateTests {
    // 2026-08-16 10:20:30
    private static let sunday = Date(timeIntervalSince1970: 1_786_875_630)

    @Test(
        "The forms that servers write are read, in any order and with any delimiters",
        arguments: [
            "Sun, 16 Aug 2026 10:20:30 GMT", "Sunday, 16-Aug-26 10:20:30 GMT", "Sun Aug 16 10:20:30 2026", "Sun, 16-Aug-2026 10:20:30 GMT",
            "16 Aug 2026 10:20:30", "2026 aug 16 10:20:30", "AUGUST 16 2026 10:20:30", "10:20:30 2026 16 aug", "16;Aug~2026@10:20:30",
            "Sun, 16 Aug 2026 10:20:30 +0900", "Sun, 16 Aug 2026 10:20:30 PST", "16th Aug 2026 10:20:30", "Sun\t16\tAug\t26\t10:20:30x",
            "Sun, 16 Aug 2026 10:20:30 GMT; ignored 1999", "16 Aug 2026y 10:20:30.5",
            "16 Aug 10:20:30 2026 11:21:31 17 Sep 2027", "Sun, 16 Augustus 2026 10:20:30",
        ])
    func forms(text: String) {
        #expect(CookieDate.date(text) == Self.sunday)
    }

    @Test(
        "Years of two digits are those of a window from 1970 to 2069",
        arguments: [("70", 1970), ("99", 1999), ("00", 2000), ("69", 2069), ("1601", 1601), ("9999", 9999), ("070", 1970), ("100", nil)])
    func years(text: String, year: Int?) {
        let expected = year.flatMap { RFC3339.date(String(repeating: "0", count: 4 - "\($0)".count) + "\($0)-01-01T00:00:00Z") }
        #expect((expected == nil) == (year == nil))
        #expect(CookieDate.date("Thu, 01 Jan \(text) 00:00:00 GMT") == expected)
    }

    @Test(
        "Dates that 32 bits can't count are read like others",
        arguments: [
            ("Tue, 19 Jan 2038 03:14:08 GMT", 2_147_483_648), ("Fri, 13 Dec 1901 20:45:51 GMT", -2_147_483_649),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799), ("Mon, 01 Jan 1601 00:00:00 GMT", -11_644_473_600),
        ] as [(String, Double)])
    func far(text: String, seconds: Double) {
        #expect(CookieDate.date(text)?.timeIntervalSince1970 == seconds)
    }

    @Test(
        "What is no date is none, and months have English names whatever the process's language",
        arguments: [
            "", "0", "-1", "Session", "tomorrow", "Sun, 16 Aug 2026", "16 2026 10:20:30", "Aug 2026 10:20:30", "16 Aug 10:20:30",
            "16 Aug 1600 10:20:30", "00 Aug 2026 10:20:30", "32 Aug 2026 10:20:30", "31 Apr 2026 10:20:30", "29 Feb 2026 10:20:30",
            "16 Aug 2026 24:00:00", "16 Aug 2026 10:60:00", "16 Aug 2026 10:20:60", "16 Aug 2026 10:20", "16 Aug 20261 10:20:30",
            "16 Ago 2026 10:20:30", "dim., 16 août 2026 10:20:30", "16 8 2026 10:20:30", "16 Aug 2026 110:20:30", "16 Aug 2026 1:2:333",
            "1786875630", "2026-08-16T10:20:30Z", "\u{0}\u{1}", "16 Aug 2026 ::", "๑๖ Aug 2026 10:20:30",
        ])
    func faults(text: String) {
        #expect(CookieDate.date(text) == nil)
    }

    @Test("A leap day exists in a leap year, and one digit is enough where there may be two")
    func leapDay() {
        #expect(CookieDate.date("29 Feb 2024 1:2:3") == RFC3339.date("2024-02-29T01:02:03Z"))
        #expect(CookieDate.date("31 Dec 2024 23:59:59") == RFC3339.date("2024-12-31T23:59:59Z"))
    }
}
