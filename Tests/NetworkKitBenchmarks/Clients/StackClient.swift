/// What interceptors that do nothing cost: the difference between a client with them and one without, which take turns in every
/// round, since the cost is small against what a busy machine adds to either.
struct StackClient: BenchmarkClient {
    let name = "networkkit"
    private let with: StubClient
    private let without = StubClient(interceptors: 0)
    private static let turn = 500

    init(interceptors: Int) { with = StubClient(interceptors: interceptors) }

    func run(_ load: Load, within bounds: Bounds) async throws -> Round {
        var all = Round()
        var elapsed: [Double] = []
        var processor: [Double] = []
        let tickets = Tickets(Bounds(requests: max(1, bounds.requests / (2 * Self.turn)), seconds: bounds.seconds))
        let bounds = Bounds(requests: Self.turn, seconds: 1)
        while tickets.take() {
            let plain = try await Meter.round { try await without.run(load, within: bounds) }
            let stacked = try await Meter.round { try await with.run(load, within: bounds) }
            elapsed.append((stacked.seconds / Double(stacked.requests) - plain.seconds / Double(plain.requests)) * 1e6)
            processor.append(stacked.processorMicroseconds - plain.processorMicroseconds)
            all.requests += stacked.requests
            all.seconds += stacked.seconds
        }
        all.extra = Spread(elapsed).flatMap { elapsed in Spread(processor).map { (elapsed.median, $0.median) } }
        return all
    }
}
