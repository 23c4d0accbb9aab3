import NetworkKit

/// What interceptors cost: the difference between a client with them and one without, which take turns in every
/// round, since the cost is small against what a busy machine adds to either.
struct StackClient: BenchmarkClient {
    let name = "networkkit"
    private let with: StubClient
    private let without: StubClient
    private static let turn = 500

    init(interceptors: Int) {
        with = StubClient(interceptors: interceptors)
        without = StubClient(interceptors: 0)
    }

    /// What the library's own cost.
    init(stock: [any Interceptor]) {
        with = StubClient(stock: stock)
        without = StubClient(stock: [])
    }

    func run(_ load: Load, within bounds: Bounds) async throws -> Round {
        var (all, plain) = (Round(), Round())
        var processor: [Double] = []
        let tickets = Tickets(Bounds(requests: max(1, bounds.requests / (2 * Self.turn)), seconds: bounds.seconds))
        let bounds = Bounds(requests: Self.turn, seconds: 1)
        while tickets.take() {
            let bare = try await Meter.round { try await without.run(load, within: bounds) }
            let stacked = try await Meter.round { try await with.run(load, within: bounds) }
            processor.append(stacked.processorMicroseconds - bare.processorMicroseconds)
            plain.latencies += bare.latencies
            all.latencies += stacked.latencies
            all.requests += stacked.requests
            all.seconds += stacked.seconds
        }
        // Of the medians, which a request that something else delayed doesn't move.
        let elapsed = all.microseconds(0.5) - plain.microseconds(0.5)
        all.extra = Spread(processor).map { (elapsed, $0.median) }
        return all
    }
}
