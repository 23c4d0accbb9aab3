internal import ExampleSupport
internal import PlatformBase

/// The next hours as a small chart: columns for the temperature, below them the chance of rain.
struct HourChart {
    let hours: [HourConditions]
    let summary: String?
    let scale: UnitScale
    let place: PlaceTime
    let width: Int
    let painter: Painter

    private static let title = "Next hours"
    private static let rows = 4
    private static let cell = 2
    private static let mostHours = 24

    var lines: [String] {
        let label = 6
        let shown = Array(hours.prefix(min(Self.mostHours, max(3, (width - label) / Self.cell))))
        let temperatures = shown.map { $0.temperature.map(scale.number) }
        let known = temperatures.compactMap { $0 }
        guard let low = known.min(), let high = known.max() else { return [] }
        var lines = TextLayout.wrap(Self.title + (summary.map { ": \(TextLayout.printable($0))" } ?? ""), width: width)
        lines[0] = painter(Self.title, .bold) + lines[0].dropFirst(Self.title.count)
        lines += chart(temperatures, low: low, high: high, label: label)
        if let row = rain(shown, label: label) { lines.append(row) }
        return lines + [TextLayout.spaces(label) + axis(shown, width: width - label)]
    }

    /// The chance of rain, named for what falls when it is likeliest; `nil` when nothing will.
    private func rain(_ shown: [HourConditions], label: Int) -> String? {
        let wettest = shown.max { ($0.precipProbability ?? 0) < ($1.precipProbability ?? 0) }
        guard let wettest, let most = wettest.precipProbability, most > 0 else { return nil }
        let name = TextLayout.truncated(TextLayout.printable(wettest.precipType ?? "rain"), to: label - 1)
        let cells = Self.trimmed(shown.map { ColumnCell.text($0.precipProbability ?? 0) + " " }.joined())
        let row = TextLayout.padded(name, to: label) + painter(cells, .blue)
        let note = "  up to \(DecimalText.fixed(most * 100)) %"
        return label + TextWidth.cells(cells) + TextWidth.cells(note) <= width ? row + note : row
    }

    /// Columns of eighths, the lowest temperature one eighth high so that it is seen.
    private func chart(_ temperatures: [Double?], low: Double, high: Double, label: Int) -> [String] {
        let steps = Double(Self.rows) * 8
        let heights = temperatures.map { temperature -> Double in
            guard let temperature else { return 0 }
            return high > low ? 1 + (temperature - low) / (high - low) * (steps - 1) : steps / 2
        }
        return (0..<Self.rows).reversed().map { row in
            let cells = heights.map { height in
                ColumnCell.text((height - Double(row) * 8) / 8) + " "
            }
            // Where all hours are alike the columns are half as high, and one mark says how warm that is.
            let text = high > low ? (row == Self.rows - 1 ? high : row == 0 ? low : nil) : row == Self.rows / 2 - 1 ? high : nil
            let mark = text.map { DecimalText.fixed($0) + "°" } ?? ""
            return Self.trimmed(
                TextLayout.padded(TextLayout.leftPadded(mark, to: label - 1), to: label) + painter(Self.trimmed(cells.joined()), .yellow))
        }
    }

    /// Times below every few columns, as far apart as they are long.
    private func axis(_ shown: [HourConditions], width: Int) -> String {
        let step = 4
        var line = ""
        for (index, hour) in shown.enumerated() where index.isMultiple(of: step) {
            let mark = place.clock(hour.time)
            if index * Self.cell + TextWidth.cells(mark) <= width { line = TextLayout.padded(line, to: index * Self.cell) + mark }
        }
        return line
    }

    private static func trimmed(_ text: String) -> String {
        var text = text
        while text.last == " " { text.removeLast() }
        return text
    }
}
