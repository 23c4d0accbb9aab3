import PlatformBase

/// A clock that goes on only when a test says so.
final class ManualClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper {
        var id: Int
        var wakes: Instant
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Instant(offset: .seconds(1000))
        var sleepers: [Sleeper] = []
        var cancelled: Set<Int> = []
        var lastID = 0
        var watchers: [(wants: ([Duration]) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []

        /// When sleepers wake, counted from now, in order.
        var waits: [Duration] { sleepers.map { $0.wakes.offset - now.offset }.sorted() }

        mutating func takeWatchers() -> [CheckedContinuation<Void, Never>] {
            let waits = waits
            let ready = watchers.filter { $0.wants(waits) }.map(\.continuation)
            watchers.removeAll { $0.wants(waits) }
            return ready
        }
    }

    private let state = Lock(State())

    var now: Instant { state.withLock(\.now) }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (outcome, watchers) = state.withLock { state -> (Result<Void, any Error>?, [CheckedContinuation<Void, Never>]) in
                    if state.cancelled.remove(id) != nil { return (.failure(CancellationError()), []) }
                    if state.now >= deadline { return (.success(()), []) }
                    state.sleepers.append(Sleeper(id: id, wakes: deadline, continuation: continuation))
                    return (nil, state.takeWatchers())
                }
                if let outcome { continuation.resume(with: outcome) }
                for watcher in watchers { watcher.resume() }
            }
        } onCancel: {
            let (sleeper, watchers) = state.withLock { state -> (Sleeper?, [CheckedContinuation<Void, Never>]) in
                guard let place = state.sleepers.firstIndex(where: { $0.id == id }) else {
                    state.cancelled.insert(id)
                    return (nil, [])
                }
                return (state.sleepers.remove(at: place), state.takeWatchers())
            }
            sleeper?.continuation.resume(throwing: CancellationError())
            for watcher in watchers { watcher.resume() }
        }
    }

    /// Lets time pass, and wakes who is due.
    func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.wakes <= state.now }.sorted { $0.wakes < $1.wakes }
            state.sleepers.removeAll { $0.wakes <= state.now }
            return due
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Waits, without time passing, until exactly these waits are being slept.
    func sleepers(_ waits: [Duration]) async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.waits == waits { return true }
                state.watchers.append(({ $0 == waits }, continuation))
                return false
            }
            if isReady { continuation.resume() }
        }
    }
}
