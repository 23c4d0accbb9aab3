/// Things in the order of their use, each step in constant time.
struct UseOrder {
    private struct Neighbours {
        var newer: UInt64?
        var older: UInt64?
    }

    private var neighbours: [UInt64: Neighbours] = [:]
    private(set) var newest: UInt64?
    /// What was used longest ago.
    private(set) var oldest: UInt64?

    mutating func reserveCapacity(_ count: Int) { neighbours.reserveCapacity(count) }

    /// Makes one the newest, whether it is new or not.
    mutating func use(_ id: UInt64) {
        guard newest != id else { return }
        remove(id)
        neighbours[id] = Neighbours(newer: nil, older: newest)
        if let newest { neighbours[newest]?.newer = id } else { oldest = id }
        newest = id
    }

    mutating func remove(_ id: UInt64) {
        guard let old = neighbours.removeValue(forKey: id) else { return }
        if let newer = old.newer { neighbours[newer]?.older = old.older } else { newest = old.older }
        if let older = old.older { neighbours[older]?.newer = old.newer } else { oldest = old.newer }
    }

    mutating func removeAll() { self = UseOrder() }
}
