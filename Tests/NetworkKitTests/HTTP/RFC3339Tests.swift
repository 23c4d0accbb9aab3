import Foundation
import Testing

@testable import NetworkKit

@Suite("Dates of RFC 3339")
struct RFC3339Tests {
    @Test(
        "With and without fractions, in any zone",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("1985-04-12T23:20:50.52Z", 482_196_050.52), ("1996-12-19T16:39:57-08:00", 851_042_397),
            ("1990-12-31T23:59:60Z", 662_688_000), ("1990-12-31T15:59:60-08:00", 662_688_000),
            ("1937-01-01T12:00:27.87+00:20", -1_041_337_172.13), ("2026-02-28t23:59:60.123+05:30", 1_772_303_400.123),
            ("2000-02-29 00:00:00z", 951_782_400), ("2024-02-29T12:00:00-00:00", 1_709_208_000), ("0000-03-01T00:00:00Z", -62_162_035_200),
            ("9999-12-31T23:59:59Z", 253_402_300_799), ("1969-12-31T23:59:59.999999999Z", -0.000000001),
            ("2038-01-19T03:14:08Z", 2_147_483_648),
        ] as [(String, Double)])
    func dates(text: String, seconds: Double) throws {
        let date = try #require(RFC3339.date(text))
        #expect(abs(date.timeIntervalSince1970 - seconds) < 1e-6)
    }

    @Test(
        "Another form, and a day that doesn't exist, is none",
        arguments: [
            "", "2026-02-28", "2026-02-28T12:00:00", "2026-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "2026-13-01T00:00:00Z",
            "2026-00-01T00:00:00Z", "2026-01-32T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z",
            "2026-01-01T00:00:61Z", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00,5Z", "2026-01-01T00:00:00+0100",
            "2026-01-01T00:00:00+24:00",
            "2026-01-01T00:00:00Z ", " 2026-01-01T00:00:00Z", "2026-1-01T00:00:00Z", "+026-01-01T00:00:00Z", "2026-01-01T00:00:00 Z",
            "２０26-01-01T00:00:00Z",
        ])
    func invalid(text: String) {
        #expect(RFC3339.date(text) == nil)
    }

    @Test("Every day of four centuries has its number")
    func days() {
        var expected = Gregorian.daysSinceEpoch(1899, 12, 31)
        #expect(expected == -25_568)
        for year in 1900..<2301 {
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            for (month, days) in [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].enumerated() {
                expected += 1
                #expect(Gregorian.daysSinceEpoch(year, month + 1, 1) == expected)
                expected += days - 1
            }
        }
    }

    @Test("The stock decoder reads them and the stock encoder writes them")
    func coders() throws {
        let dates = try JSONDecoder.json.decode([Date].self, from: Data(#"["2026-02-28T12:00:00Z","2026-02-28T12:00:00.25+01:00"]"#.utf8))
        #expect(dates == [Date(timeIntervalSince1970: 1_772_280_000), Date(timeIntervalSince1970: 1_772_276_400.25)])
        #expect(throws: DecodingError.self) { try JSONDecoder.json.decode([Date].self, from: Data(#"["28.2.2026"]"#.utf8)) }
        #expect(String(decoding: try JSONEncoder.json.encode([dates[0]]), as: UTF8.self) == #"["2026-02-28T12:00:00Z"]"#)
    }
}

extension JSONDecoder {
    fileprivate static var json: JSONDecoder { (.json as any ResponseDecoder) as? JSONDecoder ?? JSONDecoder() }
}

extension JSONEncoder {
    fileprivate static var json: JSONEncoder { (.json as any RequestEncoder) as? JSONEncoder ?? JSONEncoder() }
}
