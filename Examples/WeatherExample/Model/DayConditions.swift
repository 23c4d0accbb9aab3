internal import PlatformBase

/// The weather of one day.
struct DayConditions: Codable, Sendable, Hashable {
    let time: Date
    let summary: String?
    let icon: WeatherIcon?
    /// By day.
    let temperatureHigh: Double?
    /// In the night that follows.
    let temperatureLow: Double?
    /// From midnight to midnight.
    let temperatureMin: Double?
    let temperatureMax: Double?
    let windSpeed: Double?
    /// 0 to 1.
    let precipProbability: Double?
    let precipType: String?
    /// `nil` in polar night and polar day.
    let sunriseTime: Date?
    let sunsetTime: Date?

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        time = try values.time(.time)
        summary = try values.words(.summary)
        icon = try values.decodeIfPresent(WeatherIcon.self, forKey: .icon)
        temperatureHigh = try values.measurement(.temperatureHigh)
        temperatureLow = try values.measurement(.temperatureLow)
        temperatureMin = try values.measurement(.temperatureMin)
        temperatureMax = try values.measurement(.temperatureMax)
        windSpeed = try values.measurement(.windSpeed)
        precipProbability = try values.measurement(.precipProbability, in: 0...1)
        precipType = try values.words(.precipType).flatMap { $0 == "none" ? nil : $0 }
        sunriseTime = try values.instant(.sunriseTime)
        sunsetTime = try values.instant(.sunsetTime)
    }

    /// The coldest and the warmest of the day. Clear Sky's made-up days have the minimum above the maximum as often as not.
    var range: ClosedRange<Double>? {
        guard let low = temperatureMin ?? temperatureLow, let high = temperatureMax ?? temperatureHigh else { return nil }
        return min(low, high)...max(low, high)
    }
}
