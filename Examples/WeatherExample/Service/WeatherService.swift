internal import NetworkKit

/// Gives the weather of a place.
protocol WeatherService: Sendable {
    /// The weather of a place.
    func weather(for location: Location) async throws(RequestError) -> WeatherData
}
