public import PlatformBase

/// A clock that knows the date as well. HTTP needs it: `Retry-After`, `Expires` and cookies name dates.
///
/// With a clock that isn't one, a session takes the system's date. A date may jump, back too, when the system's time is set; the
/// clock's own instants don't.
public protocol WallClock: Clock {
    /// The date now.
    var date: Date { get }
}

/// A session's clock as the call sees it: instants are durations since the session was made, whatever type the clock's own are.
///
/// `any Clock<Duration>` hides the type of its instants, so that two of them can't be compared; counted from one origin they can.
public struct CallClock: Sendable {
    // A clock goes along with every call, so it is one reference.
    private let source: Source

    private final class Source: Sendable {
        /// The origin on the continuous clock, which nearly every session has: it is read without a detour.
        let continuous: ContinuousClock.Instant?
        let isSystems: Bool
        let elapsed: @Sendable () -> Duration
        let sleepUntil: @Sendable (Duration) async throws -> Void
        let today: @Sendable () -> Date

        init<C: Clock>(_ clock: C) where C.Duration == Duration {
            let origin = clock.now
            continuous = clock is ContinuousClock ? origin as? ContinuousClock.Instant : nil
            isSystems = clock is ContinuousClock || clock is SuspendingClock
            elapsed = { origin.duration(to: clock.now) }
            // Counted from the origin, not from now: a clock may go on between the two readings.
            sleepUntil = { try await clock.sleep(until: origin.advanced(by: $0), tolerance: nil) }
            if let clock = clock as? any WallClock { today = { clock.date } } else { today = { Date() } }
        }
    }

    /// The continuous clock.
    static let continuous = CallClock(ContinuousClock())

    /// Wraps a clock. Its origin is the moment of this call.
    public init(_ clock: any Clock<Duration>) {
        self.init(opening: clock)
    }

    private init<C: Clock>(opening clock: C) where C.Duration == Duration { source = Source(clock) }

    /// The time since the clock's origin.
    public var now: Duration { source.continuous?.duration(to: .now) ?? source.elapsed() }

    /// The date now: the clock's own, if it is a ``WallClock``, else the system's.
    public var date: Date { source.continuous == nil ? source.today() : Date() }

    /// Whether it is one of the system's clocks, which nobody turns, and on which nobody can see who sleeps.
    var isSystems: Bool { source.isSystems }

    /// Whether two are one and the same, so that instants of both may be compared.
    static func === (left: CallClock, right: CallClock) -> Bool { left.source === right.source }

    /// Waits until an instant, or throws `CancellationError` when the task is cancelled first.
    public func sleep(until instant: Duration) async throws {
        if instant > now { try await source.sleepUntil(min(instant, Self.never)) }
    }

    /// An instant that nobody lives to see. Clocks can't count much further, and end the process where they are asked to.
    private static let never = Duration.seconds(Int64(1) << 40)
}
