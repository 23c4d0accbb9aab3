internal import PlatformBase

/// An answer on its way into the store: from before its request is sent, so that what changes meanwhile isn't missed, until it is
/// stored or known not to be.
final class Filling: Sendable {
    private let cache: HTTPCache
    private let key: CacheKey
    private let id: UInt64
    private let validation: Validation?

    init(_ cache: HTTPCache, _ key: CacheKey, _ validation: Validation? = nil) {
        self.cache = cache
        self.key = key
        self.validation = validation
        id = cache.flights.withLock { $0.beginFill(key) }
    }

    deinit { end(.notStored) }

    /// Whether nothing has been changed since the request was sent.
    var isValid: Bool { cache.flights.withLock { $0.isValid(id) } }

    /// Makes what was written an entry.
    nonisolated(nonsending) func commit(_ writer: any CacheWriter) async {
        guard isValid else {
            writer.abandon()
            end(.notStored)
            return
        }
        await writer.commit()
        await conclude()
    }

    /// Makes an answer that is here as a whole an entry; `false` when it isn't one.
    nonisolated(nonsending) func commit(_ body: Data, _ response: StoredResponse) async -> Bool {
        guard isValid, await cache.store.keep(body, response, for: key) else {
            end(.notStored)
            return false
        }
        await conclude()
        return true
    }

    private nonisolated(nonsending) func conclude() async {
        // Something may have changed while it was being committed, and found nothing to remove.
        if !end(.upToDate) { await cache.store.remove(key) }
    }

    /// Tells those who wait for the same not to wait any longer.
    func letOthersGo(_ end: ValidationEnd) { validation?.end(end) }

    /// - Returns: whether nothing had been changed since the request was sent.
    @discardableResult
    func end(_ end: ValidationEnd) -> Bool {
        let wasValid = cache.flights.withLock { $0.endFill(id) }
        validation?.end(end)
        return wasValid
    }
}

/// The one who asks the server whether an entry still holds, for all who want to know. Letting go of it ends it.
final class Validation: Sendable {
    private let cache: HTTPCache
    private let entry: UInt64
    private let isOver = Atomic(false)

    /// Takes over a validation that has begun.
    init(_ cache: HTTPCache, of entry: CacheEntry) {
        self.cache = cache
        self.entry = entry.id
    }

    deinit { end(.notStored) }

    func end(_ end: ValidationEnd) {
        guard !isOver.exchange(true, ordering: .relaxed) else { return }
        let waiters = cache.flights.withLock { [entry] in $0.endValidation(of: entry) }
        for waiter in waiters { _ = waiter.give(.success(end)) }
    }
}
