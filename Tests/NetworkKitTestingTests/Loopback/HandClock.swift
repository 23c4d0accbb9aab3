import PlatformBase

/// Remembers in which order things ran.
final class Ran: Sendable {
    private let noted = Lock<[String]>([])
    var texts: [String] { noted.withLock { $0 } }
    func note(_ text: String) { noted.withLock { $0.append(text) } }
}

/// A clock whose sleepers are woken by hand.
final class HandClock: Clock {
    struct Instant: InstantProtocol {
        var offset = Swift.Duration.zero
        func advanced(by duration: Swift.Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Swift.Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    let now = Instant()
    let minimumResolution = Swift.Duration.zero
    private let sleepers = Lock<[AsyncStream<Void>.Continuation]>([])
    private let sleeps = AsyncStream<Swift.Duration>.makeStream()

    func sleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        sleepers.withLock { $0.append(continuation) }
        sleeps.continuation.yield(deadline.offset)
        for await _ in stream {}
        try Task.checkCancellation()
    }

    /// How long the next one that goes to sleep wants to.
    func nextSleep() async -> Swift.Duration? {
        for await duration in sleeps.stream { return duration }
        return nil
    }

    func wakeAll() {
        sleepers.withLock { sleepers in
            sleepers.forEach { $0.finish() }
            sleepers = []
        }
    }
}
