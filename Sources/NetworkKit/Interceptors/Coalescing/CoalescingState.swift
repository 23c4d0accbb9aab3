/// Which exchanges are under way, and who waits for each.
struct CoalescingState<Key: Hashable, Waiter, Handle> {
    /// One caller's part in an exchange.
    struct Membership: Sendable, Equatable {
        let exchange: Exchange
        /// Which of its waiters it is.
        fileprivate let number: Int
    }

    /// Names an exchange, and no later one in its place.
    struct Exchange: Sendable, Equatable {
        fileprivate let index: Int
        fileprivate let generation: Int
    }

    struct Joining {
        var membership: Membership
        /// What `start` made for the exchange.
        var handle: Handle
        /// Whether the caller is the first, who begins the exchange.
        var isFirst: Bool
    }

    /// Who waits for an exchange when it ends.
    struct Callers {
        /// The one that began it, if it still waits.
        var first: Waiter?
        var others: [Waiter]
        var count: Int { others.count + (first == nil ? 0 : 1) }
    }

    private struct Entry {
        var generation = 0
        var key: Key?
        var handle: Handle?
        /// The most bytes that the exchange reads of a body.
        var limit = 0
        // A request is alone, nearly always.
        var first: Waiter?
        var more: [Waiter?] = []
        var count = 0
    }

    private var entries: [Entry] = []
    private var free: [Int] = []
    private var open: [Key: Int] = [:]

    /// How many exchanges are under way.
    var exchanges: Int { entries.count - free.count }

    /// How many callers wait for them.
    var callers: Int { entries.reduce(0) { $0 + $1.count } }

    /// Takes a caller in: to the exchange of its key if there is one that reads as much as the caller wants, else to a new one, which
    /// later callers join.
    mutating func join(_ key: Key, limit: Int, _ waiter: Waiter, start: () -> Handle) -> Joining {
        let index = free.popLast() ?? entries.endIndex
        // Most requests are alone, so the place is taken first: hashing a key twice takes longer than all else here.
        if let taken = open.updateValue(index, forKey: key), entries[taken].limit >= limit, let handle = entries[taken].handle {
            open[key] = taken
            if index < entries.endIndex { free.append(index) }
            return join(taken, handle, waiter)
        }
        if index == entries.endIndex { entries.append(Entry()) }
        let handle = start()
        entries[index].key = key
        entries[index].handle = handle
        entries[index].limit = limit
        entries[index].first = waiter
        entries[index].count = 1
        return Joining(membership: membership(index, 0), handle: handle, isFirst: true)
    }

    private mutating func join(_ index: Int, _ handle: Handle, _ waiter: Waiter) -> Joining {
        entries[index].more.append(waiter)
        entries[index].count += 1
        return Joining(membership: membership(index, entries[index].more.count), handle: handle, isFirst: false)
    }

    /// Lets a caller go that doesn't wait any more. Gives the exchange's handle when it was the last, so that the exchange is to be
    /// stopped; later callers begin a new one.
    mutating func leave(_ membership: Membership) -> Handle? {
        guard holds(membership.exchange) else { return nil }
        let index = membership.exchange.index
        if membership.number == 0 {
            guard entries[index].first != nil else { return nil }
            entries[index].first = nil
        } else {
            guard entries[index].more[membership.number - 1] != nil else { return nil }
            entries[index].more[membership.number - 1] = nil
        }
        entries[index].count -= 1
        guard entries[index].count == 0 else { return nil }
        defer { close(index) }
        return entries[index].handle
    }

    /// Ends an exchange: gives who waits for it: nobody, when it has been stopped.
    mutating func finish(_ exchange: Exchange) -> Callers {
        guard holds(exchange) else { return Callers(others: []) }
        defer { close(exchange.index) }
        let entry = entries[exchange.index]
        return Callers(first: entry.first, others: entry.more.isEmpty ? [] : entry.more.compactMap { $0 })
    }

    /// Has nobody join the exchanges of some keys any more. Who waits for one waits on.
    mutating func seal(where isSealed: (Key) -> Bool) {
        for key in open.keys.filter(isSealed) { open[key] = nil }
    }

    private func membership(_ index: Int, _ number: Int) -> Membership {
        Membership(exchange: Exchange(index: index, generation: entries[index].generation), number: number)
    }

    private func holds(_ exchange: Exchange) -> Bool { entries[exchange.index].generation == exchange.generation }

    private mutating func close(_ index: Int) {
        // One that reads more, or that began after this one was sealed, may have taken its place.
        if let key = entries[index].key, let other = open.removeValue(forKey: key), other != index { open[key] = other }
        let generation = entries[index].generation + 1
        entries[index] = Entry(generation: generation)
        free.append(index)
    }
}
