/// Which entries a disk holds, how large they are, and which was used longest ago: a value, so that its driver does no more than lock it
/// and do what it says.
struct DiskIndex {
    /// How many bytes all files may have together, those that are being written too.
    let capacity: Int64
    /// How many answers of one URL are kept: a server that varies by much would fill the disk with one.
    static let variantLimit = 32
    /// How old the mark of use on a file may get, in seconds: each use would cost a write otherwise.
    static let touchInterval: Int64 = 60

    /// An entry.
    struct Slot {
        let name: EntryName
        var size: Int64
        /// When the file was last marked as used, in seconds since 1970.
        var touched: Int64
        /// The number of the writing; known once the file has been read or was written here.
        var nonce: UInt64?
        /// Another entry of the same URL.
        fileprivate var next: UInt64?
    }

    /// A file as a listing of the directory has it.
    struct Found {
        let name: EntryName
        let size: Int64
        /// When it was last changed or marked as used, in nanoseconds since 1970.
        let modified: Int64
    }

    /// An entry that is no more, whose file is to be removed.
    struct Gone: Equatable {
        let id: UInt64
        let name: EntryName
        let size: Int64
    }

    private var slots: [UInt64: Slot] = [:]
    private var firsts: [SipHash.Value: UInt64] = [:]
    private var order = UseOrder()
    private var lastID: UInt64 = 0
    /// The bytes of all entries.
    private(set) var size: Int64 = 0
    /// The bytes of what is being written.
    private(set) var reserved: Int64 = 0

    init(capacity: Int64) { self.capacity = max(0, capacity) }

    var count: Int { slots.count }

    subscript(_ id: UInt64) -> Slot? { slots[id] }

    /// The entries of a URL.
    func ids(for key: SipHash.Value) -> [UInt64] {
        var ids: [UInt64] = []
        var id = firsts[key]
        while let found = id {
            ids.append(found)
            id = slots[found]?.next
        }
        return ids
    }

    /// Whether a file is an entry's.
    func contains(_ name: EntryName) -> Bool { id(of: name) != nil }

    /// Takes in what a directory holds.
    ///
    /// - Returns: what is too much, to be removed.
    mutating func load(_ found: [Found]) -> [Gone] {
        slots.reserveCapacity(found.count)
        firsts.reserveCapacity(found.count)
        order.reserveCapacity(found.count)
        for file in found.sorted(by: { $0.modified < $1.modified }) {
            insert(Slot(name: file.name, size: file.size, touched: file.modified / 1_000_000_000))
        }
        return evict()
    }

    /// Makes room for bytes that are about to be written.
    ///
    /// - Returns: what must go for them, to be removed first; `nil` when there is no room for them at all.
    mutating func reserve(_ bytes: Int64) -> [Gone]? {
        guard reserved + bytes <= capacity else { return nil }
        reserved += bytes
        return evict()
    }

    /// Counts the bytes of entries that were removed until their files are.
    mutating func hold(_ gone: [Gone]) { reserved += gone.reduce(0) { $0 + $1.size } }

    /// The bytes were written into an entry, or won't be written.
    mutating func release(_ bytes: Int64) { reserved = max(0, reserved - bytes) }

    /// An entry has been written, in the place of one with the same name.
    ///
    /// - Returns: its id, the id of the one that it replaces, and what else must go, to be removed.
    mutating func add(_ name: EntryName, size: Int64, nonce: UInt64, now: Int64) -> (id: UInt64, replaced: UInt64?, gone: [Gone]) {
        let replaced = id(of: name)
        if let replaced { remove(replaced) }
        var gone: [Gone] = []
        let others = ids(for: name.key)
        if others.count >= Self.variantLimit, let first = others.last, let old = remove(first) { gone.append(old) }
        let id = insert(Slot(name: name, size: size, touched: now, nonce: nonce))
        return (id, replaced, gone + evict())
    }

    /// What a look into the file of an entry has found, or a change of it made.
    mutating func correct(_ id: UInt64, size: Int64, nonce: UInt64) -> [Gone] {
        guard let old = slots[id] else { return [] }
        slots[id]?.size = size
        slots[id]?.nonce = nonce
        self.size += size - old.size
        return evict()
    }

    /// Notes a use.
    ///
    /// - Returns: whether the file is to be marked as used, for the next process.
    mutating func use(_ id: UInt64, now: Int64) -> Bool {
        guard let slot = slots[id] else { return false }
        order.use(id)
        guard abs(now - slot.touched) >= Self.touchInterval else { return false }
        slots[id]?.touched = now
        return true
    }

    /// Forgets an entry.
    ///
    /// - Returns: what it was, when it was there.
    @discardableResult
    mutating func remove(_ id: UInt64) -> Gone? {
        guard let slot = slots.removeValue(forKey: id) else { return nil }
        order.remove(id)
        size -= slot.size
        if firsts[slot.name.key] == id {
            firsts[slot.name.key] = slot.next
        } else {
            var previous = firsts[slot.name.key]
            while let found = previous, slots[found]?.next != id { previous = slots[found]?.next }
            if let previous { slots[previous]?.next = slot.next }
        }
        return Gone(id: id, name: slot.name, size: slot.size)
    }

    /// Forgets all entries.
    ///
    /// - Returns: what they were.
    mutating func removeAll() -> [Gone] {
        defer {
            slots = [:]
            firsts = [:]
            order.removeAll()
            size = 0
        }
        return slots.map { Gone(id: $0.key, name: $0.value.name, size: $0.value.size) }
    }

    @discardableResult
    private mutating func insert(_ slot: Slot) -> UInt64 {
        lastID += 1
        var slot = slot
        slot.next = firsts[slot.name.key]
        firsts[slot.name.key] = lastID
        slots[lastID] = slot
        order.use(lastID)
        size += slot.size
        return lastID
    }

    private mutating func evict() -> [Gone] {
        var gone: [Gone] = []
        while size + reserved > capacity, let oldest = order.oldest, let old = remove(oldest) { gone.append(old) }
        return gone
    }

    private func id(of name: EntryName) -> UInt64? {
        var id = firsts[name.key]
        while let found = id, let slot = slots[found] {
            if slot.name.variant == name.variant { return found }
            id = slot.next
        }
        return nil
    }
}
