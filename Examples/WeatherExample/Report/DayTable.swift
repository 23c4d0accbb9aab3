internal import ExampleSupport
internal import PlatformBase

/// The days as a table, each with a bar from its lowest to its highest temperature on a scale that all share.
struct DayTable {
    let days: [DayConditions]
    let today: Date
    let scale: UnitScale
    let place: PlaceTime
    let width: Int
    let painter: Painter

    var lines: [String] {
        guard !days.isEmpty else { return [] }
        let ranges = days.map { $0.range.map { scale.number($0.lowerBound)...scale.number($0.upperBound) } }
        let low = ranges.compactMap { $0?.lowerBound }.min() ?? 0
        let high = ranges.compactMap { $0?.upperBound }.max() ?? 0
        let rows = zip(days, ranges).map { day, range in
            Row(
                day: place.isSameDay(day.time, today) ? "Today" : place.weekday(day.time), symbol: day.icon?.symbol ?? " ",
                low: range.map { DecimalText.fixed($0.lowerBound) + "°" } ?? "–",
                high: range.map { DecimalText.fixed($0.upperBound) + "°" } ?? "–", range: range,
                rain: day.precipProbability.map { DecimalText.fixed($0 * 100) + " %" } ?? "",
                summary: TextLayout.printable(day.summary ?? ""))
        }
        return [painter("Days", .bold)] + rows.map { line($0, rows, low: low, high: high) }
    }

    private struct Row {
        let day, symbol, low, high: String
        let range: ClosedRange<Double>?
        let rain, summary: String
    }

    private func line(_ row: Row, _ rows: [Row], low: Double, high: Double) -> String {
        func widest(_ text: (Row) -> String) -> Int { rows.map { TextWidth.cells(text($0)) }.max() ?? 0 }
        let numbers = max(widest(\.low), widest(\.high))
        let rain = widest(\.rain)
        let fixed = 5 + 1 + 1 + 1 + numbers + 1 + 1 + numbers + (rain > 0 ? 2 + rain : 0)
        // What is left is shared by bar and words; words that would be cut to nothing are left out.
        let bar = max(6, min(20, (width - fixed) / (width < 60 ? 1 : 2)))
        let words = width - fixed - bar - 2
        var text = TextLayout.padded(row.day, to: 6) + row.symbol + " " + TextLayout.leftPadded(row.low, to: numbers) + " "
        text += painter(self.bar(row.range, low: low, high: high, width: bar), .yellow)
        text += " " + TextLayout.leftPadded(row.high, to: numbers)
        if rain > 0 { text += "  " + painter(TextLayout.leftPadded(row.rain, to: rain), .blue) }
        if words >= 8, !row.summary.isEmpty { text += "  " + TextLayout.truncated(row.summary, to: words) }
        return text
    }

    private func bar(_ range: ClosedRange<Double>?, low: Double, high: Double, width: Int) -> String {
        guard let range, high > low else { return RangeBar.empty(width) }
        return RangeBar.text((range.lowerBound - low) / (high - low), (range.upperBound - low) / (high - low), width: width)
    }
}
