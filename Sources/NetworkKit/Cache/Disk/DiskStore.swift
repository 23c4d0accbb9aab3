internal import PlatformBase

/// Answers in a directory, one a file, up to a number of bytes; those that were used longest ago go first.
///
/// The directory is opened when something is first asked of the store. From then on what is in it is known without a look at it: an
/// answer that isn't stored costs no file work, and neither does one that was read lately. All that changes files, and all reading of heads,
/// is done in one lane, one job behind the other, so that no two can be at the same file; bodies are read beside it.
///
/// Nothing is flushed to the disk: what a loss of power takes, or leaves in pieces, doesn't match its checksum and counts as not stored.
final class DiskStore: CacheStore {
    struct State: Sendable {
        var phase = Phase.closed
        var index: DiskIndex
        var recent: RecentEntries
    }

    enum Phase: Sendable {
        case closed
        case open(StoreDirectory)
        /// It can't be opened, and won't be tried again.
        case off
    }

    /// What of the most lately read entries stays in memory.
    private static let recentCapacity = 4 * 1024 * 1024

    let state: Lock<State>
    let lane = FileLane()
    let faults: DiskFaults
    /// How long a body may be: one must not drive out all the others.
    let limit: Int64
    private let directory: URL

    /// - Parameters:
    ///   - capacity: bytes of all files together.
    ///   - onFault: told of each fault once.
    init(directory: URL, capacity: Int, onFault: (@Sendable (RequestError) -> Void)?) {
        self.directory = directory
        let index = DiskIndex(capacity: Int64(capacity))
        limit = index.capacity / 4
        state = Lock(State(index: index, recent: RecentEntries(capacity: min(Self.recentCapacity, Int(clamping: limit)))))
        faults = DiskFaults(onFault)
    }

    /// Whether it stores nothing; asks the disk.
    nonisolated(nonsending) func isReadOnly() async -> Bool { await opened()?.isReadOnly ?? true }

    nonisolated(nonsending) func entries(for key: CacheKey) async -> [CacheEntry] {
        guard let directory = await opened() else { return [] }
        let hash = directory.hash(of: key)
        let (known, unread) = state.withLock { state in
            var known: [CacheEntry] = []
            var unread: [UInt64] = []
            for id in state.index.ids(for: hash) {
                if let entry = state.recent.entry(id) { known.append(entry) } else { unread.append(id) }
            }
            return (known, unread)
        }
        guard !unread.isEmpty else { return known }
        return await onLane { known + unread.compactMap { self.read($0, directory)?.entry } }
    }

    nonisolated(nonsending) func body(of entry: CacheEntry, in range: Range<Int64>?) async -> (any BodySource)? {
        guard let directory = await opened() else { return nil }
        let range = range ?? 0..<entry.length
        let (slot, kept, isToBeTouched) = state.withLock { state in
            (state.index[entry.id], state.recent.body(entry.id), state.index.use(entry.id, now: Int64(time(nil))))
        }
        guard let slot else { return nil }
        if isToBeTouched, !directory.isReadOnly { lane.add { directory.touch(slot.name) } }
        if let kept { return Self.source(kept, range) }
        if entry.length <= Int64(EntryFormat.blockSize) {
            return await onLane { self.read(entry.id, directory)?.body }.flatMap { Self.source($0, range) }
        }
        guard !range.isEmpty else { return DataSource(Data()) }
        return await onFileThread { self.open(entry, slot, range, directory) }
    }

    private static func source(_ body: Data, _ range: Range<Int64>) -> (any BodySource)? {
        guard range.upperBound <= Int64(body.count) else { return nil }
        return DataSource(range.count == body.count ? body : body.dropFirst(Int(range.lowerBound)).prefix(range.count))
    }

    nonisolated(nonsending) func writer(
        for key: CacheKey, response: StoredResponse, length: Int64?
    ) async -> (any CacheWriter)? {
        guard length ?? 0 <= limit, let directory = await opened(), !directory.isReadOnly else { return nil }
        return DiskWriter(self, directory, DiskWriter.Target(key: directory.hash(of: key), response: response))
    }

    @discardableResult
    nonisolated(nonsending) func update(_ entry: CacheEntry, of key: CacheKey, to response: StoredResponse) async -> CacheEntry? {
        guard let directory = await opened() else { return nil }
        let updated = CacheEntry(id: entry.id, response: response, length: entry.length)
        guard directory.isReadOnly else { return await onLane { self.rewrite(updated, directory) } }
        // What can't be written is known for as long as it is kept in memory.
        return state.withLock { state in
            guard state.index[entry.id] != nil else { return nil }
            state.recent.update(updated)
            return updated
        }
    }

    nonisolated(nonsending) func remove(_ key: CacheKey) async {
        guard let directory = await opened() else { return }
        let hash = directory.hash(of: key)
        await forget(directory) { index in index.ids(for: hash).compactMap { index.remove($0) } }
    }

    nonisolated(nonsending) func remove(_ entry: CacheEntry, of key: CacheKey) async {
        guard let directory = await opened() else { return }
        await forget(directory) { index in index.remove(entry.id).map { [$0] } ?? [] }
    }

    nonisolated(nonsending) func removeAll() async {
        guard let directory = await opened() else { return }
        await forget(directory) { index in index.removeAll() }
    }

    /// Nobody finds from now on what is removed, and its file is gone when this returns.
    private nonisolated(nonsending) func forget(
        _ directory: StoreDirectory, _ remove: @Sendable (inout DiskIndex) -> [DiskIndex.Gone]
    ) async {
        let gone = state.withLock { state in
            let gone = remove(&state.index)
            for entry in gone { state.recent.remove(entry.id) }
            // What is to be written before the files are removed must not take their room yet.
            state.index.hold(gone)
            return gone
        }
        guard !gone.isEmpty else { return }
        await onLane {
            if !directory.isReadOnly { self.removeFiles(of: gone, directory) }
            self.state.withLock { $0.index.release(gone.reduce(0) { $0 + $1.size }) }
        }
    }

    /// The directory, opened if it wasn't; `nil` when it can't be.
    private nonisolated(nonsending) func opened() async -> StoreDirectory? {
        let phase = state.withLock { $0.phase }
        switch phase {
        case .open(let directory): return directory
        case .off: return nil
        case .closed: return await onLane { self.open(self.directory) }
        }
    }

    nonisolated(nonsending) func onLane<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await Waiter.wait { waiter in lane.add { waiter.resume(work()) } }
    }
}

/// Does work on a file-work thread, beside all other.
nonisolated(nonsending) func onFileThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await Waiter.wait { waiter in FileWork.add { waiter.resume(work()) } }
}
