internal import PlatformBase

/// The weather at one moment. Only the time is sure to be there.
struct CurrentConditions: Codable, Sendable, Hashable {
    let time: Date
    let summary: String?
    let icon: WeatherIcon?
    let temperature: Double?
    let apparentTemperature: Double?
    let windSpeed: Double?
    let windGust: Double?
    /// Where the wind comes from, in degrees from north.
    let windBearing: Double?
    /// 0 to 1.
    let humidity: Double?
    /// In hPa, in all systems of units.
    let pressure: Double?
    let visibility: Double?
    let uvIndex: Double?
    let precipIntensity: Double?
    /// 0 to 1.
    let precipProbability: Double?
    /// `rain`, `snow`, `sleet`; `nil` also for `none`.
    let precipType: String?

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        time = try values.time(.time)
        summary = try values.words(.summary)
        icon = try values.decodeIfPresent(WeatherIcon.self, forKey: .icon)
        temperature = try values.measurement(.temperature)
        apparentTemperature = try values.measurement(.apparentTemperature)
        windSpeed = try values.measurement(.windSpeed)
        windGust = try values.measurement(.windGust)
        windBearing = try values.measurement(.windBearing, in: 0...360)
        humidity = try values.measurement(.humidity, in: 0...1)
        pressure = try values.measurement(.pressure)
        visibility = try values.measurement(.visibility)
        // Values of 10^17, and small negative ones, have been seen.
        uvIndex = try values.measurement(.uvIndex, in: 0...30)
        precipIntensity = try values.measurement(.precipIntensity)
        precipProbability = try values.measurement(.precipProbability, in: 0...1)
        precipType = try values.words(.precipType).flatMap { $0 == "none" ? nil : $0 }
    }
}
