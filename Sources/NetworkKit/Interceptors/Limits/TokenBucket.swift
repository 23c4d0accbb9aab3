/// A rate as a bucket that fills by itself: each request takes a token out, and may go while there is one.
///
/// It is kept as the instant at which the bucket will be full again (the "generic cell rate algorithm"): nothing has to be counted
/// while time passes, and nothing is rounded.
struct TokenBucket: Sendable {
    /// How long one token takes to come.
    let interval: Duration
    /// How long the bucket takes to fill.
    private let span: Duration
    private var fullAt: Duration?

    /// - Parameters:
    ///   - requests: how many tokens come in `duration`, at least 1.
    ///   - burst: how many the bucket holds, at least 1. It is full at first.
    init(_ requests: Int, per duration: Duration, burst: Int) {
        // Bounded, so that no product leaves what a duration can hold.
        let requests = min(max(1, requests), 1_000_000_000)
        let duration = min(max(.zero, duration), .seconds(1_000_000_000))
        interval = duration / requests
        span = interval * min(max(1, burst), 1_000_000_000)
    }

    /// Takes a token, if there is one.
    mutating func take(at now: Duration) -> Bool {
        let full = filled(at: now)
        guard full + interval - now <= span else {
            // Kept, so that the bucket fills from here on also after the clock has jumped back.
            fullAt = full
            return false
        }
        fullAt = full + interval
        return true
    }

    /// Puts a token back that was taken for nothing.
    mutating func giveBack() { fullAt = fullAt.map { $0 - interval } }

    /// How long it is until there is a token.
    func wait(at now: Duration) -> Duration { max(.zero, filled(at: now) + interval - span - now) }

    /// Whether nothing is missing.
    func isFull(at now: Duration) -> Bool { filled(at: now) <= now }

    private func filled(at now: Duration) -> Duration {
        guard let fullAt, fullAt > now else { return now }
        // More than all tokens can't be missing: then the clock has jumped back, and the bucket is empty at the worst.
        return min(fullAt, now + span)
    }
}
