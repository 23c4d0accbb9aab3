import PlatformBase
import Testing

@testable import WeatherExample

@Suite struct PlaceTimeTests {
    /// 2026-03-29 00:30 UTC, half an hour before the clocks of Paris go forward.
    private let night = Date(timeIntervalSince1970: 1_774_744_200)

    @Test func `the offset counts where nobody knows the name of the zone`() {
        let place = PlaceTime(zone: "Nowhere/Half", offset: 5.5)
        #expect(place.clock(night) == "06:00")
        #expect(place.weekday(night) == "Sun")
        #expect(place.day(night) == "29 Mar")
        #expect(PlaceTime(zone: "Nowhere/West", offset: -3.5).clock(night) == "21:00")
        #expect(PlaceTime(zone: "Nowhere/West", offset: -3.5).day(night) == "28 Mar")
        #expect(PlaceTime(zone: "Nowhere", offset: nil).clock(night) == "00:30")
    }

    @Test(.enabled(if: ZoneFile(named: "Europe/Paris") != nil || TimeZone(identifier: "Europe/Paris") != nil, "the system knows no zones"))
    func `a change of clocks within the forecast is followed where the system knows the zone`() {
        let place = PlaceTime(zone: "Europe/Paris", offset: 1)
        #expect(place.clock(night) == "01:30")
        #expect(place.clock(night.addingTimeInterval(3600)) == "03:30")
    }

    @Test(arguments: ["../../etc/passwd", "/etc/passwd", "", "Europe/../../x", "a b", "\u{0}", "Europe"])
    func `a server's word for a zone can't lead to another file`(name: String) {
        #expect(ZoneFile(named: name) == nil)
    }

    @Test func `a broken file is no zone`() {
        #expect(ZoneFile([]) == nil)
        #expect(ZoneFile(Array("TZif2".utf8) + [UInt8](repeating: 0xFF, count: 200)) == nil)
        #expect(ZoneFile(Array("TZif2".utf8) + [UInt8](repeating: 0, count: 39)) == nil)
        if let data = try? Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/Europe/Paris")) {
            for length in stride(from: 0, to: data.count, by: 7) { _ = ZoneFile(Array(data.prefix(length))) }
        }
    }

    @Test(arguments: [
        (0.0, "Thu", "1 Jan"), (-1.0, "Wed", "31 Dec"), (951_782_400.0, "Tue", "29 Feb"), (4_107_542_400.0, "Mon", "1 Mar"),
        (1e300, "", ""), (-1e300, "", ""),
    ])
    func `dates are those of the calendar, also far away`(seconds: Double, weekday: String, day: String) {
        let place = PlaceTime(zone: "Nowhere", offset: 0)
        let date = Date(timeIntervalSince1970: seconds)
        if weekday.isEmpty {
            #expect(!place.day(date).isEmpty && place.weekday(date).count == 3)
        } else {
            #expect(place.weekday(date) == weekday)
            #expect(place.day(date) == day)
        }
    }
}
