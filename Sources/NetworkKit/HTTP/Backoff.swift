internal import PlatformBase

/// How long to wait before the next attempt, where the server doesn't say: longer each time, and never the same for two clients, so
/// that those whom one outage stopped don't all come back at once.
public struct Backoff: Sendable, Hashable {
    /// How chance shortens a wait.
    public enum Jitter: Sendable, Hashable {
        /// Any part of it, from nothing to all: what spreads clients best ("full jitter").
        case full
        /// None: the wait itself.
        case none
    }

    /// The longest wait before the second attempt. Default 0.5 s.
    public var base: Duration
    /// How much longer each further wait may be. Default 2.
    public var factor: Double
    /// The longest wait of all. Default 20 s.
    public var cap: Duration
    /// How chance shortens it. Default: ``Jitter/full``.
    public var jitter: Jitter

    /// A growing wait.
    public init(base: Duration = .milliseconds(500), factor: Double = 2, cap: Duration = .seconds(20), jitter: Jitter = .full) {
        self.base = base
        self.factor = factor
        self.cap = cap
        self.jitter = jitter
    }

    /// Half a second at most, then twice as long each time, up to 20 s, with full jitter.
    public static var standard: Backoff { .init() }

    /// The same wait each time.
    public static func constant(_ wait: Duration) -> Backoff { .init(base: wait, factor: 1, cap: wait, jitter: .none) }

    /// The wait after an attempt.
    ///
    /// - Parameters:
    ///   - attempt: which attempt it was, from 1.
    ///   - random: a number from 0 up to 1, by which the wait is shortened.
    /// - Returns: from zero to ``cap``, whatever the numbers are.
    public func wait(after attempt: Int, random: Double) -> Duration {
        guard base > .zero, cap > .zero else { return .zero }
        // A power of doubles, so that no number of attempts overflows; what grows without end meets the cap.
        let limit = Self.product(base, pow(factor, Double(max(attempt, 1) - 1)), atMost: cap)
        return jitter == .none ? limit : Self.product(limit, min(max(random, 0), 1), atMost: limit)
    }

    private static func product(_ duration: Duration, _ factor: Double, atMost limit: Duration) -> Duration {
        let seconds = duration / .seconds(1) * factor
        // What is no number is the limit.
        guard seconds < limit / .seconds(1) else { return limit }
        return seconds > 0 ? .seconds(seconds) : .zero
    }
}
