internal import ExampleSupport
internal import NetworkKit
internal import PlatformBase

/// The weather of Clear Sky.
struct WeatherClient: WeatherService, HTTPClient {
    let session: HTTPSession
    let baseURL: URL
    let apiKey: String
    /// Whether the server is asked although the cache has an answer that is fresh.
    var isRefresh = false
    var log: CallLog?

    init(baseURL: URL, apiKey: String, session: HTTPSession = .shared) {
        self.baseURL = baseURL
        self.apiKey = apiKey
        self.session = session
    }

    func weather(for location: Location) async throws(RequestError) -> WeatherData {
        let endpoint = ClearSkyEndpoint(
            baseURL: baseURL, apiKey: apiKey, location: location, options: .init(cachePolicy: isRefresh ? .revalidate : nil))
        let result = await send(endpoint)
        await log?.flush()
        return try result.get()
    }
}
