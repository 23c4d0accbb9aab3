internal import PlatformBase

/// Answers in memory, up to a number of bytes; those that were used longest ago go first.
final class MemoryStore: CacheStore {
    private let shelf: Lock<MemoryShelf>

    /// - Parameter capacity: bytes of bodies and fields together.
    init(capacity: Int) { shelf = Lock(MemoryShelf(capacity: capacity)) }

    nonisolated(nonsending) func entries(for key: CacheKey) async -> [CacheEntry] { shelf.withLock { $0.entries(for: key) } }

    nonisolated(nonsending) func body(of entry: CacheEntry, in range: Range<Int64>?) async -> (any BodySource)? {
        guard let body = shelf.withLock({ $0.body(of: entry.id) }) else { return nil }
        guard let range else { return DataSource(body) }
        return DataSource(body.dropFirst(Int(range.lowerBound)).prefix(range.count))
    }

    nonisolated(nonsending) func writer(
        for key: CacheKey, response: StoredResponse, length: Int64?
    ) async -> (any CacheWriter)? {
        let limit = shelf.withLock(\.limit)
        guard length ?? 0 <= Int64(limit) else { return nil }
        return Writer(self, key: key, response: response, limit: limit)
    }

    nonisolated(nonsending) func keep(_ body: Data, _ response: StoredResponse, for key: CacheKey) async -> Bool {
        shelf.withLock { shelf in
            guard body.count <= shelf.limit else { return false }
            shelf.add(body, response, for: key)
            return true
        }
    }

    @discardableResult
    nonisolated(nonsending) func update(_ entry: CacheEntry, of key: CacheKey, to response: StoredResponse) async -> CacheEntry? {
        shelf.withLock { $0.update(entry.id, to: response) }
    }

    nonisolated(nonsending) func remove(_ key: CacheKey) async { shelf.withLock { $0.remove(key) } }
    nonisolated(nonsending) func remove(_ entry: CacheEntry, of key: CacheKey) async { shelf.withLock { $0.remove(entry.id) } }
    nonisolated(nonsending) func removeAll() async { shelf.withLock { $0.removeAll() } }

    private func add(_ body: Data, _ response: StoredResponse, for key: CacheKey) {
        shelf.withLock { $0.add(body, response, for: key) }
    }

    private final class Writer: CacheWriter {
        private let store: MemoryStore
        private let key: CacheKey
        private let response: StoredResponse
        private let limit: Int
        /// `nil` once it has been handed over or given up.
        private let body = Lock<Data?>(Data())

        init(_ store: MemoryStore, key: CacheKey, response: StoredResponse, limit: Int) {
            self.store = store
            self.key = key
            self.response = response
            self.limit = limit
        }

        nonisolated(nonsending) func append(_ bytes: Data) async -> Bool {
            body.withLock { body in
                guard let count = body?.count, count + bytes.count <= limit else {
                    body = nil
                    return false
                }
                // A body of one piece, as most are, is kept uncopied.
                if count == 0 { body = bytes } else { body?.append(bytes) }
                return true
            }
        }

        nonisolated(nonsending) func commit() async {
            guard let body = body.withLock({ $0.take() }) else { return }
            store.add(body, response, for: key)
        }

        func abandon() { body.withLock { $0 = nil } }
    }
}
