internal import ExampleSupport

/// The warnings, which come before everything else.
struct AlertSection {
    let alerts: [WeatherAlert]
    let place: PlaceTime
    let width: Int
    let painter: Painter

    var lines: [String] {
        var lines: [String] = []
        for alert in alerts {
            if !lines.isEmpty { lines.append("") }
            let severity = alert.severity.map { " (\($0.lowercased()))" } ?? ""
            let until = alert.expires.map { ", until \(place.weekday($0)) \(place.day($0)), \(place.clock($0))" } ?? ""
            let title = TextLayout.printable("\(alert.title)\(severity)\(until)")
            lines += TextLayout.wrap("! " + title, width: width, indent: 2).map { painter($0, .red) }
            if let regions = regions(alert.regions) { lines += indented(regions) }
            lines += description(alert)
            if let uri = alert.uri { lines += indented(uri) }
        }
        return lines
    }

    /// The first few, and how many more there are.
    private func regions(_ names: [String]) -> String? {
        guard !names.isEmpty else { return nil }
        let more = names.count > 4 ? " and \(names.count - 4) more" : ""
        return names.prefix(4).joined(separator: ", ") + more
    }

    /// The beginning of the description: a warning's full text fills pages, and its address is below.
    private func description(_ alert: WeatherAlert) -> [String] {
        guard let text = alert.description else { return [] }
        let lines = text.split(whereSeparator: \.isNewline).flatMap { indented(String($0)) }
        guard lines.count > 5 else { return lines }
        return lines.prefix(4) + [TextLayout.truncated(lines[4], to: width - 2) + " …"]
    }

    private func indented(_ text: String) -> [String] {
        TextLayout.wrap(TextLayout.printable(text), width: width - 2).map { "  " + $0 }
    }
}
