import NetworkKit
import PlatformBase
import Testing

@testable import WeatherExample

/// A service that counts, and answers when the test lets it.
private final class CountingService: WeatherService {
    private let state = Lock((calls: 0, cancelled: 0, results: [Result<WeatherData, RequestError>]()))
    private let gate: AsyncStream<Void>?

    init(_ results: [Result<WeatherData, RequestError>], gate: AsyncStream<Void>? = nil) {
        self.gate = gate
        state.withLock { $0.results = results }
    }

    var calls: Int { state.withLock { $0.calls } }
    var cancelled: Int { state.withLock { $0.cancelled } }

    func weather(for location: Location) async throws(RequestError) -> WeatherData {
        let result = state.withLock { state in
            state.calls += 1
            return state.results.count > 1 ? state.results.removeFirst() : state.results[0]
        }
        if let gate { for await _ in gate { break } }
        if Task.isCancelled {
            state.withLock { $0.cancelled += 1 }
            throw .cancelled()
        }
        return try result.get()
    }
}

@Suite struct RecentWeatherTests {
    private let paris = Location(latitude: 48.86, longitude: 2.35)
    private let nearby = Location(latitude: 48.8612, longitude: 2.3488)
    private let elsewhere = Location(latitude: 48.87, longitude: 2.35)

    private func weather() throws -> WeatherData { try decoded(Twins.polarNight) }

    @Test func `a repeated request for coordinates equal to two decimals is not sent`() async throws {
        let service = CountingService([.success(try weather())])
        let recent = RecentWeather(service)
        _ = try await recent.weather(for: paris)
        _ = try await recent.weather(for: nearby)
        #expect(service.calls == 1)
        _ = try await recent.weather(for: elsewhere)
        #expect(service.calls == 2)
    }

    @Test func `a refresh is always sent, and its answer is the one that counts`() async throws {
        let fresh = try decoded(Twins.nothing)
        let service = CountingService([.success(try weather()), .success(fresh)])
        let recent = RecentWeather(service)
        _ = try await recent.weather(for: paris)
        #expect(try await recent.weather(for: paris, isRefresh: true) == fresh)
        #expect(service.calls == 2)
        #expect(try await recent.weather(for: nearby) == fresh)
        #expect(service.calls == 2)
    }

    @Test func `requests at the same time are one, and its failure reaches all who wait`() async throws {
        let (gate, open) = AsyncStream<Void>.makeStream()
        let service = CountingService([.failure(.timedOut())], gate: gate)
        let recent = RecentWeather(service)
        async let one = Result { try await recent.weather(for: paris) }
        async let other = Result { try await recent.weather(for: nearby) }
        while await recent.waitingCount(paris) < 2 { await Task.yield() }
        open.finish()
        for result in await [one, other] {
            #expect(throws: RequestError.self) { try result.get() }
        }
        #expect(service.calls == 1)
    }

    @Test func `a failure is not remembered`() async throws {
        let service = CountingService([.failure(.timedOut()), .success(try weather())])
        let recent = RecentWeather(service)
        await #expect(throws: RequestError.self) { try await recent.weather(for: paris) }
        _ = try await recent.weather(for: paris)
        #expect(service.calls == 2)
    }

    @Test func `the request ends when the last who waits is cancelled, and not before`() async throws {
        let (gate, open) = AsyncStream<Void>.makeStream()
        defer { open.finish() }
        let service = CountingService([.success(try weather())], gate: gate)
        let recent = RecentWeather(service)
        let tasks = [paris, nearby].map { place in Task { try await recent.weather(for: place) } }
        while await recent.waitingCount(paris) < 2 { await Task.yield() }
        tasks[0].cancel()
        while await recent.cancelledCount(paris) < 1 { await Task.yield() }
        #expect(service.cancelled == 0)
        tasks[1].cancel()
        for task in tasks { await #expect(throws: RequestError.self) { try await task.value } }
        #expect(service.cancelled == 1)
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
