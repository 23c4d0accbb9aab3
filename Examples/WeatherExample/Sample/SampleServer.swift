internal import NetworkKit
internal import NetworkKitTesting
internal import PlatformBase

/// The server of the sample: it listens on this machine only, answers as Clear Sky and as Dark Sky do, and compresses what it sends.
enum SampleServer {
    /// The key that it wants, as a real server wants one.
    static let apiKey = "sample"

    /// Starts it. Whoever does stops it.
    static func start(now: Date) async throws(LoopbackError) -> LoopbackServer {
        try await LoopbackServer.start { routes in
            routes.get("/clearsky") { request in
                guard request.query("api_key") == apiKey else { return .json(#"{"error": "Unknown key."}"#, status: 401) }
                return try answer(request.query("lat"), request.query("long"), in: .us, now: now)
            }
            routes.get("/forecast/:key/:place") { request in
                guard request.parameters["key"] == apiKey else { return .json(#"{"message": "Unknown key."}"#, status: 401) }
                let place = (request.parameters["place"] ?? "").split(separator: ",").map(String.init)
                let units = request.query("units").flatMap { Units(name: $0) } ?? .us
                return try answer(place.first, place.last, in: units, now: now)
            }
        }
    }

    private static func answer(_ latitude: String?, _ longitude: String?, in units: Units, now: Date) throws -> LoopbackResponse {
        guard let latitude = latitude.flatMap(Double.init), let longitude = longitude.flatMap(Double.init),
            (-90...90).contains(latitude), (-180...180).contains(longitude)
        else {
            return .json(#"{"code": 400, "error": "The given location is invalid."}"#, status: 400)
        }
        let key = CoordinateKey(Location(latitude: latitude, longitude: longitude))
        let place = Gazetteer.places.first { CoordinateKey($0) == key } ?? Location(latitude: latitude, longitude: longitude)
        let data = try SampleWeather(location: place, now: now).data(in: units)
        return LoopbackResponse.json(String(decoding: data, as: UTF8.self), headers: ["Cache-Control": "max-age=900"]).gzipped()
    }
}

extension SampleServer {
    /// What a person is told who sees a sample.
    static func notice(for provider: Provider) -> String {
        switch provider {
        case .preview: "Sample data, made up, without a network. For real weather choose another --provider and set its key."
        case .clearsky, .darksky:
            "Sample data, made up by a server inside this program. For real weather set \(provider.keyName) (and "
                + "\(provider.baseURLName) for another server than \(provider.standardBaseURL)); --help tells more."
        }
    }
}
