internal import PlatformBase

/// The weather of one hour to come.
struct HourConditions: Codable, Sendable, Hashable {
    let time: Date
    let summary: String?
    let icon: WeatherIcon?
    let temperature: Double?
    let precipIntensity: Double?
    /// 0 to 1.
    let precipProbability: Double?
    let precipType: String?

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        time = try values.time(.time)
        summary = try values.words(.summary)
        icon = try values.decodeIfPresent(WeatherIcon.self, forKey: .icon)
        temperature = try values.measurement(.temperature)
        precipIntensity = try values.measurement(.precipIntensity)
        precipProbability = try values.measurement(.precipProbability, in: 0...1)
        precipType = try values.words(.precipType).flatMap { $0 == "none" ? nil : $0 }
    }
}
