import ExampleTestSupport
import NetworkKit
import PlatformBase
import Testing

@testable import WeatherExample

func decoded(_ json: String) throws -> WeatherData { try ClearSkyDecoder().decode(WeatherData.self, from: Data(json.utf8)) }

@Suite struct WeatherDataTests {
    @Test func `Clear Sky's shape is read: fractional times, minimum above maximum, a broken icon`() throws {
        let weather = try decoded(Twins.clearSky)
        let now = try #require(weather.currently)
        #expect(now.time == Date(timeIntervalSince1970: 1_700_000_000.25))
        #expect(now.icon?.symbol == "☁")
        #expect(now.uvIndex == 10)
        #expect(weather.units == .us)
        #expect(weather.alerts.isEmpty)
        #expect(weather.summary == "Short showers")
        #expect(weather.hours.map(\.icon?.symbol) == ["◎", "↯"])
        #expect(weather.forecast[0].range == 64.4...74.1)
    }

    @Test func `integers and fractions mix, and an offset has half an hour`() throws {
        let weather = try decoded(Twins.halfHour)
        #expect(weather.offset == 5.5)
        #expect(weather.currently?.temperature == 84)
        #expect(weather.hours.map(\.temperature) == [85, 84.5])
        #expect(weather.alerts.first?.severity == nil)
        #expect(weather.alerts.first?.regions == [])
    }

    @Test func `a polar night has no sunrise, and an answer without flags no units`() throws {
        let weather = try decoded(Twins.polarNight)
        #expect(weather.units == nil)
        #expect(weather.forecast[0].sunriseTime == nil)
        #expect(weather.currently?.windBearing == nil)
        #expect(weather.currently?.summary == nil)
        #expect(weather.hours.isEmpty)
    }

    @Test func `minus 999 is nothing, none is nothing, and an absurd index is nothing`() throws {
        let weather = try decoded(Twins.missingValues)
        let now = try #require(weather.currently)
        #expect(now.precipProbability == nil && now.apparentTemperature == nil && now.humidity == nil && now.pressure == nil)
        #expect(now.uvIndex == nil)
        #expect(now.precipType == nil && now.summary == nil && now.icon?.symbol == " ")
        #expect(now.windBearing == 295.73)
        #expect(weather.hours[1].temperature == nil)
        #expect(weather.forecast[0].sunriseTime == nil)
        #expect(weather.forecast[0].range == -1.29...0.04)
        #expect(weather.alerts.map(\.expires) == [nil, Date(timeIntervalSince1970: 1_762_761_772)])
        #expect(weather.alerts.map(\.severity) == ["Moderate", nil])
        #expect(weather.units == .ca)
    }

    @Test func `every block may be missing`() throws {
        let weather = try decoded(Twins.nothing)
        #expect(weather.currently == nil && weather.hours.isEmpty && weather.forecast.isEmpty && weather.alerts.isEmpty)
    }

    @Test func `a block that is null is a block that is missing`() throws {
        for block in ["currently", "hourly", "daily", "alerts", "flags"] {
            let weather = try decoded(#"{"latitude": 1, "longitude": 2, "timezone": "UTC", "\#(block)": null}"#)
            #expect(weather.units == nil && weather.currently == nil && weather.hours.isEmpty)
        }
    }

    @Test(arguments: ["1e300", "-1e300", "253402300800", "-62135596801"])
    func `a time that no calendar has is told, and left out where it needn't be there`(time: String) throws {
        let far = Twins.halfHour.replacing(/"time": *[0-9.]+/, with: #""time": \#(time)"#)
        #expect(far != Twins.halfHour)
        #expect(throws: DecodingError.self) { try decoded(far) }
        let place = #""latitude": 1, "longitude": 2, "timezone": "UTC""#
        let day = try decoded("{\(place), \"daily\": {\"data\": [{\"time\": 0, \"sunriseTime\": \(time)}]}}").forecast
        #expect(day.count == 1 && day.first?.sunriseTime == nil)
    }

    @Test func `what is wrong is told with its place`() {
        let text = Twins.halfHour.replacing(#""temperature": 84.5"#, with: #""temperature": "warm""#)
        do {
            _ = try decoded(text)
            Issue.record("a text is no temperature")
        } catch DecodingError.typeMismatch(_, let context) {
            #expect(context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue } == ["hourly", "data", "1", "temperature"])
        } catch {
            Issue.record(error)
        }
        #expect(throws: DecodingError.self) { try decoded("{}") }
        #expect(throws: DecodingError.self) { try decoded(#"{"latitude": 1, "longitude": 1}"#) }
    }

    @Test func `the preview is what the tutorial's preview client gives`() async throws {
        let weather = try await WeatherPreviewClient().weather(for: .preview)
        #expect(weather.currently?.temperature != nil)
        #expect(weather.forecast.count == 8)
        let broken = WeatherPreviewClient(result: .failure(.unauthorized()))
        await #expect(throws: RequestError.self) { try await broken.weather(for: .preview) }
    }

    @Test(
        .enabled(if: SharedFixtures.exist, .init(rawValue: SharedFixtures.missing)),
        arguments: [
            "clearsky_synthetic", "darksky_mumbai_2020_no_minutely", "darksky_nyc_2019_us_alert", "pirateweather_sf_2025_version2",
            "pirateweather_soulanges_2025_ca_alert_999",
        ])
    func `every recorded answer decodes and fits every width`(name: String) throws {
        let data = try #require(SharedFixtures.data(name + ".json"))
        let weather = try ClearSkyDecoder().decode(WeatherData.self, from: data)
        #expect(weather.currently?.temperature != nil)
        #expect(!weather.forecast.isEmpty)
        #expect(weather.units == (name.contains("soulanges") ? .ca : .us))
        expectFit(weather)
    }

    @Test(arguments: Twins.all)
    func `every made-up answer fits every width`(json: String) throws { expectFit(try decoded(json)) }
}
