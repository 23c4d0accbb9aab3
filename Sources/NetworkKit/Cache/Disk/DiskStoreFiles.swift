internal import PlatformBase

/// What a disk store does with files. All of it blocks, and but for ``open(_:_:_:_:)`` all of it runs in the store's lane.
extension DiskStore {
    /// Opens the directory, unless that was done meanwhile.
    func open(_ url: URL) -> StoreDirectory? {
        switch state.withLock({ $0.phase }) {
        case .open(let directory): return directory
        case .off: return nil
        case .closed: break
        }
        do throws(DiskFault) {
            guard url.isFileURL else { throw .system(action: "open", path: url.absoluteString, code: EINVAL) }
            let directory = try StoreDirectory(url.path, report: faults.report)
            let found = try directory.list(faults.report)
            let gone = state.withLock { state in
                var gone = state.index.load(found)
                if directory.isKeyNew { gone += state.index.removeAll() }
                state.phase = .open(directory)
                return gone
            }
            if !directory.isReadOnly { removeFiles(of: gone, directory) }
            return directory
        } catch {
            faults.report(error)
            state.withLock { $0.phase = .off }
            return nil
        }
    }

    /// Reads the head of an entry, and its body if that is small.
    func read(_ id: UInt64, _ directory: StoreDirectory) -> RecentEntries.Item? {
        guard let slot = state.withLock({ $0.index[id] }) else { return nil }
        do throws(DiskFault) {
            let read = try directory.file(slot.name).entry(of: slot.name.key)
            let item = RecentEntries.Item(entry: CacheEntry(id: id, response: read.response, length: read.length), body: read.body)
            let gone = state.withLock { state -> [DiskIndex.Gone] in
                // It may have been removed meanwhile.
                guard state.index[id] != nil else { return [] }
                state.recent.keep(item)
                return state.index.correct(id, size: read.size, nonce: read.nonce)
            }
            if !directory.isReadOnly { removeFiles(of: gone, directory) }
            return item
        } catch {
            drop(id, slot.name, error, directory)
            return nil
        }
    }

    /// Opens the body of an entry, and reads the beginning: so what is cut off or empty is found before anything is answered.
    func open(_ entry: CacheEntry, _ slot: DiskIndex.Slot, _ range: Range<Int64>, _ directory: StoreDirectory) -> (any BodySource)? {
        do throws(DiskFault) {
            let file = try directory.file(slot.name)
            // Another one may have come in its place, which has another head.
            guard let nonce = slot.nonce, try file.nonce() == nonce else { return nil }
            return try DiskBody(BodyBlocks(file: file, nonce: nonce, length: entry.length), range) { fault in
                self.lane.add { self.drop(entry.id, slot.name, fault, directory) }
            }
        } catch {
            lane.add { self.drop(entry.id, slot.name, error, directory) }
            return nil
        }
    }

    /// Gives an entry another head.
    func rewrite(_ entry: CacheEntry, _ directory: StoreDirectory) -> CacheEntry? {
        guard let slot = state.withLock({ $0.index[entry.id] }) else { return nil }
        do throws(DiskFault) {
            let file = try directory.file(slot.name, forWriting: true)
            guard let nonce = slot.nonce, let place = try file.place(ofHeadOf: nonce) else { return nil }
            // A file never becomes shorter: so the new head is written in one step.
            let head = EntryHead(key: slot.name.key, response: entry.response).encoded(atLeast: place.headLength)
            guard head.count <= EntryFormat.headLimit else {
                forget(entry.id, directory)
                return nil
            }
            let tail = EntryFormat.tail(head: head, bodyLength: place.bodyLength, nonce: nonce)
            try file.write(tail, at: place.headOffset)
            let gone = state.withLock { state -> [DiskIndex.Gone] in
                guard state.index[entry.id] != nil else { return [] }
                state.recent.update(entry)
                return state.index.correct(entry.id, size: place.headOffset + Int64(tail.count), nonce: nonce)
            }
            removeFiles(of: gone, directory)
            return entry
        } catch {
            // The old head may be overwritten in part.
            faults.report(error)
            forget(entry.id, directory)
            return nil
        }
    }

    /// Deals with an entry that can't be read.
    func drop(_ id: UInt64, _ name: EntryName, _ fault: DiskFault, _ directory: StoreDirectory) {
        switch fault {
        case .damaged:
            // Whoever may write may be writing it, and sees to it.
            guard !directory.isReadOnly else {
                forgetOnly(id)
                return
            }
            faults.report(fault)
            forget(id, directory)
        case .notAFile:
            faults.report(fault)
            forgetOnly(id)
        case .system where fault.isMissing: forgetOnly(id)
        // Such as too many open files: it may be there the next time.
        default: faults.report(fault)
        }
    }

    private func forget(_ id: UInt64, _ directory: StoreDirectory) {
        guard let gone = forgetOnly(id), !directory.isReadOnly else { return }
        removeFiles(of: [gone], directory)
    }

    @discardableResult
    private func forgetOnly(_ id: UInt64) -> DiskIndex.Gone? {
        state.withLock { state in
            state.recent.remove(id)
            return state.index.remove(id)
        }
    }

    /// Removes the files of entries that were forgotten, but for those that have been written again.
    func removeFiles(of gone: [DiskIndex.Gone], _ directory: StoreDirectory) {
        guard !gone.isEmpty else { return }
        let names = state.withLock { state in
            for entry in gone { state.recent.remove(entry.id) }
            return gone.map(\.name).filter { !state.index.contains($0) }
        }
        for name in names {
            do throws(DiskFault) { try directory.remove(name) } catch { faults.report(error) }
        }
    }
}
