internal import NetworkKit
internal import PlatformBase

/// `GET /clearsky?lat=…&long=…&api_key=…`. The base URL is all of the address: the API has one resource.
struct ClearSkyEndpoint: ResponseEndpoint {
    typealias Response = WeatherData

    let baseURL: URL
    let apiKey: String
    let location: Location
    var options = RequestOptions()

    var path: Path { "" }
    var query: Query { ["lat": location.latitude, "long": location.longitude, "api_key": .secret(apiKey)] }
    var decoder: (any ResponseDecoder)? { ClearSkyDecoder() }
}
