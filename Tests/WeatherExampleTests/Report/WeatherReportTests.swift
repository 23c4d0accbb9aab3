import ExampleSupport
import PlatformBase
import Testing

@testable import WeatherExample

/// Expects a report of every answer to keep to every width, addresses apart, and to hold nothing that a terminal obeys.
func expectFit(_ weather: WeatherData) {
    for width in [20, 40, 60, 80, 200] {
        for units in [nil] + Units.allCases.map(Optional.some) {
            let report = WeatherReport(
                location: .preview, weather: weather, units: units, width: width, now: Date(timeIntervalSince1970: 0))
            for line in report.lines where !line.contains("://") {
                #expect(TextWidth.cells(line) <= max(width, 30), "\(line)")
                #expect(line.unicodeScalars.allSatisfy { $0.value >= 0x20 })
            }
        }
    }
}

@Suite struct WeatherReportTests {
    private func lines(_ json: String, width: Int = 60, units: Units? = nil) throws -> [String] {
        WeatherReport(
            location: Location(latitude: 1, longitude: 2), weather: try decoded(json), units: units, width: width,
            now: Date(timeIntervalSince1970: 0)
        ).lines
    }

    @Test func `warnings come first, with what is known of them`() throws {
        let lines = try lines(Twins.missingValues)
        #expect(lines[0].contains("Sun 9 Nov, 14:55 (Nowhere/Five)"))
        #expect(lines[2] == "! avertissement de neige (moderate)")
        #expect(lines[3] == "  one, two, three, four and 2 more")
        #expect(lines[4] == "  Première bordée.")
        #expect(lines[5] == "  Quoi : [31m10 cm.")
        #expect(lines[7] == "! Fog, until Mon 10 Nov, 03:02")
        #expect(lines[9] == "-1°C")
    }

    @Test func `what is missing is left out, not shown as nothing`() throws {
        let text = try lines(Twins.missingValues).joined(separator: "\n")
        for word in ["999", "nil", "humidity", "UV", "feels", "gusts", "none"] { #expect(!text.contains(word), "\(word)") }
        #expect(text.contains("wind NW 18 km/h"))
        #expect(try lines(Twins.nothing).contains("No current conditions in the answer."))
    }

    @Test func `the units are those of the answer, or those asked for`() throws {
        #expect(try lines(Twins.halfHour).contains("☁ 84°F  Humid"))
        #expect(try lines(Twins.halfHour, units: .si).contains("☁ 29°C  Humid"))
        #expect(try lines(Twins.halfHour, units: .si).contains { $0.contains("wind 1 m/s") })
    }

    @Test func `the days share a scale, and a minimum above a maximum is turned round`() throws {
        let weather = try decoded(
            """
            {"latitude": 1, "longitude": 2, "timezone": "Nowhere", "offset": 0, "daily": {"data": [
             {"time": 0, "temperatureMin": 10, "temperatureMax": 0}, {"time": 86400, "temperatureMin": 10, "temperatureMax": 20},
             {"time": 172800}]}}
            """)
        let table = DayTable(
            days: weather.forecast, today: Date(timeIntervalSince1970: 0), scale: UnitScale(from: .si, to: .si),
            place: PlaceTime(zone: "", offset: 0), width: 30, painter: Painter(isColored: false))
        #expect(
            table.lines == [
                "Days", "Today    0° ━━━━━━━······· 10°", "Fri     10° ·······━━━━━━━ 20°", "Sat       – ··············   –",
            ])
    }

    @Test func `hours that are all alike have one mark`() throws {
        let weather = try decoded(
            #"{"latitude": 1, "longitude": 2, "timezone": "Nowhere", "offset": 0, "hourly": {"data": [{"time": 0, "temperature": 5}]}}"#)
        let chart = HourChart(
            hours: weather.hours, summary: nil, scale: UnitScale(from: .si, to: .si), place: PlaceTime(zone: "", offset: 0), width: 24,
            painter: Painter(isColored: false))
        #expect(chart.lines == ["Next hours", "", "", "   5° █", "      █", "      00:00"])
    }

    @Test func `chart and rain have a column for each hour, and times below`() throws {
        let hours = (0..<30).map { hour in
            #"{"time": \#(hour * 3600), "temperature": \#(hour), "precipProbability": \#(hour == 3 ? 0.5 : 0)}"#
        }
        let weather = try decoded(
            #"{"latitude": 1, "longitude": 2, "timezone": "Nowhere", "offset": 0, "hourly": {"data": [\#(hours.joined(separator: ","))]}}"#)
        let chart = HourChart(
            hours: weather.hours, summary: nil, scale: UnitScale(from: .si, to: .si), place: PlaceTime(zone: "", offset: 0), width: 24,
            painter: Painter(isColored: false))
        #expect(
            chart.lines == [
                "Next hours", "   8°               ▄ █", "              ▁ ▄ █ █ █", "          ▁ ▅ █ █ █ █ █", "   0° ▁ ▅ █ █ █ █ █ █ █",
                "rain        ▄", "      00:00   04:00",
            ])
    }
}
