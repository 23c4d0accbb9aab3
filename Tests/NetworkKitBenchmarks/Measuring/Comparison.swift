/// What a scenario gave: the rounds of NetworkKit and, round by round beside them, those of each baseline.
struct Measurement: Sendable {
    let scenario: Scenario
    var rounds: [Round] = []
    var baselines: [(name: String, rounds: [Round])] = []
    var peakMegabytes = 0.0

    /// A figure of NetworkKit: the median over the rounds.
    func median(_ figure: (Round) -> Double) -> Double { Spread(rounds.map(figure))?.median ?? 0 }

    var rate: Double { median(scenario.rate) }
    var p50: Double { median { $0.microseconds(0.50) } }
    var p99: Double { median { $0.microseconds(0.99) } }
    var processor: Double { median(\.processorMicroseconds) }

    /// NetworkKit's rate as a multiple of a baseline's, each round with its own neighbour.
    func ratio(to baseline: [Round], _ figure: (Round) -> Double) -> Spread? {
        Spread(zip(rounds, baseline).compactMap { figure($1) > 0 ? figure($0) / figure($1) : nil })
    }

    func baseline(_ name: String) -> [Round]? { baselines.first { $0.name == name }?.rounds }
}

/// Measures clients side by side: in each round every client has a turn, and the order turns about, so that what else the machine
/// does falls on all of them.
enum Comparison {
    static func measure(
        _ scenario: Scenario, _ subject: any BenchmarkClient, against baselines: [any BenchmarkClient], _ load: Load, rounds: Int,
        within bounds: Bounds
    ) async throws -> Measurement {
        var measurement = Measurement(scenario: scenario)
        let clients = [subject] + baselines
        // The first turn opens connections and fills caches; it isn't counted.
        for client in clients { _ = try await client.run(load, within: Bounds(requests: bounds.requests, seconds: bounds.seconds / 4)) }
        var results = clients.map { _ in [Round]() }
        for number in 0..<rounds {
            let order = number % 2 == 0 ? Array(clients.indices) : clients.indices.reversed()
            for index in order {
                results[index].append(try await Meter.round { try await clients[index].run(load, within: bounds) })
            }
        }
        measurement.rounds = results[0]
        measurement.baselines = zip(baselines, results.dropFirst()).map { ($0.name, $1) }
        return measurement
    }
}
