internal import ExampleSupport
internal import PlatformBase

/// The weather of one place as a page of text.
struct WeatherReport {
    let location: Location
    let weather: WeatherData
    /// What to show; `nil` for what the answer is in.
    var units: Units?
    /// What the answer is in when it doesn't say so itself.
    var assumedUnits = Units.us
    var days = 8
    var width = 80
    var painter = Painter(isColored: false)
    /// The time, where the answer has no current conditions.
    var now: Date

    /// The lines: warnings first, then now, the next hours, the days.
    var lines: [String] {
        let scale = UnitScale(from: weather.units ?? assumedUnits, to: units ?? weather.units ?? assumedUnits)
        let place = PlaceTime(zone: weather.timezone, offset: weather.offset)
        let time = weather.currently?.time ?? now
        var lines = heading(place, time)
        let sections = [
            AlertSection(alerts: weather.alerts, place: place, width: width, painter: painter).lines,
            CurrentSection(weather: weather, scale: scale, place: place, width: width, painter: painter).lines,
            HourChart(hours: weather.hours, summary: weather.summary, scale: scale, place: place, width: width, painter: painter).lines,
            DayTable(days: Array(weather.forecast.prefix(days)), today: time, scale: scale, place: place, width: width, painter: painter)
                .lines,
        ]
        for section in sections where !section.isEmpty { lines += [""] + section }
        return lines
    }

    private func heading(_ place: PlaceTime, _ time: Date) -> [String] {
        let name = TextLayout.printable(location.title)
        let clock = "\(place.weekday(time)) \(place.day(time)), \(place.clock(time))"
        let zone = TextLayout.printable(weather.timezone)
        let whole = "\(name) · \(clock) (\(zone))"
        guard TextWidth.cells(whole) > width else { return [painter(name, .bold) + " · \(clock) " + painter("(\(zone))", .dim)] }
        return TextLayout.wrap(name, width: width).map { painter($0, .bold) } + TextLayout.wrap("\(clock) (\(zone))", width: width)
    }
}
