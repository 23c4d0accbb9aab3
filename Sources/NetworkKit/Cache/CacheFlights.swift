/// Who asks the server for what at the moment: a value, whose driver locks it.
struct CacheFlights<Waiter> {
    /// Names an answer on its way into the store.
    typealias FillID = UInt64

    private var fills: [CacheKey: Set<FillID>] = [:]
    private var lastFill: FillID = 0
    /// The entries that the server is being asked about, with those who wait for what it says.
    private(set) var validations: [UInt64: [Waiter]] = [:]

    /// A request is about to be sent whose answer may be stored.
    mutating func beginFill(_ key: CacheKey) -> FillID {
        lastFill += 1
        fills[key, default: []].insert(lastFill)
        return lastFill
    }

    /// Whether an answer on its way is still as true as when it was asked for.
    func isValid(_ fill: FillID, of key: CacheKey) -> Bool { fills[key]?.contains(fill) ?? false }

    /// It has been stored, or won't be.
    mutating func endFill(_ fill: FillID, of key: CacheKey) {
        guard fills[key]?.remove(fill) != nil, fills[key]?.isEmpty == true else { return }
        fills[key] = nil
    }

    /// What is on its way was asked for before something changed: it must not be stored.
    mutating func invalidate(_ key: CacheKey) { fills[key] = nil }
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
