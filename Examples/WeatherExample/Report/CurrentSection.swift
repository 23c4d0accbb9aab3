internal import ExampleSupport

/// The weather now.
struct CurrentSection {
    let weather: WeatherData
    let scale: UnitScale
    let place: PlaceTime
    let width: Int
    let painter: Painter

    var lines: [String] {
        guard let now = weather.currently else { return TextLayout.wrap("No current conditions in the answer.", width: width) }
        let symbol = now.icon?.symbol ?? " "
        let head = (symbol == " " ? "" : symbol + " ") + scale.temperature(now.temperature)
        let summary = TextLayout.printable(now.summary ?? "")
        let rest = TextLayout.wrap(summary, width: max(10, width - TextWidth.cells(head) - 2))
        var lines = [painter(head, .bold) + (summary.isEmpty ? "" : "  " + (rest.first ?? ""))]
        lines += rest.dropFirst().map { TextLayout.spaces(TextWidth.cells(head) + 2) + $0 }
        return lines + wrapped(details(now))
    }

    private func details(_ now: CurrentConditions) -> [String] {
        var parts: [String] = []
        if let feels = now.apparentTemperature { parts.append("feels like \(scale.degrees(feels))") }
        if let range = weather.forecast.first?.range {
            parts.append("today \(scale.degrees(range.lowerBound)) to \(scale.degrees(range.upperBound))")
        }
        if let speed = now.windSpeed {
            let gust = now.windGust.map { ", gusts \(scale.speed($0))" } ?? ""
            parts.append("wind \(now.windBearing.map { Self.compass($0) + " " } ?? "")\(scale.speed(speed))\(gust)")
        }
        if let rain = now.precipIntensity, rain > 0 { parts.append("\(now.precipType ?? "precipitation") \(scale.rain(rain))") }
        if let humidity = now.humidity { parts.append("humidity \(DecimalText.fixed(humidity * 100)) %") }
        if let pressure = now.pressure { parts.append("\(DecimalText.fixed(pressure)) hPa") }
        if let visibility = now.visibility { parts.append("sight \(scale.distance(visibility))") }
        if let index = now.uvIndex { parts.append("UV \(DecimalText.fixed(index))") }
        if let today = weather.forecast.first, let rise = today.sunriseTime, let set = today.sunsetTime, rise < set {
            parts.append("sun \(place.clock(rise)) to \(place.clock(set))")
        }
        return parts
    }

    /// The parts in lines, broken between parts only.
    private func wrapped(_ parts: [String]) -> [String] {
        var lines: [String] = []
        for part in parts.map({ TextLayout.printable($0) }) {
            if let last = lines.last, TextWidth.cells(last) + 3 + TextWidth.cells(part) <= width {
                lines[lines.count - 1] = last + " · " + part
            } else {
                lines.append(part)
            }
        }
        return lines
    }

    /// The name of a direction, of eight.
    static func compass(_ degrees: Double) -> String {
        ["N", "NE", "E", "SE", "S", "SW", "W", "NW"][Int((degrees / 45).rounded()) % 8]
    }
}
