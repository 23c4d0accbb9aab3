/// The systems of units that an answer may be in, as `flags.units` names them.
enum Units: String, Codable, Sendable, CaseIterable {
    /// °F, miles an hour, miles, inches.
    case us
    /// °C, metres a second, kilometres, millimetres.
    case si
    /// As `si`, with kilometres an hour.
    case ca
    /// As `si`, with miles and miles an hour.
    case uk2

    /// The units of a name; `uk` is what one provider makes of `uk2`.
    init?(name: String) {
        switch name.lowercased() {
        case "uk": self = .uk2
        case let name:
            guard let units = Units(rawValue: name) else { return nil }
            self = units
        }
    }

    /// The sign of a temperature.
    var temperatureSign: String { self == .us ? "°F" : "°C" }
    /// The unit of wind.
    var speedSign: String {
        switch self {
        case .us, .uk2: "mph"
        case .si: "m/s"
        case .ca: "km/h"
        }
    }
    /// The unit of visibility.
    var distanceSign: String { self == .us || self == .uk2 ? "mi" : "km" }
    /// The unit of rain.
    var rainSign: String { self == .us ? "in/h" : "mm/h" }

    private var metresPerSecond: Double {
        switch self {
        case .us, .uk2: 0.44704
        case .si: 1
        case .ca: 1 / 3.6
        }
    }

    /// A temperature of another system in this one.
    func temperature(_ value: Double, from units: Units) -> Double {
        guard (units == .us) != (self == .us) else { return value }
        return self == .us ? value * 9 / 5 + 32 : (value - 32) * 5 / 9
    }

    /// A speed of another system in this one.
    func speed(_ value: Double, from units: Units) -> Double { value * units.metresPerSecond / metresPerSecond }

    /// A distance of another system in this one.
    func distance(_ value: Double, from units: Units) -> Double {
        guard units.distanceSign != distanceSign else { return value }
        return distanceSign == "mi" ? value / 1.609344 : value * 1.609344
    }

    /// An intensity of rain of another system in this one.
    func rain(_ value: Double, from units: Units) -> Double {
        guard (units == .us) != (self == .us) else { return value }
        return self == .us ? value / 25.4 : value * 25.4
    }
}
