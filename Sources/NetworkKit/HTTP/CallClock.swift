/// A session's clock as the call sees it: instants are durations since the session was made, whatever type the clock's own are.
///
/// `any Clock<Duration>` hides the type of its instants, so that two of them can't be compared; counted from one origin they can.
public struct CallClock: Sendable {
    private let elapsed: @Sendable () -> Duration
    private let sleepUntil: @Sendable (Duration) async throws -> Void

    /// The continuous clock.
    static let continuous = CallClock(ContinuousClock())

    /// Wraps a clock. Its origin is the moment of this call.
    public init(_ clock: any Clock<Duration>) {
        self.init(opening: clock)
    }

    private init<C: Clock>(opening clock: C) where C.Duration == Duration {
        let origin = clock.now
        elapsed = { origin.duration(to: clock.now) }
        // Counted from the origin, not from now: a clock may go on between the two readings.
        sleepUntil = { try await clock.sleep(until: origin.advanced(by: $0), tolerance: nil) }
    }

    /// The time since the clock's origin.
    public var now: Duration { elapsed() }

    /// Waits until an instant, or throws `CancellationError` when the task is cancelled first.
    public func sleep(until instant: Duration) async throws {
        if instant > now { try await sleepUntil(instant) }
    }
}
