internal import PlatformBase

/// A warning of the authorities.
struct WeatherAlert: Codable, Sendable, Hashable {
    let title: String
    let severity: String?
    let regions: [String]
    let time: Date?
    let expires: Date?
    let description: String?
    let uri: String?

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        title = try values.decode(String.self, forKey: .title)
        severity = try values.words(.severity).flatMap { $0.lowercased() == "unknown" ? nil : $0 }
        regions = try values.decodeIfPresent([String].self, forKey: .regions) ?? []
        time = try values.instant(.time)
        expires = try values.instant(.expires)
        description = try values.words(.description)
        uri = try values.words(.uri)
    }
}
