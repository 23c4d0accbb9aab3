internal import PlatformBase

/// The deadlines of a session's calls on one clock: one sleeping task for all of them, not one for each.
///
/// The task outlives a call, so that the next one needs no new task; it goes with the session.
final class Alarm: Sendable {
    private let clock: CallClock
    private let state = Lock(State())

    init(_ clock: CallClock) { self.clock = clock }

    deinit { state.withLock { $0.sleeper?.cancel() } }

    /// Calls `action` at an instant of the clock, unless the timer is let go of before.
    func timer(_ instant: Duration, _ action: @escaping @Sendable () -> Void) -> Timer {
        let (id, isEarliest) = state.withLock { $0.timers.add(instant, action) }
        if isEarliest { sleep(until: instant) }
        return Timer(alarm: self, id: id)
    }

    /// A timer that is set. Letting go of it takes it back.
    final class Timer: Sendable {
        private let alarm: Alarm
        private let id: Int

        fileprivate init(alarm: Alarm, id: Int) {
            self.alarm = alarm
            self.id = id
        }

        deinit { alarm.state.withLock { $0.timers.remove(id) } }
    }

    private func sleep(until instant: Duration) {
        let clock = clock
        // Detached: the sleep belongs to no call, and must not carry one's priority or task-local values.
        let task = Task.detached { [weak self] in
            do { try await clock.sleep(until: instant) } catch { return }
            self?.ring()
        }
        let needless = state.withLock { state in
            // An earlier timer may have come meanwhile, and its sleeper must stay.
            guard state.timers.earliest == instant else { return Optional(task) }
            defer { state.sleeper = task }
            return state.sleeper
        }
        needless?.cancel()
    }

    private func ring() {
        let now = clock.now
        let (due, next) = state.withLock { $0.timers.takeDue(at: now) }
        for action in due { action() }
        if let next { sleep(until: next) }
    }

    private struct State {
        var timers = Timers()
        var sleeper: Task<Void, Never>?
    }
}

/// Timers that are nearly always taken back before they are due: adding and removing are cheap, and all are looked through only
/// when one rings.
struct Timers {
    private var waiting: [Int: (instant: Duration, action: @Sendable () -> Void)] = [:]
    private var nextID = 0
    /// What the sleeper sleeps until. It may be too early, when the timer it was for has gone; never too late.
    private(set) var earliest: Duration?

    /// Adds a timer; says whether the sleeper must be woken earlier for it.
    mutating func add(_ instant: Duration, _ action: @escaping @Sendable () -> Void) -> (id: Int, isEarliest: Bool) {
        nextID += 1
        waiting[nextID] = (instant, action)
        if let earliest, earliest <= instant { return (nextID, false) }
        earliest = instant
        return (nextID, true)
    }

    mutating func remove(_ id: Int) { waiting.removeValue(forKey: id) }

    /// Takes out what is due, in order, and says when to ring again.
    mutating func takeDue(at now: Duration) -> (due: [@Sendable () -> Void], next: Duration?) {
        let due = waiting.filter { $0.value.instant <= now }.sorted { $0.value.instant < $1.value.instant }
        for (id, _) in due { waiting.removeValue(forKey: id) }
        earliest = waiting.values.map(\.instant).min()
        return (due.map(\.value.action), earliest)
    }
}
