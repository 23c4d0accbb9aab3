internal import PlatformBase

/// The deadlines of a session's calls on one clock: one sleeping task for all of them, not one for each.
///
/// The task outlives a call, so that the next one needs no new task; it goes with the session. On a clock that isn't the system's
/// it goes with its last timer: whoever turns such a clock, or asks it who sleeps, would come upon a wait that is nobody's.
final class Alarm: Sendable {
    private let clock: CallClock
    private let state = Lock(State())

    init(_ clock: CallClock) { self.clock = clock }

    deinit {
        // What cancelling runs may be anybody's, as the clock is, so it isn't done under the lock.
        let sleeper = state.withLock { $0.sleeper }
        sleeper?.cancel()
    }

    /// Calls `action` at an instant of the clock, unless the timer is let go of before.
    func timer(_ instant: Duration, _ action: @escaping @Sendable () -> Void) -> Timer {
        Timer(alarm: self, id: set(instant, action))
    }

    /// Calls `action` at an instant of the clock, unless it is taken back before. What it is given must be taken back in any case.
    func set(_ instant: Duration, _ action: @escaping @Sendable () -> Void) -> Timers.ID {
        let (id, isEarliest) = state.withLock { $0.timers.add(instant, action) }
        if isEarliest { sleep(until: instant) }
        return id
    }

    /// Takes a timer back.
    func takeBack(_ id: Timers.ID) {
        // What the action holds goes outside of the lock.
        let action = state.withLock { $0.timers.remove(id) }
        _ = action
        if !clock.isSystems { endIdleSleep() }
    }

    private func endIdleSleep() {
        let needless = state.withLock { $0.timers.forgetIfEmpty() ? $0.sleeper.take() : nil }
        needless?.cancel()
    }

    /// A timer that is set. Letting go of it takes it back.
    final class Timer: Sendable {
        private let alarm: Alarm
        private let id: Timers.ID

        fileprivate init(alarm: Alarm, id: Timers.ID) {
            self.alarm = alarm
            self.id = id
        }

        deinit { alarm.takeBack(id) }
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
    /// Names a timer, and no later one in its place.
    struct ID: Equatable, Sendable {
        fileprivate let place: Int
        fileprivate let generation: Int
    }

    private struct Place {
        var generation = 0
        var instant = Duration.zero
        var action: (@Sendable () -> Void)?
    }

    private var places: [Place] = []
    private var free: [Int] = []
    /// What the sleeper sleeps until. It may be too early, when the timer it was for has gone; never too late.
    private(set) var earliest: Duration?

    /// Adds a timer; says whether the sleeper must be woken earlier for it.
    mutating func add(_ instant: Duration, _ action: @escaping @Sendable () -> Void) -> (id: ID, isEarliest: Bool) {
        let place = free.popLast() ?? places.endIndex
        if place == places.endIndex { places.append(Place()) }
        places[place].instant = instant
        places[place].action = action
        let id = ID(place: place, generation: places[place].generation)
        if let earliest, earliest <= instant { return (id, false) }
        earliest = instant
        return (id, true)
    }

    /// Takes a timer back and gives its action; `nil` when it has rung.
    @discardableResult
    mutating func remove(_ id: ID) -> (@Sendable () -> Void)? {
        places[id.place].generation == id.generation ? vacate(id.place) : nil
    }

    /// Where no timer is left, nothing need be slept for; says whether that is so.
    mutating func forgetIfEmpty() -> Bool {
        guard free.count == places.count else { return false }
        earliest = nil
        return true
    }

    /// Takes out what is due, in order, and says when to ring again.
    mutating func takeDue(at now: Duration) -> (due: [@Sendable () -> Void], next: Duration?) {
        let waiting = places.indices.filter { places[$0].action != nil }
        let due = waiting.filter { places[$0].instant <= now }.sorted { places[$0].instant < places[$1].instant }
        let actions = due.compactMap { vacate($0) }
        earliest = places.compactMap { $0.action == nil ? nil : $0.instant }.min()
        return (actions, earliest)
    }

    private mutating func vacate(_ place: Int) -> (@Sendable () -> Void)? {
        defer {
            places[place].action = nil
            places[place].generation &+= 1
            free.append(place)
        }
        return places[place].action
    }
}
