/// What came of asking the server whether an entry still holds.
enum ValidationEnd: Sendable {
    /// What is stored now is what the server says.
    case upToDate
    /// It said something that isn't stored, or isn't yet.
    case notStored
    /// It couldn't answer.
    case outage
    /// Whoever asked doesn't want to know any more.
    case abandoned
}

/// Who asks the server for what at the moment: a value, whose driver locks it.
struct CacheFlights<Waiter> {
    /// Names an answer on its way into the store.
    typealias FillID = UInt64

    /// What is on its way, by number: begun and ended for each answer, and looked through for a URL only when something has changed.
    private var fills: [FillID: CacheKey] = [:]
    private var lastFill: FillID = 0
    /// The entries that the server is being asked about, with those who wait for what it says.
    private(set) var validations: [UInt64: [Waiter]] = [:]

    /// A request is about to be sent whose answer may be stored.
    mutating func beginFill(_ key: CacheKey) -> FillID {
        lastFill += 1
        fills[lastFill] = key
        return lastFill
    }

    /// Whether an answer on its way is still as true as when it was asked for.
    func isValid(_ fill: FillID) -> Bool { fills[fill] != nil }

    /// It has been stored, or won't be. Gives whether it was as true as when it was asked for.
    mutating func endFill(_ fill: FillID) -> Bool { fills.removeValue(forKey: fill) != nil }

    /// What is on its way was asked for before something changed: it must not be stored.
    mutating func invalidate(_ key: CacheKey) {
        for (fill, other) in fills where other == key { fills[fill] = nil }
    }
    mutating func invalidateAll() { fills = [:] }

    /// Begins to validate an entry; `false` when somebody does already.
    mutating func beginValidation(of entry: UInt64) -> Bool {
        guard validations[entry] == nil else { return false }
        validations[entry] = []
        return true
    }

    /// Begins to validate an entry, or else waits for who does; `true` for who begins.
    mutating func beginValidation(of entry: UInt64, orAwaitBy waiter: Waiter) -> Bool {
        if beginValidation(of: entry) { return true }
        validations[entry]?.append(waiter)
        return false
    }

    /// The validation is over, whatever came of it.
    ///
    /// - Returns: who is to be told.
    mutating func endValidation(of entry: UInt64) -> [Waiter] { validations.removeValue(forKey: entry) ?? [] }
}
