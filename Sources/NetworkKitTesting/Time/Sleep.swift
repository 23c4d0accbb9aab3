internal import PlatformBase

/// Who sleeps on a ``TestClock``, and who watches them: a value, so that its driver does no more than lock it and make the calls that
/// it asks for.
struct Sleep {
    /// Continuations to be resumed outside of the lock.
    struct Calls {
        var woken: [CheckedContinuation<Void, any Error>] = []
        var cancelled: CheckedContinuation<Void, any Error>?
        var told: [CheckedContinuation<Void, Never>] = []

        func make() {
            for sleeper in woken { sleeper.resume() }
            cancelled?.resume(throwing: CancellationError())
            for watcher in told { watcher.resume() }
        }
    }

    private struct Sleeper {
        var id: Int
        var wakes: TestClock.Instant
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct Watcher {
        var id: Int
        var wants: @Sendable ([Duration]) -> Bool
        var continuation: CheckedContinuation<Void, Never>
    }

    private(set) var now: TestClock.Instant
    private var sleepers: [Sleeper] = []
    private var watchers: [Watcher] = []
    // A task may be cancelled before it gets to sleep.
    private var cancelledEarly: Set<Int> = []
    private var lastID = 0

    init(now: TestClock.Instant) { self.now = now }

    var waits: [Duration] { sleepers.map { now.duration(to: $0.wakes) }.sorted() }

    mutating func nextID() -> Int {
        lastID += 1
        return lastID
    }

    mutating func add(_ id: Int, until wakes: TestClock.Instant, _ continuation: CheckedContinuation<Void, any Error>) -> Calls {
        if cancelledEarly.remove(id) != nil { return Calls(cancelled: continuation) }
        if wakes <= now { return Calls(woken: [continuation]) }
        sleepers.append(Sleeper(id: id, wakes: wakes, continuation: continuation))
        return Calls(told: takeWatchers())
    }

    mutating func watch(
        _ id: Int, _ wants: @escaping @Sendable ([Duration]) -> Bool, _ continuation: CheckedContinuation<Void, Never>
    ) -> Calls {
        if cancelledEarly.remove(id) != nil || wants(waits) { return Calls(told: [continuation]) }
        watchers.append(Watcher(id: id, wants: wants, continuation: continuation))
        return Calls()
    }

    mutating func cancel(_ id: Int) -> Calls {
        if let place = sleepers.firstIndex(where: { $0.id == id }) {
            let sleeper = sleepers.remove(at: place)
            return Calls(cancelled: sleeper.continuation, told: takeWatchers())
        }
        if let place = watchers.firstIndex(where: { $0.id == id }) {
            return Calls(told: [watchers.remove(at: place).continuation])
        }
        cancelledEarly.insert(id)
        return Calls()
    }

    mutating func advance(by duration: Duration) -> Calls {
        now = now.advanced(by: duration)
        let due = sleepers.filter { $0.wakes <= now }.sorted { $0.wakes < $1.wakes }
        sleepers.removeAll { $0.wakes <= now }
        return Calls(woken: due.map(\.continuation), told: takeWatchers())
    }

    private mutating func takeWatchers() -> [CheckedContinuation<Void, Never>] {
        let waits = waits
        let ready = watchers.filter { $0.wants(waits) }
        if !ready.isEmpty { watchers.removeAll { watcher in ready.contains { $0.id == watcher.id } } }
        return ready.map(\.continuation)
    }
}
