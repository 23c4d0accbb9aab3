internal import ExampleSupport
internal import NetworkKit
internal import PlatformBase

/// The weather of Pirate Weather, or of any other API that answers as Dark Sky did.
struct DarkSkyClient: WeatherService, HTTPClient {
    let session: HTTPSession
    let baseURL: URL
    let apiKey: String
    let units: Units
    /// Whether the server is asked although the cache has an answer that is fresh.
    var isRefresh = false
    var log: CallLog?

    init(baseURL: URL, apiKey: String, units: Units = .si, session: HTTPSession = .shared) {
        self.baseURL = baseURL
        self.apiKey = apiKey
        self.units = units
        self.session = session
    }

    func weather(for location: Location) async throws(RequestError) -> WeatherData {
        let endpoint = DarkSkyEndpoint(
            baseURL: baseURL, apiKey: apiKey, location: location, units: units,
            options: .init(cachePolicy: isRefresh ? .revalidate : nil))
        let result = await send(endpoint)
        await log?.flush()
        return try result.get()
    }
}
