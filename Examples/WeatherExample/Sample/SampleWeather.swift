internal import PlatformBase

/// Weather made up for a place and a time: no measurement and no forecast, but a climate that fits the latitude and the season.
struct SampleWeather {
    let location: Location
    let now: Date

    /// The answer as JSON.
    func data(in units: Units) throws -> Data { try JSONEncoder().encode(answer(in: units)) }

    /// The answer.
    func answer(in units: Units) -> SampleAnswer {
        var random = SampleRandom(seed: seed)
        let zone = SampleZone.of(location)
        let second = now.timeIntervalSince1970.rounded(.down)
        let hour = (second / 3600).rounded(.down) * 3600
        let shift = zone.offset * 3600
        let midnight = ((second + shift) / 86_400).rounded(.down) * 86_400 - shift
        // The days' own moods, each a little like the one before: 0 is clear, 1 is a downpour.
        var mood = Double.random(in: 0...1, using: &random)
        var warmth = 0.0
        let days = (0..<9).map { _ in
            mood += Double.random(in: -0.45...0.45, using: &random)
            // Turned back at the ends, where days would else stay alike.
            mood = mood < 0 ? -mood : mood > 1 ? 2 - mood : mood
            warmth = min(5, max(-5, warmth + Double.random(in: -2.5...2.5, using: &random)))
            return Day(mood: mood, warmth: warmth, wind: Double.random(in: 1...9, using: &random))
        }
        func day(at time: Double) -> (Day, Day, Double) {
            let position = max(0, (time - midnight) / 86_400)
            let index = min(7, Int(position))
            return (days[index], days[index + 1], position - Double(index))
        }
        func point(_ time: Double) -> SampleAnswer.Point {
            let (one, other, part) = day(at: time)
            return hourly(time, one.mixed(with: other, part), hourOfDay: (time + shift) / 3600, in: units)
        }
        let hours = (0..<48).map { point(hour + Double($0) * 3600) }
        let daily = (0..<8).map { index in
            let start = midnight + Double(index) * 86_400
            return self.daily(start, (0..<24).map { point(start + Double($0) * 3600) }, in: units)
        }
        let storm = daily.prefix(3).first { $0.precipProbability > 0.75 }
        return SampleAnswer(
            latitude: location.latitude, longitude: location.longitude, timezone: zone.name, offset: zone.offset,
            currently: point(second), hourly: .init(summary: Self.outlook(hours.prefix(12)), icon: hours[0].icon, data: hours),
            daily: .init(summary: Self.outlook(daily[...]), icon: daily[0].icon, data: daily),
            alerts: storm.map { [Self.alert(for: $0, place: location.name)] }, flags: .init(units: units.rawValue))
    }

    private var seed: UInt64 {
        let place = UInt64(bitPattern: Int64((location.latitude * 100).rounded()) &* 100_003 &+ Int64((location.longitude * 100).rounded()))
        return place ^ UInt64(bitPattern: Int64(now.timeIntervalSince1970 / 86_400))
    }

    /// What makes one day differ from another.
    private struct Day {
        var mood, warmth, wind: Double

        func mixed(with other: Day, _ part: Double) -> Day {
            Day(
                mood: mood + (other.mood - mood) * part, warmth: warmth + (other.warmth - warmth) * part,
                wind: wind + (other.wind - wind) * part)
        }
    }

    private func hourly(_ time: Double, _ day: Day, hourOfDay: Double, in units: Units) -> SampleAnswer.Point {
        // Warmest in mid-afternoon, and in July in the north.
        let yearPart = (time / 86_400 / 365.25 - 0.55) * 2 * .pi
        let season = cos(yearPart) * location.latitude * 0.17
        let daily = cos((hourOfDay - 15) / 24 * 2 * .pi) * (6 - 3 * day.mood)
        let celsius = 28 - location.latitude * location.latitude * 0.0065 + season + daily + day.warmth - day.mood * 3
        let rain = max(0, day.mood - 0.45) * 1.8
        let probability = min(0.95, rain * (0.75 + 0.25 * sin(hourOfDay / 3)))
        let local = hourOfDay.truncatingRemainder(dividingBy: 24)
        let isDay = local >= 6 && local < 19
        let (summary, icon, kind) = Self.sky(mood: day.mood, probability: probability, celsius: celsius, isDay: isDay)
        let wind = day.wind * (0.8 + 0.2 * cos(hourOfDay))
        let intensity = kind == nil ? 0 : probability * 1.6
        return SampleAnswer.Point(
            time: time, summary: summary, icon: icon, precipIntensity: Self.round(units.rain(intensity, from: .si), 3),
            precipProbability: Self.round(probability, 2), precipType: kind,
            temperature: Self.round(units.temperature(celsius, from: .si), 2),
            apparentTemperature: Self.round(units.temperature(celsius - wind * 0.4, from: .si), 2),
            humidity: Self.round(min(0.99, 0.45 + day.mood * 0.45), 2), pressure: Self.round(1024 - day.mood * 24, 1),
            windSpeed: Self.round(units.speed(wind, from: .si), 2), windGust: Self.round(units.speed(wind * 1.8, from: .si), 2),
            windBearing: Self.round((day.warmth + 5) * 36, 0), cloudCover: Self.round(day.mood, 2),
            uvIndex: isDay ? Self.round(max(0, 9 * (1 - day.mood) * (1 - abs(location.latitude) / 100)), 1) : 0,
            visibility: Self.round(units.distance(16 - day.mood * 9, from: .si), 1))
    }

    private func daily(_ start: Double, _ hours: [SampleAnswer.Point], in units: Units) -> SampleAnswer.Point {
        let temperatures = hours.compactMap(\.temperature)
        let noon = hours[13]
        let sun = Self.daylight(latitude: location.latitude, dayOfYear: (start / 86_400).truncatingRemainder(dividingBy: 365.25))
        return SampleAnswer.Point(
            time: start, summary: noon.summary, icon: noon.icon, precipIntensity: noon.precipIntensity,
            precipProbability: hours.map(\.precipProbability).max() ?? 0, precipType: noon.precipType, windSpeed: noon.windSpeed,
            temperatureHigh: temperatures[6..<18].max(), temperatureLow: temperatures[18...].min(), temperatureMin: temperatures.min(),
            temperatureMax: temperatures.max(), sunriseTime: sun.map { start + 43_200 - $0 / 2 },
            sunsetTime: sun.map { start + 43_200 + $0 / 2 })
    }

    /// How many seconds the sun is up; `nil` in polar night and polar day.
    private static func daylight(latitude: Double, dayOfYear: Double) -> Double? {
        let declination = -23.44 * cos((dayOfYear + 10) / 365.25 * 2 * .pi) * .pi / 180
        let cosine = -tan(latitude * .pi / 180) * tan(declination)
        return abs(cosine) < 1 ? (acos(cosine) / .pi * 86_400).rounded() : nil
    }

    private static func sky(
        mood: Double, probability: Double, celsius: Double, isDay: Bool
    ) -> (summary: String, icon: String, kind: String?) {
        if probability > 0.3 {
            let force = probability > 0.75 ? "Heavy " : probability > 0.5 ? "" : "Light "
            let kind = celsius < 0 ? "snow" : celsius < 2 ? "sleet" : "rain"
            return (force.isEmpty ? kind.capitalized : force + kind, kind, kind)
        }
        return switch mood {
        case ..<0.25: ("Clear", isDay ? "clear-day" : "clear-night", nil)
        case ..<0.5: ("Partly cloudy", isDay ? "partly-cloudy-day" : "partly-cloudy-night", nil)
        default: ("Overcast", "cloudy", nil)
        }
    }

    private static func outlook(_ points: ArraySlice<SampleAnswer.Point>) -> String {
        let first = points.first?.summary ?? ""
        guard let change = points.first(where: { $0.summary != first }) else { return "\(first) throughout." }
        return "\(first) at first, then \(change.summary.lowercased())."
    }

    private static func alert(for day: SampleAnswer.Point, place: String) -> SampleAnswer.Alert {
        SampleAnswer.Alert(
            title: "Sample Warning: \(day.summary)", regions: ["\(place) and around"], severity: "watch", time: day.time,
            expires: day.time + 64_800,
            description: "This warning is made up like the rest of the sample. A real one tells here what is coming, where and when, "
                + "and what to do about it.")
    }

    private static func round(_ number: Double, _ decimals: Int) -> Double {
        let scale = [1.0, 10, 100, 1000][decimals]
        return (number * scale).rounded() / scale
    }
}
