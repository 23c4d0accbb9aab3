import ExampleSupport
import ExampleTestSupport
import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

@testable import WeatherExample

@Suite struct WeatherSampleTests {
    @Test func `at 80 columns it is this page`() async {
        let run = await weather("mumbai", "--provider", "darksky", width: 80)
        #expect(run.status == .success)
        #expect(
            run.output == """
                Mumbai, India · Sat 14 Mar, 17:30 (Asia/Kolkata)

                ! Sample Warning: Light rain (watch), until Mon 16 Mar, 18:00
                  Mumbai and around
                  This warning is made up like the rest of the sample. A real one tells here
                  what is coming, where and when, and what to do about it.

                ☂ 28°C  Light rain
                feels like 26° · today 20° to 28° · wind W 3 m/s, gusts 6 m/s · rain 0.7 mm/h
                humidity 78 % · 1007 hPa · sight 9 km · UV 2 · sun 06:05 to 17:54

                Next hours: Light rain at first, then overcast.
                  28° █ ▅ ▁                               ▂ ▅ ▇ █ █ ▆
                      █ █ █ ▅ ▁                       ▃ ▇ █ █ █ █ █ █
                      █ █ █ █ █ ▄ ▁               ▂ ▆ █ █ █ █ █ █ █ █
                  21° █ █ █ █ █ █ █ ▅ ▃ ▁ ▁ ▂ ▄ ▇ █ █ █ █ █ █ █ █ █ █
                rain  ▃ ▃ ▃ ▂ ▂ ▂ ▂ ▂ ▂ ▃ ▃ ▃ ▄ ▄ ▄ ▄ ▄ ▄ ▄ ▄ ▃ ▃ ▃ ▂  up to 54 %
                      17:30   21:30   01:30   05:30   09:30   13:30

                Days
                Today ☂ 20° ··━━━━━━━━━━━━━━━··· 28°  48 %  Light rain
                Sun   ☂ 21° ····━━━━━━━━━━━━···· 28°  54 %  Light rain
                Mon   ☂ 19° ·━━━━━━━━━━━········ 26°  76 %  Light rain
                Tue   ☂ 18° ━━━━━━━━━━━━━······· 26°  74 %  Rain
                Wed   ☂ 20° ···━━━━━━━━━━━━━━··· 28°  73 %  Rain
                Thu   ☂ 22° ······━━━━━━━━━━━━·· 29°  65 %  Light rain
                Fri   ☂ 22° ······━━━━━━━━━━━━━· 30°  67 %  Light rain
                Sat   ☂ 23° ·······━━━━━━━━━━━━━ 30°  60 %  Rain

                """)
    }

    @Test func `at 40 columns it is this page`() async {
        let run = await weather("mumbai", "--provider", "darksky", width: 40)
        #expect(
            run.output == """
                Mumbai, India
                Sat 14 Mar, 17:30 (Asia/Kolkata)

                ! Sample Warning: Light rain (watch),
                  until Mon 16 Mar, 18:00
                  Mumbai and around
                  This warning is made up like the rest
                  of the sample. A real one tells here
                  what is coming, where and when, and
                  what to do about it.

                ☂ 28°C  Light rain
                feels like 26° · today 20° to 28°
                wind W 3 m/s, gusts 6 m/s
                rain 0.7 mm/h · humidity 78 % · 1007 hPa
                sight 9 km · UV 2 · sun 06:05 to 17:54

                Next hours: Light rain at first, then
                overcast.
                  28° █ ▅ ▁
                      █ █ █ ▅ ▁                       ▃
                      █ █ █ █ █ ▄ ▁               ▂ ▆ █
                  21° █ █ █ █ █ █ █ ▅ ▃ ▁ ▁ ▂ ▄ ▇ █ █ █
                rain  ▃ ▃ ▃ ▂ ▂ ▂ ▂ ▂ ▂ ▃ ▃ ▃ ▄ ▄ ▄ ▄ ▄
                      17:30   21:30   01:30   05:30

                Days
                Today ☂ 20° ··━━━━━━━━━━━━━··· 28°  48 %
                Sun   ☂ 21° ····━━━━━━━━━━···· 28°  54 %
                Mon   ☂ 19° ·━━━━━━━━━━······· 26°  76 %
                Tue   ☂ 18° ━━━━━━━━━━━━······ 26°  74 %
                Wed   ☂ 20° ···━━━━━━━━━━━━··· 28°  73 %
                Thu   ☂ 22° ·····━━━━━━━━━━━━· 29°  65 %
                Fri   ☂ 22° ·····━━━━━━━━━━━━━ 30°  67 %
                Sat   ☂ 23° ·······━━━━━━━━━━━ 30°  60 %

                """)
    }

    @Test func `a sample says on standard error that it is one, and how to go live`() async {
        let run = await weather()
        #expect(run.status == .success)
        #expect(run.errors.contains("made up") && run.errors.contains("CLEAR_SKY_API_KEY"))
        #expect(await weather("--provider", "darksky").errors.contains("DARK_SKY_API_KEY"))
        #expect(await weather("--provider", "preview").errors.contains("without a network"))
    }

    @Test func `colours change nothing but colours`() async {
        let plain = await weather("mumbai", width: 80)
        let colored = await weather("mumbai", width: 80, isColored: true)
        #expect(colored.output.contains("\u{1B}[1mMumbai, India\u{1B}[0m"))
        #expect(colored.output.replacing(#/\u{1B}\[\d+m/#, with: "") == plain.output)
    }

    @Test func `the JSON holds the places and what is known of them`() async throws {
        struct Entry: Decodable {
            struct Weather: Decodable {
                let units: String
                let forecast: [Day]
                let timezone: String
            }
            struct Day: Decodable { let time: Date }
            let location: Location
            let weather: Weather
        }
        let run = await weather("mumbai", "0,0", "--json")
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let entries = try decoder.decode([Entry].self, from: Data(run.output.utf8))
        #expect(entries.map(\.location.name) == ["Mumbai", "0.0, 0.0"])
        #expect(entries.map(\.weather.timezone) == ["Asia/Kolkata", "Etc/GMT"])
        #expect(entries[0].weather.forecast.count == 8)
        #expect(entries[0].weather.units == "us")
    }

    @Test(arguments: [-90, -66.6, -33.9, 0, 23.5, 51.5, 78.2, 90] as [Double], [-180, -58.4, 0, 77.2, 180] as [Double])
    func `weather is made up for every place, in every season`(latitude: Double, longitude: Double) throws {
        for month in 0..<12 {
            let now = Date(timeIntervalSince1970: 1_767_225_600 + Double(month) * 2_629_746)
            let sample = SampleWeather(location: Location(latitude: latitude, longitude: longitude), now: now)
            let weather = try ClearSkyDecoder().decode(WeatherData.self, from: try sample.data(in: .si))
            #expect(weather.hours.count == 48 && weather.forecast.count == 8)
            let place = PlaceTime(zone: "", offset: weather.offset)
            #expect(place.isSameDay(try #require(weather.forecast.first).time, now))
            #expect(weather.hours.allSatisfy { (-75...55).contains($0.temperature ?? .nan) })
        }
    }

    @Test func `the sample server refuses what a real one refuses`() async throws {
        let server = try await SampleServer.start(now: noon)
        let wrong = WeatherClient(baseURL: server.url("/clearsky"), apiKey: "wrong")
        await #expect { try await wrong.weather(for: .preview) } throws: { ($0 as? RequestError)?.statusCode == 401 }
        let client = DarkSkyClient(baseURL: server.baseURL, apiKey: SampleServer.apiKey)
        let nowhere = Location(latitude: 100, longitude: 0)
        await #expect { try await client.weather(for: nowhere) } throws: { ($0 as? RequestError)?.statusCode == 400 }
        await server.stop()
    }
}
