internal import NetworkKit
internal import PlatformBase

/// Weather without a network, for previews and tests: whatever it was made with.
struct WeatherPreviewClient: WeatherService {
    let result: Result<WeatherData, RequestError>

    init(result: Result<WeatherData, RequestError> = .success(.preview)) { self.result = result }

    func weather(for location: Location) async throws(RequestError) -> WeatherData { try result.get() }
}

extension WeatherData {
    /// Weather made up for a preview.
    static var preview: WeatherData {
        // What the generator writes, the model reads: a test holds it, so the other branch is never taken.
        guard let data = try? SampleWeather(location: .preview, now: Date()).data(in: .us),
            let weather = try? ClearSkyDecoder().decode(WeatherData.self, from: data)
        else {
            return WeatherData(
                latitude: 0, longitude: 0, timezone: "GMT", offset: 0, units: .us, currently: nil, summary: nil, hours: [], forecast: [],
                alerts: [])
        }
        return weather
    }
}
