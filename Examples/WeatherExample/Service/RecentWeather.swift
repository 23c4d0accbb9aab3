internal import NetworkKit

/// Weather that is asked for once: a repeated request for coordinates that are equal to two decimals gets the answer of the first,
/// also while that is still under way. A refresh is always sent; a failure is told to everybody who waits and not remembered.
actor RecentWeather: WeatherService {
    private typealias Call = Task<Result<WeatherData, RequestError>, Never>
    private let service: any WeatherService
    private var calls: [CoordinateKey: Call] = [:]
    private var waiting: [CoordinateKey: (all: Int, cancelled: Int)] = [:]

    init(_ service: any WeatherService) { self.service = service }

    func weather(for location: Location) async throws(RequestError) -> WeatherData {
        try await weather(for: location, isRefresh: false)
    }

    func weather(for location: Location, isRefresh: Bool) async throws(RequestError) -> WeatherData {
        let key = CoordinateKey(location)
        if isRefresh {
            let weather = try await service.weather(for: location)
            calls[key] = Task { .success(weather) }
            return weather
        }
        let call = calls[key] ?? begin(location, key)
        waiting[key, default: (0, 0)].all += 1
        let result = await withTaskCancellationHandler {
            await call.value
        } onCancel: {
            Task { await self.leave(key, call) }
        }
        waiting[key]?.all -= 1
        if waiting[key]?.all == 0 { waiting[key] = nil }
        if case .failure = result, calls[key] == call { calls[key] = nil }
        return try result.get()
    }

    private func begin(_ location: Location, _ key: CoordinateKey) -> Call {
        let call = Call { [service] in
            do throws(RequestError) {
                return .success(try await service.weather(for: location))
            } catch {
                return .failure(error)
            }
        }
        calls[key] = call
        return call
    }

    /// One of those who wait has been cancelled. The request goes on for the others; without others it ends.
    private func leave(_ key: CoordinateKey, _ call: Call) {
        waiting[key]?.cancelled += 1
        if let count = waiting[key], count.cancelled >= count.all { call.cancel() }
    }

    /// How many wait for a place, for tests.
    func waitingCount(_ location: Location) -> Int { waiting[CoordinateKey(location)]?.all ?? 0 }
    /// How many of them have been cancelled, for tests.
    func cancelledCount(_ location: Location) -> Int { waiting[CoordinateKey(location)]?.cancelled ?? 0 }
}
