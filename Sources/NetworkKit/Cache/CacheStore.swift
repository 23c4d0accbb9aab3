internal import PlatformBase

/// Where a cache keeps answers: in memory or on a disk. What may be kept, found or replaced is the cache's to decide; a store keeps,
/// finds and forgets.
///
/// Nothing here fails. A store that can't read has nothing, one that can't write takes nothing, and it tells of its fault once, to
/// whoever it was made with: the request is answered all the same, by the server. All calls may come from many tasks at once, and
/// run on the caller's executor: a store that finds everything in memory answers without suspending, and one that must wait for a disk
/// does its work elsewhere (see `FileWork`).
protocol CacheStore: AnyObject, Sendable {
    /// What is kept for a key, one entry a variant, without bodies, in any order. Only whole entries are found.
    nonisolated(nonsending) func entries(for key: CacheKey) async -> [CacheEntry]

    /// The body of an entry, or a part of it, to be read from its beginning to its end.
    ///
    /// - Parameters:
    ///   - entry: one that ``entries(for:)`` gave. An entry that was replaced, updated or removed since may still be read.
    ///   - range: which bytes, within `entry.length`; `nil` for all.
    /// - Returns: `nil` when it can't be read any more; the cache then asks the server. A source that fails in the middle
    ///   (``RequestError/integrity(_:)``) is one whose entry the store has removed.
    nonisolated(nonsending) func body(of entry: CacheEntry, in range: Range<Int64>?) async -> (any BodySource)?

    /// Begins to keep an answer. Nobody finds it until it is committed.
    ///
    /// - Parameter length: how long its body will be, when that is known.
    /// - Returns: `nil` when the store won't take it: it is too large, or the store can't write.
    nonisolated(nonsending) func writer(
        for key: CacheKey, response: StoredResponse, length: Int64?
    ) async -> (any CacheWriter)?

    /// Keeps an answer whose body is here as a whole, in place of the one with the same key and variant.
    ///
    /// - Returns: `false` when the store won't take it.
    nonisolated(nonsending) func keep(_ body: Data, _ response: StoredResponse, for key: CacheKey) async -> Bool

    /// Replaces all that is known of an entry but its body, as after a 304. Nothing happens to an entry that is gone or was replaced.
    ///
    /// - Returns: the entry as it is now, or `nil` when it is gone.
    @discardableResult
    nonisolated(nonsending) func update(_ entry: CacheEntry, of key: CacheKey, to response: StoredResponse) async -> CacheEntry?

    /// Removes all entries of a key.
    nonisolated(nonsending) func remove(_ key: CacheKey) async

    /// Removes one entry, unless it was replaced.
    nonisolated(nonsending) func remove(_ entry: CacheEntry, of key: CacheKey) async

    /// Removes everything.
    nonisolated(nonsending) func removeAll() async
}

extension CacheStore {
    nonisolated(nonsending) func keep(_ body: Data, _ response: StoredResponse, for key: CacheKey) async -> Bool {
        guard let writer = await writer(for: key, response: response, length: Int64(body.count)), await writer.append(body) else {
            return false
        }
        await writer.commit()
        return true
    }
}

/// A body on its way into a store. One task appends and commits; `abandon` may come from anywhere, at any time, more than once.
protocol CacheWriter: AnyObject, Sendable {
    /// Adds bytes.
    ///
    /// - Returns: `false` when the store has given up: the body has become too long, or can't be written. The writer is abandoned then.
    nonisolated(nonsending) func append(_ bytes: Data) async -> Bool

    /// Makes the entry one that is found, all at once, in place of the one with the same key and variant.
    nonisolated(nonsending) func commit() async

    /// Forgets what was written. Does nothing after a commit. It neither waits nor blocks.
    func abandon()
}

/// A kept answer as a store gives it.
struct CacheEntry: Sendable {
    /// The store's own name for it. A replacement has another one, an update may keep it.
    let id: UInt64
    let response: StoredResponse
    /// How long the body is.
    let length: Int64
}
