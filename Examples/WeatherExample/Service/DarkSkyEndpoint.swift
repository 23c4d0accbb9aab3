internal import NetworkKit
internal import PlatformBase

/// `GET /forecast/KEY/LAT,LONG?units=…`: the key is a segment of the path, and as secret as one in a field.
struct DarkSkyEndpoint: ResponseEndpoint {
    typealias Response = WeatherData

    let baseURL: URL
    let apiKey: String
    let location: Location
    let units: Units
    var options = RequestOptions()

    var path: Path { "forecast/\(secret: apiKey)/\(location.latitude),\(location.longitude)" }
    var query: Query { ["units": units.rawValue, "exclude": "minutely"] }
    var decoder: (any ResponseDecoder)? { ClearSkyDecoder() }
}
