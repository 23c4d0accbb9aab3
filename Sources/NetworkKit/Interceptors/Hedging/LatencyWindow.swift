internal import PlatformBase

/// How long recent requests took, and how long all but the slowest of them do: a value.
struct LatencyWindow: Sendable {
    /// How many are remembered.
    static let size = 128
    /// How many must have been seen before a share of them means something.
    static let enough = 20

    let share: Double
    private var latencies: [Duration] = []
    private var place = 0
    private var unsorted = 0
    /// The latency that the share of requests keeps to; `nil` until enough have been seen.
    private(set) var percentile: Duration?

    /// - Parameter share: 0.95 for the latency that 19 of 20 keep to.
    init(share: Double) { self.share = share > 0 ? min(share, 1) : 0 }

    mutating func add(_ latency: Duration) {
        if latencies.count < Self.size { latencies.append(latency) } else { latencies[place] = latency }
        place = (place + 1) % Self.size
        unsorted += 1
        // Sorting is for a few at a time: one request changes little.
        guard latencies.count >= Self.enough, percentile == nil || unsorted >= 8 else { return }
        unsorted = 0
        // Nearest rank: the smallest that at least this share doesn't exceed.
        let rank = Int((share * Double(latencies.count)).rounded(.up))
        percentile = latencies.sorted()[min(max(rank - 1, 0), latencies.count - 1)]
    }
}
