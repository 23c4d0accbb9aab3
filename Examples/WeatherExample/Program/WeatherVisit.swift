internal import ExampleSupport
internal import NetworkKit
internal import PlatformBase

/// One run's work: asks for all places at once, and prints what came and what didn't.
struct WeatherVisit {
    let surroundings: Surroundings
    let options: WeatherOptions
    let configuration: Configuration
    var stack: Stack

    private var console: Console { surroundings.console }

    /// Asks a provider at an address, and prints.
    ///
    /// - Throws: the failure of the only place. Of several those that failed are told one by one, and the first gives the status.
    func show(at baseURL: URL, apiKey: String) async throws(Failure) -> ExitCode {
        let service = configuration.service(
            at: baseURL, apiKey: apiKey, units: options.units, isRefresh: options.isRefresh, stack: stack)
        let results = await weather(from: service)
        let found = zip(options.locations, results).compactMap { location, result in
            (try? result.get()).map { (location: location, weather: $0) }
        }
        if options.isJSON {
            if !found.isEmpty { console.print(try json(found)) }
        } else {
            for (index, place) in found.enumerated() { console.print((index > 0 ? [""] : []) + report(place.location, place.weather)) }
        }
        var first: Failure?
        for case (let location, .failure(let error)) in zip(options.locations, results) {
            let failure = failure(error)
            first = first ?? failure
            if results.count > 1 { console.note("Error: \(TextLayout.printable(location.name)): \(failure.message)") }
        }
        guard let first else { return .success }
        guard results.count == 1 else { return first.status }
        throw first
    }

    /// The results in the order of the places.
    private func weather(from service: any WeatherService) async -> [Result<WeatherData, RequestError>] {
        let recent = RecentWeather(service)
        let isRefresh = options.isRefresh
        let places = options.locations.count == 1 ? options.locations[0].name : "\(options.locations.count) places"
        return await console.withProgress("Asking \(configuration.serverName) for the weather of \(TextLayout.printable(places)) …") {
            await withTaskGroup(of: (Int, Result<WeatherData, RequestError>).self) { group in
                for (index, location) in options.locations.enumerated() {
                    group.addTask {
                        do throws(RequestError) {
                            return (index, .success(try await recent.weather(for: location, isRefresh: isRefresh)))
                        } catch {
                            return (index, .failure(error))
                        }
                    }
                }
                var results: [Int: Result<WeatherData, RequestError>] = [:]
                for await (index, result) in group { results[index] = result }
                return options.locations.indices.compactMap { results[$0] }
            }
        }
    }

    private func report(_ location: Location, _ weather: WeatherData) -> [String] {
        WeatherReport(
            location: location, weather: weather, units: options.units,
            // Dark Sky's answers may come without flags; then they are in what was asked for.
            assumedUnits: configuration.provider == .darksky ? options.units ?? .si : .us, days: options.days,
            width: surroundings.terminal.columns, painter: surroundings.terminal.painter, now: surroundings.now
        ).lines
    }

    private struct Entry: Encodable {
        let location: Location
        let weather: WeatherData
    }

    private func json(_ found: [(location: Location, weather: WeatherData)]) throws(Failure) -> String {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(found.map { Entry(location: $0.location, weather: $0.weather) }), as: UTF8.self)
        } catch {
            throw Failure(.failure, "The weather can't be written as JSON: \(error)")
        }
    }

    private func failure(_ error: RequestError) -> Failure {
        let provider = configuration.provider
        let secrets = configuration.secrets
        let words = ProviderProblem.words(in: error.response)
        // These APIs know every place; what isn't there is the API.
        if error.statusCode == 404 {
            let said = words.map { Failure.quoting($0, hiding: secrets) } ?? ""
            return Failure(
                .server, "\(configuration.serverName) has no weather at that address (404).\(said) Check \(provider.baseURLName).")
        }
        return Failure(
            error, server: configuration.serverName, key: provider.keyName, hiding: secrets, words: words, now: surroundings.now)
    }
}
