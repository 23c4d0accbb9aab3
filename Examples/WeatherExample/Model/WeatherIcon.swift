/// What the sky looks like, as the provider's icon names it.
struct WeatherIcon: Codable, Sendable, Hashable {
    /// The name as it came.
    let name: String

    init(_ name: String) { self.name = name }

    init(from decoder: any Decoder) throws { name = try decoder.singleValueContainer().decode(String.self) }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }

    /// One cell that stands for it; a space for a name that means nothing, such as `none`.
    ///
    /// Only characters that all terminals draw in one cell: the coloured emoji take two in some and one in others.
    var symbol: String {
        // Clear Sky's "or partly-cloudy-night" is its template's text gone wrong.
        switch name.hasPrefix("or ") ? String(name.dropFirst(3)) : name {
        case "clear-day", "clear": "☀"
        case "clear-night": "☾"
        case "rain": "☂"
        case "snow": "❄"
        case "sleet", "hail", "ice", "mixed": "❆"
        case "wind": "≋"
        case "fog": "≡"
        case "cloudy": "☁"
        case "partly-cloudy-day", "partly-cloudy-night": "☁"
        case "thunderstorm": "↯"
        case "tornado": "◎"
        default: " "
        }
    }
}
