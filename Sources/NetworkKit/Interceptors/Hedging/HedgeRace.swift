/// Two attempts side by side, of which the first good answer wins: a value that says what is to be done.
struct HedgeRace: Sendable {
    /// What an attempt came to.
    enum Ending: Equatable {
        /// An answer that settles the matter.
        case good
        /// An answer that means failure, such as 503.
        case bad
        /// No answer.
        case failed
    }

    enum Step: Equatable {
        /// The other one is still on its way, and this ending is kept for the case that it is no better.
        case hold
        /// It is over: this attempt's outcome is the call's. The others are to be let go of.
        case end(winner: Int)
        /// It came too late, and is let go of.
        case drop
    }

    private(set) var isOver = false
    private var running = [true, false]
    private var held: (place: Int, ending: Ending)?

    /// Whether a second attempt may begin now that the first has had its time. It counts as begun then.
    mutating func begin() -> Bool {
        guard !isOver, running == [true, false], held == nil else { return false }
        running[1] = true
        return true
    }

    /// An attempt has ended.
    mutating func end(_ place: Int, _ ending: Ending) -> Step {
        guard !isOver, running[place] else { return .drop }
        running[place] = false
        if ending != .good, running.contains(true) {
            held = (place, ending)
            return .hold
        }
        isOver = true
        guard ending != .good, let held else { return .end(winner: place) }
        // Neither is good: an answer says more than none, and the one that came first had the better server.
        return .end(winner: ending == .bad && held.ending == .failed ? place : held.place)
    }

    /// Nobody waits any more.
    mutating func close() { isOver = true }
}
