internal import PlatformBase

/// Reads somebody else's sequence of chunks from one place: an actor, since an iterator is neither Sendable nor safe to be asked
/// twice at once.
actor AsyncReader {
    private var iterator: (any AsyncIteratorProtocol)?
    private let make: @Sendable () -> any AsyncIteratorProtocol
    private var isStarted = false
    private var isEnded = false

    init<Chunks: AsyncSequence & Sendable>(_ chunks: Chunks) where Chunks.Element == Data {
        make = { chunks.makeAsyncIterator() }
    }

    /// The next chunk; `nil` at the end, after ``end()``, and to whoever asks while another is being answered.
    func next() async throws -> Data? {
        if !isStarted {
            isStarted = true
            iterator = make()
        }
        guard !isEnded, var current = iterator else { return nil }
        iterator = nil
        let chunk = try await current.next(isolation: self) as? Data
        iterator = chunk == nil || isEnded ? nil : current
        return chunk
    }

    /// Lets go of the sequence.
    nonisolated func end() {
        Task { await self.letGo() }
    }

    private func letGo() {
        isEnded = true
        iterator = nil
    }
}
