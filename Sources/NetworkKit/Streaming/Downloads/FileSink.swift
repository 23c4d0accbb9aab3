internal import PlatformBase

/// Takes a download's bytes to its file, on the file-work threads, while the next ones come.
final class FileSink: Sendable {
    /// How many bytes may wait for the disk.
    private static let limit = 1 << 20

    private struct State {
        var waiting = 0
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
        let isBehind = try state.withLock { state throws(RequestError) in
            if let fault = state.fault { throw fault }
            state.waiting += data.count
            return state.waiting >= Self.limit
        }
        lane.add { [self] in write(data) }
        if isBehind { try await flush() }
    }

    private func write(_ data: Data) {
        guard state.withLock({ $0.fault == nil }) else { return }
        do throws(RequestError) {
            try file.append(data)
            state.withLock { $0.waiting -= data.count }
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
        try await lane.run { [self] () throws(RequestError) in
            if let fault = state.withLock({ $0.fault }) { throw fault }
            return try work(file)
        }
    }

    /// Does something with the file when all is written that can be.
    nonisolated(nonsending) func end<Value: Sendable>(_ work: @escaping @Sendable (PartialFile) -> Value) async -> Value? {
        try? await lane.run { [file] () throws(RequestError) in work(file) }
    }
}
