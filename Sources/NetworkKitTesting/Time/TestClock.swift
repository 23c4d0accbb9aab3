public import NetworkKit
public import PlatformBase

/// A clock that goes on only when a test says so.
///
/// Given to a session it times the deadline, every wait of the interceptors, and what a ``StubTransport`` or ``Cassette`` delays: a
/// test of a minute's silence takes no time.
///
/// ```swift
/// let clock = TestClock()
/// let session = HTTPSession(transport: stub, defaults: .init(deadline: .seconds(5)), clock: clock)
/// async let outcome = NetworkClient(session: session).send(TopRated())
/// await clock.advance(through: .seconds(5))      // waits until somebody sleeps for 5 s, and lets them pass
/// guard case .failure(.timedOut) = await outcome else { … }
/// ```
///
/// Time passes at once: whoever sleeps again after waking does so from the new time.
public final class TestClock: WallClock {
    /// A point of time on a clock that is turned by hand.
    public struct Instant: InstantProtocol {
        let offset: Duration

        /// The instant so much later.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        /// How long it is until another instant.
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        /// Whether one instant is before another.
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    // Not zero, so that nothing can take an instant for the time that has passed.
    private static let start = Instant(offset: .seconds(1000))
    private let sleep = Lock(Sleep(now: start))
    private let epoch: Lock<Date>

    /// A clock that stands still.
    ///
    /// - Parameter date: the date at the start. Default: 2026-01-01, midnight in Greenwich.
    public init(date: Date = Date(timeIntervalSince1970: 1_767_225_600)) { epoch = Lock(date) }

    /// The date: that of the start, and the time that has passed since. Setting it is what setting a system's time is: nobody wakes.
    public var date: Date {
        get { epoch.withLock(\.self).addingTimeInterval(elapsed / .seconds(1)) }
        set { epoch.withLock { $0 = newValue.addingTimeInterval(-(elapsed / .seconds(1))) } }
    }

    /// The time by this clock.
    public var now: Instant { sleep.withLock(\.now) }

    /// Zero: it stands for any duration exactly.
    public var minimumResolution: Duration { .zero }

    /// How much time has passed since the clock was made.
    public var elapsed: Duration { Self.start.duration(to: now) }

    /// How long the sleepers have still to sleep, the shortest first.
    public var waits: [Duration] { sleep.withLock(\.waits) }

    /// Sleeps until the test has let the time come.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = sleep.withLock { $0.nextID() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let calls = sleep.withLock { $0.add(id, until: deadline, continuation) }
                calls.make()
            }
        } onCancel: {
            sleep.withLock { $0.cancel(id) }.make()
        }
    }

    /// Lets time pass, and wakes who is due, the earliest first.
    public func advance(by duration: Duration) {
        sleep.withLock { $0.advance(by: duration) }.make()
    }
}

extension TestClock {
    /// Waits, without time passing, until exactly these durations are being slept, the shortest first.
    ///
    /// `await clock.sleepers([])` waits until nobody sleeps. The test's cancellation ends the wait, as it does for all waits here.
    public func sleepers(_ waits: [Duration]) async {
        await wait { $0 == waits }
    }

    /// Waits until somebody sleeps for exactly so long, and lets that time pass.
    ///
    /// It is the way to a timer: to a deadline of 5 s by `advance(through: .seconds(5))`, whoever else sleeps.
    public func advance(through wait: Duration) async {
        await step { $0.contains(wait) ? wait : nil }
    }

    /// Waits until somebody sleeps, and goes on to the first who wakes.
    ///
    /// - Returns: how far the time went; `nil` when the test was cancelled.
    @discardableResult
    public func runToNext() async -> Duration? {
        await step(\.first)
    }

    /// Advances by what `choose` makes of the waits, as soon as it makes something.
    @discardableResult
    private func step(_ choose: @escaping @Sendable ([Duration]) -> Duration?) async -> Duration? {
        while !Task.isCancelled {
            let step = sleep.withLock { state -> (by: Duration, calls: Sleep.Calls)? in
                guard let duration = choose(state.waits) else { return nil }
                return (duration, state.advance(by: duration))
            }
            if let step {
                step.calls.make()
                return step.by
            }
            await wait { choose($0) != nil }
        }
        return nil
    }

    private func wait(until isWanted: @escaping @Sendable ([Duration]) -> Bool) async {
        let id = sleep.withLock { $0.nextID() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                sleep.withLock { $0.watch(id, isWanted, continuation) }.make()
            }
        } onCancel: {
            sleep.withLock { $0.cancel(id) }.make()
        }
    }
}

extension TestClock: CustomStringConvertible {
    /// The time that has passed, and who sleeps how long: for the message of a test that waits in vain.
    public var description: String { "TestClock at \(elapsed), sleepers: \(waits)" }
}
