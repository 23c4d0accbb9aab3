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

        let hourly = try Self.block(.hourly, of: BlockCodingKeys.self, in: root)
        summary = try hourly?.words(.summary)
        hours = try hourly?.decodeIfPresent([HourConditions].self, forKey: .data) ?? []
        forecast = try Self.block(.daily, of: BlockCodingKeys.self, in: root)?.decodeIfPresent([DayConditions].self, forKey: .data) ?? []

        units = try Self.block(.flags, of: FlagsCodingKeys.self, in: root)?.words(.units).flatMap { Units(name: $0) }
    }

    private static func block<Keys: CodingKey>(
        _ key: RootCodingKeys, of keys: Keys.Type, in root: KeyedDecodingContainer<RootCodingKeys>
    ) throws -> KeyedDecodingContainer<Keys>? {
        guard root.contains(key), try !root.decodeNil(forKey: key) else { return nil }
        return try root.nestedContainer(keyedBy: keys, forKey: key)
    }
}
