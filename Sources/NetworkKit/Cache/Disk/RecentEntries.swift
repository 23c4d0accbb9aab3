internal import PlatformBase

/// What was read from the disk lately, up to a number of bytes: heads, and small bodies. An answer that is asked for again and again
/// costs no file work.
struct RecentEntries {
    let capacity: Int
    private(set) var size = 0

    struct Item {
        var entry: CacheEntry
        /// `nil` for one that is too large to be kept here.
        var body: Data?

        /// What it takes, roughly.
        var size: Int {
            entry.response.headers.reduce(512 + (body?.count ?? 0)) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 64 }
        }
    }

    private var items: [UInt64: (item: Item, size: Int)] = [:]
    private var order = UseOrder()

    init(capacity: Int) { self.capacity = capacity }

    var count: Int { items.count }

    /// An entry. Looking at it doesn't count as a use, reading its body does.
    func entry(_ id: UInt64) -> CacheEntry? { items[id]?.item.entry }

    /// The body of an entry, if it is kept here.
    mutating func body(_ id: UInt64) -> Data? {
        guard let item = items[id]?.item else { return nil }
        order.use(id)
        return item.body
    }

    /// Keeps an entry; one that is larger than all of this isn't.
    mutating func keep(_ item: Item) {
        let id = item.entry.id
        remove(id)
        let bytes = item.size
        guard bytes <= capacity else { return }
        items[id] = (item, bytes)
        order.use(id)
        size += bytes
        while size > capacity, let oldest = order.oldest { remove(oldest) }
    }

    /// Gives an entry another head.
    mutating func update(_ entry: CacheEntry) { keep(Item(entry: entry, body: items[entry.id]?.item.body)) }

    mutating func remove(_ id: UInt64) {
        guard let item = items.removeValue(forKey: id) else { return }
        order.remove(id)
        size -= item.size
    }

    mutating func removeAll() { self = RecentEntries(capacity: capacity) }
}
