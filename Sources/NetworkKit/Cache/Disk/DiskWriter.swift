internal import PlatformBase

/// A body on its way to a disk: into a file with a temporary name, which becomes the entry's when all is written.
///
/// It is written in pieces, so that no more than one is held; a body that is no longer is written when it is whole.
final class DiskWriter: CacheWriter {
    /// How much is written at once.
    static let pieceSize = 4 * EntryFormat.blockSize

    /// What is to be made of it.
    struct Target: Sendable {
        let key: SipHash.Value
        let response: StoredResponse
    }

    private struct State: Sendable {
        /// What hasn't been written.
        var pending = Data()
        var length: Int64 = 0
        /// The file, unless it is being written to.
        var partial: PartialEntry?
        var isOpen = true

        /// Closes it; nothing more is taken.
        mutating func close() -> (Data, PartialEntry?)? {
            guard isOpen else { return nil }
            isOpen = false
            defer { pending = Data() }
            return (pending, partial.take())
        }
    }

    private enum Step: Sendable {
        case kept, refused
        case write(Data, PartialEntry?)
    }

    private let store: DiskStore
    private let directory: StoreDirectory
    private let target: Target
    private let state = Lock(State())

    init(_ store: DiskStore, _ directory: StoreDirectory, _ target: Target) {
        self.store = store
        self.directory = directory
        self.target = target
    }

    deinit { abandon() }

    nonisolated(nonsending) func append(_ bytes: Data) async -> Bool {
        let limit = store.limit
        let step = state.withLock { state -> Step in
            guard state.isOpen, state.length + Int64(bytes.count) <= limit else { return .refused }
            state.length += Int64(bytes.count)
            // A body of one piece, as most are, is kept uncopied.
            if state.pending.isEmpty { state.pending = bytes } else { state.pending.append(bytes) }
            guard state.pending.count >= Self.pieceSize else { return .kept }
            let count = state.pending.count / EntryFormat.blockSize * EntryFormat.blockSize
            let blocks = state.pending.prefix(count)
            state.pending = Data(state.pending.dropFirst(count))
            return .write(blocks, state.partial.take())
        }
        switch step {
        case .kept: return true
        case .refused:
            abandon()
            return false
        case .write(let blocks, let partial):
            let (store, directory) = (store, directory)
            guard let written = await store.onLane({ store.extend(partial, with: blocks, directory) }) else {
                _ = state.withLock { $0.close() }
                return false
            }
            // It may have been abandoned meanwhile, by somebody who saw no file.
            let isOpen = state.withLock { state in
                if state.isOpen { state.partial = written }
                return state.isOpen
            }
            if !isOpen { store.discard(written, directory) }
            return isOpen
        }
    }

    nonisolated(nonsending) func commit() async {
        guard let (rest, partial) = state.withLock({ $0.close() }) else { return }
        let (store, directory, target) = (store, directory, target)
        await store.onLane { store.commit(partial, rest, target, directory) }
    }

    func abandon() {
        guard let (_, partial) = state.withLock({ $0.close() }), let partial else { return }
        store.discard(partial, directory)
    }
}

/// A file that isn't an entry yet.
struct PartialEntry: Sendable {
    /// The number of the writing, which its name is made of.
    let nonce: UInt64
    let file: StoreFile
    /// How long the file is, which is what was reserved for it.
    var size: Int64 = 0
    /// How much of the body is in it.
    var length: Int64 = 0

    /// Some of a body as it lies in the file, and in front of the first the prologue.
    func framed(_ body: Data) -> [UInt8] {
        var bytes: [UInt8] = []
        let size = EntryFormat.blockSize
        bytes.reserveCapacity(body.count + (body.count / size + 1) * EntryFormat.checksumSize + 2048)
        if self.size == 0 { bytes += EntryFormat.prologue(nonce) }
        var number = length / Int64(size)
        body.withUnsafeBytes { body in
            for start in stride(from: 0, to: body.count, by: size) {
                let block = UnsafeRawBufferPointer(rebasing: body[start..<min(start + size, body.count)])
                EntryFormat.add(block: block, number: number, nonce: nonce, to: &bytes)
                number += 1
            }
        }
        return bytes
    }
}

/// The part of writing that runs in the store's lane.
extension DiskStore {
    /// Adds whole blocks to a file, which is made when there is none; `nil` when that can't be done: then the file is gone.
    func extend(_ partial: PartialEntry?, with body: Data, _ directory: StoreDirectory) -> PartialEntry? {
        write(partial, directory) {
            $0.framed(body)
        } length: {
            Int64(body.count)
        }
    }

    /// Writes the rest of a body and the head, and makes the file an entry.
    func commit(_ partial: PartialEntry?, _ rest: Data, _ target: DiskWriter.Target, _ directory: StoreDirectory) {
        let head = EntryHead(key: target.key, response: target.response).encoded()
        guard head.count <= EntryFormat.headLimit else {
            if let partial { discard(partial, directory) }
            return
        }
        let written = write(partial, directory) { partial in
            partial.framed(rest) + EntryFormat.tail(head: head, bodyLength: partial.length + Int64(rest.count), nonce: partial.nonce)
        } length: {
            Int64(rest.count)
        }
        guard let written else { return }
        let name = directory.name(target.key, target.response.variant)
        do throws(DiskFault) {
            try directory.rename(partial: written.nonce, to: name)
        } catch {
            faults.report(error)
            return discard(written, directory)
        }
        let gone = state.withLock { state in
            state.index.release(written.size)
            let added = state.index.add(name, size: written.size, nonce: written.nonce, now: Int64(time(nil)))
            if let replaced = added.replaced { state.recent.remove(replaced) }
            return added.gone
        }
        removeFiles(of: gone, directory)
    }

    private func write(
        _ partial: PartialEntry?, _ directory: StoreDirectory, _ bytes: (PartialEntry) -> [UInt8], length: () -> Int64
    ) -> PartialEntry? {
        var current = partial
        do throws(DiskFault) {
            var partial = if let partial { partial } else { try begin(directory) }
            current = partial
            let bytes = bytes(partial)
            guard let gone = state.withLock({ $0.index.reserve(Int64(bytes.count)) }) else {
                // Others are writing so much at the moment that there is no room.
                discard(partial, directory)
                return nil
            }
            let offset = partial.size
            partial.size += Int64(bytes.count)
            partial.length += length()
            current = partial
            removeFiles(of: gone, directory)
            try partial.file.write(bytes, at: offset)
            return partial
        } catch {
            faults.report(error)
            if let current { discard(current, directory) }
            return nil
        }
    }

    private func begin(_ directory: StoreDirectory) throws(DiskFault) -> PartialEntry {
        var random = SystemRandomNumberGenerator()
        let nonce: UInt64 = random.next()
        return PartialEntry(nonce: nonce, file: try directory.partial(nonce))
    }

    /// Removes a file that won't be an entry. Waits for nothing.
    func discard(_ partial: PartialEntry, _ directory: StoreDirectory) {
        lane.add {
            directory.remove(partial: partial.nonce)
            self.state.withLock { $0.index.release(partial.size) }
        }
    }
}
