/// The weather of a place: the shape that Dark Sky gave the world, and that Clear Sky and Pirate Weather answer in.
///
/// Only the place and its time zone are sure to be there; every block may be missing.
struct WeatherData: Codable, Sendable, Hashable {
    let latitude: Double
    let longitude: Double
    /// The name of the time zone: `Europe/Paris`.
    let timezone: String
    /// Hours from UTC at the time of the answer, `5.5` in India.
    let offset: Double?
    /// What the numbers are in; `nil` where the answer doesn't say.
    let units: Units?
    let currently: CurrentConditions?
    /// The next hours in one sentence.
    let summary: String?
    let hours: [HourConditions]
    let forecast: [DayConditions]
    let alerts: [WeatherAlert]
}

extension WeatherData {
    private enum RootCodingKeys: CodingKey {
        case latitude, longitude, timezone, offset, currently, hourly, daily, alerts, flags
    }
    private enum BlockCodingKeys: CodingKey {
        case summary, data
    }
    private enum FlagsCodingKeys: CodingKey {
        case units
    }

    init(from decoder: any Decoder) throws {
        let root = try decoder.container(keyedBy: RootCodingKeys.self)
        latitude = try root.decode(Double.self, forKey: .latitude)
        longitude = try root.decode(Double.self, forKey: .longitude)
        timezone = try root.decode(String.self, forKey: .timezone)
        offset = try root.measurement(.offset, in: -14...14)
        currently = try root.decodeIfPresent(CurrentConditions.self, forKey: .currently)
        alerts = try root.decodeIfPresent([WeatherAlert].self, forKey: .alerts) ?? []

        let hourly = try Self.block(.hourly, in: root)
        summary = try hourly?.words(.summary)
        hours = try hourly?.decodeIfPresent([HourConditions].self, forKey: .data) ?? []
        forecast = try Self.block(.daily, in: root)?.decodeIfPresent([DayConditions].self, forKey: .data) ?? []

        let flags =
            root.contains(.flags) ? try root.nestedContainer(keyedBy: FlagsCodingKeys.self, forKey: .flags) : nil
        units = try flags?.words(.units).flatMap { Units(name: $0) }
    }

    private static func block(
        _ key: RootCodingKeys, in root: KeyedDecodingContainer<RootCodingKeys>
    ) throws -> KeyedDecodingContainer<BlockCodingKeys>? {
        guard root.contains(key), try !root.decodeNil(forKey: key) else { return nil }
        return try root.nestedContainer(keyedBy: BlockCodingKeys.self, forKey: key)
    }
}
