internal import PlatformBase

/// Entries in the order of their use, and how many bytes they are: a value, so that its driver does no more than lock it.
struct MemoryShelf {
    /// How many bytes all entries may have together.
    let capacity: Int
    /// How long a body may be: one must not drive out all the others.
    var limit: Int { capacity / 4 }
    /// How many answers of one URL are kept: a server that varies by much would fill the shelf with one.
    static let variantLimit = 32

    private(set) var size = 0
    private var items: [UInt64: Item] = [:]
    private var variants: [CacheKey: [UInt64]] = [:]
    private var newest: UInt64?
    private var oldest: UInt64?
    private var lastID: UInt64 = 0

    private struct Item {
        let key: CacheKey
        var entry: CacheEntry
        let body: Data
        var size: Int
        /// The neighbours in the order of use.
        var newer: UInt64?
        var older: UInt64?
    }

    init(capacity: Int) { self.capacity = max(0, capacity) }

    var count: Int { items.count }

    func entries(for key: CacheKey) -> [CacheEntry] {
        guard let ids = variants[key] else { return [] }
        return ids.compactMap { items[$0]?.entry }
    }

    /// The body of an entry, which counts as its use.
    mutating func body(of id: UInt64) -> Data? {
        guard let body = items[id]?.body else { return nil }
        if newest != id {
            unlink(id)
            link(id)
        }
        return body
    }

    mutating func add(_ body: Data, _ response: StoredResponse, for key: CacheKey) {
        if let same = variants[key]?.first(where: { items[$0]?.entry.response.variant == response.variant }) { remove(same) }
        let size = Self.size(of: response, key) + body.count
        guard size <= capacity else { return }
        if let ids = variants[key], ids.count >= Self.variantLimit, let first = ids.first { remove(first) }
        lastID += 1
        items[lastID] = Item(
            key: key, entry: CacheEntry(id: lastID, response: response, length: Int64(body.count)), body: body, size: size)
        variants[key, default: []].append(lastID)
        self.size += size
        link(lastID)
        evict()
    }

    /// Gives an entry other fields.
    mutating func update(_ id: UInt64, to response: StoredResponse) -> CacheEntry? {
        guard var item = items[id] else { return nil }
        item.entry = CacheEntry(id: id, response: response, length: item.entry.length)
        let size = Self.size(of: response, item.key) + item.body.count
        self.size += size - item.size
        item.size = size
        items[id] = item
        evict()
        return items[id]?.entry
    }

    mutating func remove(_ key: CacheKey) {
        for id in variants[key] ?? [] { remove(id) }
    }

    mutating func remove(_ id: UInt64) {
        guard let item = items[id] else { return }
        unlink(id)
        items[id] = nil
        size -= item.size
        variants[item.key]?.removeAll { $0 == id }
        if variants[item.key]?.isEmpty == true { variants[item.key] = nil }
    }

    mutating func removeAll() {
        items = [:]
        variants = [:]
        newest = nil
        oldest = nil
        size = 0
    }

    private mutating func evict() {
        while size > capacity, let oldest { remove(oldest) }
    }

    private mutating func link(_ id: UInt64) {
        items[id]?.older = newest
        items[id]?.newer = nil
        if let newest { items[newest]?.newer = id } else { oldest = id }
        newest = id
    }

    private mutating func unlink(_ id: UInt64) {
        guard let item = items[id] else { return }
        if let newer = item.newer { items[newer]?.older = item.older } else { newest = item.older }
        if let older = item.older { items[older]?.newer = item.newer } else { oldest = item.newer }
    }

    /// What an entry takes besides its body, roughly.
    private static func size(of response: StoredResponse, _ key: CacheKey) -> Int {
        response.headers.reduce(512 + key.text.utf8.count) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 64 }
    }
}
