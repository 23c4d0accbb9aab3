internal import PlatformBase

/// Takes a download's bytes to its file, on the file-work threads, while the next ones come. One task adds them.
///
/// They go there some at a time: to wake a thread costs as much as to write a piece. What is little, as over a slow line, doesn't wait long
/// for that, since a process that is killed loses it.
final class FileSink: Sendable {
    /// How many bytes are written at once, or how many pieces, if those are less.
    private static let batchSize = 1 << 20
    private static let batchPieces = 16

    private struct State {
        var batch: [Data] = []
        var size = 0
        /// The batch that was handed on last. There is one more at most that isn't written.
        var last: OneShot<Void>?
        var fault: RequestError?
    }

    private let file: PartialFile
    private let lane = FileLane()
    private let state = Lock(State())

    init(_ file: PartialFile) { self.file = file }

    /// Adds bytes. It waits while the disk is behind.
    ///
    /// - Throws: why bytes that were added earlier couldn't be written.
    nonisolated(nonsending) func append(_ data: Data) async throws(RequestError) {
        let isFull = try state.withLock { state throws(RequestError) in
            if let fault = state.fault { throw fault }
            state.batch.append(data)
            state.size += data.count
            return state.size >= Self.batchSize || state.batch.count >= Self.batchPieces
        }
        if isFull { await handOn()?.value() }
    }

    /// Hands on what has gathered; gives the batch before.
    private func handOn() -> OneShot<Void>? {
        let done = OneShot<Void>()
        let (batch, before) = state.withLock { state -> ([Data], OneShot<Void>?) in
            guard !state.batch.isEmpty else { return ([], nil) }
            defer {
                (state.batch, state.size) = ([], 0)
                state.last = done
            }
            return (state.batch, state.last)
        }
        guard !batch.isEmpty else { return nil }
        lane.add { [self] in
            write(batch)
            done.resolve(())
        }
        return before
    }

    private func write(_ batch: [Data]) {
        guard state.withLock({ $0.fault == nil }) else { return }
        do throws(RequestError) {
            for data in batch { try file.append(data) }
        } catch {
            state.withLock { $0.fault = error }
        }
    }

    /// Waits until all is written.
    nonisolated(nonsending) func flush() async throws(RequestError) { try await run { _ in } }

    /// Does something with the file when all is written.
    ///
    /// - Throws: what that throws, and why bytes couldn't be written.
    nonisolated(nonsending) func run<Value: Sendable>(
        _ work: @escaping @Sendable (PartialFile) throws(RequestError) -> Value
    ) async throws(RequestError) -> Value {
        _ = handOn()
        return try await lane.run { [self] () throws(RequestError) in
            if let fault = state.withLock({ $0.fault }) { throw fault }
            return try work(file)
        }
    }

    /// Does something with the file when all is written that can be, and lets go of it: who has waited may begin with it anew.
    nonisolated(nonsending) func end(_ work: @escaping @Sendable (PartialFile) -> Void) async {
        _ = handOn()
        try? await lane.run { [file] () throws(RequestError) in
            work(file)
            file.unlock()
        }
    }
}
