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
    private(set) var count = 0
    /// Places for entries; those in `free` are empty. Whatever is linked to another is by its place: it is looked at with each answer that
    /// is stored, and a look into a dictionary costs more than all the rest.
    private var places: [Place] = []
    private var free: [Int] = []
    private var variants: [CacheKey: Variants] = [:]
    private var newest = Place.none
    private var oldest = Place.none

    private struct Place {
        static let none = -1

        var item: Item?
        /// How many entries have been here: part of an entry's name, so that nobody takes another one for it.
        var generation: UInt32 = 0
        /// The neighbours in the order of use.
        var newer = Place.none
        var older = Place.none
    }

    private struct Item {
        let key: CacheKey
        var entry: CacheEntry
        let body: Data
        var size: Int
    }

    /// The places of a URL's answers: nearly always one.
    private struct Variants {
        var first: Int
        var others: [Int] = []

        var all: [Int] { others.isEmpty ? [first] : [first] + others }

        /// - Returns: whether any is left.
        mutating func remove(_ place: Int) -> Bool {
            guard place == first else {
                others.removeAll { $0 == place }
                return true
            }
            guard !others.isEmpty else { return false }
            first = others.removeFirst()
            return true
        }
    }

    init(capacity: Int) { self.capacity = max(0, capacity) }

    func entries(for key: CacheKey) -> [CacheEntry] {
        variants[key]?.all.compactMap { places[$0].item?.entry } ?? []
    }

    /// The body of an entry, which counts as its use.
    mutating func body(of id: UInt64) -> Data? {
        guard let place = place(of: id), let body = places[place].item?.body else { return nil }
        if newest != place {
            unlink(place)
            link(place)
        }
        return body
    }

    mutating func add(_ body: Data, _ response: StoredResponse, for key: CacheKey) {
        let known = variants[key]
        if let known {
            let same = known.all.first { places[$0].item?.entry.response.variant == response.variant }
            if let place = same ?? (known.others.count + 1 >= Self.variantLimit ? known.first : nil) { remove(at: place) }
        }
        let size = Self.size(of: response, key) + body.count
        guard size <= capacity else { return }
        let place = free.popLast() ?? places.endIndex
        if place == places.endIndex { places.append(Place()) }
        let id = UInt64(places[place].generation) << 32 | UInt64(place)
        places[place].item = Item(
            key: key, entry: CacheEntry(id: id, response: response, length: Int64(body.count)), body: body, size: size)
        if known != nil, variants[key] != nil { variants[key]?.others.append(place) } else { variants[key] = Variants(first: place) }
        self.size += size
        count += 1
        link(place)
        evict()
    }

    /// Gives an entry other fields.
    mutating func update(_ id: UInt64, to response: StoredResponse) -> CacheEntry? {
        guard let place = place(of: id), var item = places[place].item else { return nil }
        item.entry = CacheEntry(id: id, response: response, length: item.entry.length)
        let size = Self.size(of: response, item.key) + item.body.count
        self.size += size - item.size
        item.size = size
        places[place].item = item
        evict()
        return self.place(of: id) == nil ? nil : item.entry
    }

    mutating func remove(_ key: CacheKey) {
        for place in variants[key]?.all ?? [] { remove(at: place) }
    }

    mutating func remove(_ id: UInt64) {
        if let place = place(of: id) { remove(at: place) }
    }

    mutating func removeAll() {
        // The places stay, so that names aren't given again.
        while oldest != Place.none { remove(at: oldest) }
    }

    /// Where an entry is; `nil` when it is gone.
    private func place(of id: UInt64) -> Int? {
        let place = Int(id & 0xFFFF_FFFF)
        guard place < places.count, places[place].item?.entry.id == id else { return nil }
        return place
    }

    private mutating func remove(at place: Int) {
        guard let item = places[place].item.take() else { return }
        unlink(place)
        places[place].generation &+= 1
        free.append(place)
        size -= item.size
        count -= 1
        if variants[item.key]?.remove(place) == false { variants[item.key] = nil }
    }

    private mutating func evict() {
        while size > capacity, oldest != Place.none { remove(at: oldest) }
    }

    private mutating func link(_ place: Int) {
        places[place].older = newest
        places[place].newer = Place.none
        if newest != Place.none { places[newest].newer = place } else { oldest = place }
        newest = place
    }

    private mutating func unlink(_ place: Int) {
        let (newer, older) = (places[place].newer, places[place].older)
        if newer != Place.none { places[newer].older = older } else { newest = older }
        if older != Place.none { places[older].newer = newer } else { oldest = newer }
    }

    /// What an entry takes besides its body, roughly.
    private static func size(of response: StoredResponse, _ key: CacheKey) -> Int {
        response.headers.reduce(512 + key.text.utf8.count) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 64 }
    }
}
