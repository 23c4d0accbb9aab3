internal import ExampleSupport

/// Puts the numbers of an answer into the units that are shown.
struct UnitScale {
    let from: Units
    let to: Units

    /// `12°C`; a dash for what isn't known.
    func temperature(_ value: Double?) -> String { value.map { degrees($0) + to.temperatureSign.dropFirst() } ?? "–" }

    /// `12°`
    func degrees(_ value: Double?) -> String { value.map { DecimalText.fixed(number($0)) + "°" } ?? "–" }

    /// The temperature as a number.
    func number(_ value: Double) -> Double { to.temperature(value, from: from) }

    /// `14 km/h`
    func speed(_ value: Double) -> String { "\(DecimalText.fixed(to.speed(value, from: from))) \(to.speedSign)" }

    /// `16 km`
    func distance(_ value: Double) -> String { "\(DecimalText.fixed(to.distance(value, from: from))) \(to.distanceSign)" }

    /// `0.4 mm/h`
    func rain(_ value: Double) -> String {
        "\(DecimalText.fixed(to.rain(value, from: from), decimals: to == .us ? 2 : 1)) \(to.rainSign)"
    }
}
