import PlatformBase

/// Shares the requests of a round out among the tasks that make them: each takes a ticket, and there are none when the round is over.
final class Tickets: Sendable {
    private let taken = Atomic(0)
    private let limit: Int
    private let end: UInt64

    init(_ bounds: Bounds) {
        limit = bounds.requests
        end = Meter.now + UInt64(bounds.seconds * 1e9)
    }

    /// Whether another request is to be made. The first always is, so that no round is empty.
    func take() -> Bool {
        let number = taken.wrappingAdd(1, ordering: .relaxed).oldValue
        return number < limit && (number == 0 || Meter.now < end)
    }

    /// Runs requests one after another in this task; `request` gives how many bytes it moved.
    static func run(_ bounds: Bounds, _ request: () async throws -> Int) async rethrows -> Round {
        let start = Meter.now
        var round = Round()
        try await Tickets(bounds).serve(&round, request)
        round.seconds = Double(Meter.now - start) / 1e9
        return round
    }

    /// Runs requests with so many in flight, each line of them a task.
    static func run(_ bounds: Bounds, inFlight: Int, _ request: @escaping @Sendable () async throws -> Int) async throws -> Round {
        let start = Meter.now
        let tickets = Tickets(bounds)
        var all = try await withThrowingTaskGroup(of: Round.self) { group in
            for _ in 0..<inFlight {
                group.addTask {
                    var round = Round()
                    try await tickets.serve(&round, request)
                    return round
                }
            }
            return try await group.reduce(into: Round()) { all, line in
                all.requests += line.requests
                all.bytes += line.bytes
                all.latencies += line.latencies
            }
        }
        all.seconds = Double(Meter.now - start) / 1e9
        return all
    }

    private func serve(_ round: inout Round, _ request: () async throws -> Int) async rethrows {
        while take() {
            let began = Meter.now
            round.bytes += UInt64(try await request())
            round.latencies.append(Meter.now - began)
            round.requests += 1
        }
    }
}
