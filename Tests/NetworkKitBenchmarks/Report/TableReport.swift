/// The figures for a person to read.
enum TableReport {
    static func text(_ run: [Measurement], server: String?, _ options: Options) -> String {
        var lines = [
            "\(options.rounds) rounds\(server.map { ", server \($0)" } ?? ""). Medians over the rounds; ratios are of NetworkKit's rate, "
                + "median (least to greatest).",
            "",
            row("scenario", "client", "rate", "", "p50 µs", "p99 µs", "CPU µs", "peak MB", "ratio"),
        ]
        for measurement in run {
            lines.append(subject(measurement))
            lines += measurement.baselines.map { baseline(measurement, $0.name, $0.rounds) }
            lines += Floor.all(measurement, in: run).map { "    \($0.isReached ? "ok   " : "BELOW") \($0.text)" }
        }
        return lines.joined(separator: "\n")
    }

    private static func subject(_ measurement: Measurement) -> String {
        row(
            measurement.scenario.name, "networkkit", measurement.rate.text(0), measurement.scenario.unit, measurement.p50.text(1),
            measurement.p99.text(1), measurement.processor.text(1), measurement.peakMegabytes.text(1), "")
    }

    private static func baseline(_ measurement: Measurement, _ name: String, _ rounds: [Round]) -> String {
        let figures = Measurement(scenario: measurement.scenario, rounds: rounds)
        let ratio = measurement.ratio(to: rounds, measurement.scenario.rate)
        return row(
            "", name, figures.rate.text(0), measurement.scenario.unit, figures.p50.text(1), figures.p99.text(1),
            figures.processor.text(1), "", ratio.map { "\($0.median.text(2)) (\($0.min.text(2)) to \($0.max.text(2)))" } ?? "")
    }

    private static func row(_ cells: String...) -> String {
        let widths = [22, 16, -8, 6, -11, -11, -9, -9, 24]
        let padded = zip(cells, widths).map { cell, width in
            let fill = String(repeating: " ", count: max(0, abs(width) - cell.count))
            return width < 0 ? fill + cell : cell + fill
        }
        let line = padded.joined(separator: " ")
        return String(line.reversed().drop { $0 == " " }.reversed())
    }
}

extension Double {
    /// The number with so many digits after the point.
    func text(_ digits: Int) -> String {
        guard isFinite, magnitude < 1e15 else { return "-" }
        let scale = (0..<digits).reduce(1) { scale, _ in scale * 10 }
        let scaled = Int((magnitude * Double(scale)).rounded())
        let whole = "\(scaled / scale)"
        guard digits > 0 else { return (self < 0 ? "-" : "") + whole }
        let part = "\(scaled % scale)"
        return (self < 0 ? "-" : "") + whole + "." + String(repeating: "0", count: digits - part.count) + part
    }
}
