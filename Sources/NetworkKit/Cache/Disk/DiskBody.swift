internal import PlatformBase

/// The body of an entry, read piece by piece. Each is checked before it is handed on; where one is damaged, reading fails with
/// ``RequestError/integrity(_:)`` and the entry goes.
final class DiskBody: BodySource {
    let expectedLength: Int64?
    private let range: Range<Int64>
    private let failed: @Sendable (DiskFault) -> Void
    private let state: Lock<State>

    private struct State: Sendable {
        /// `nil` when nothing more is to be read.
        var blocks: BodyBlocks?
        var position: Int64
        /// What was read already.
        var first: Data?
    }

    /// Reads the first piece.
    ///
    /// - Parameters:
    ///   - range: which bytes of the body; not empty.
    ///   - failed: told of what ends the reading.
    init(_ blocks: BodyBlocks, _ range: Range<Int64>, failed: @escaping @Sendable (DiskFault) -> Void) throws(DiskFault) {
        expectedLength = Int64(range.count)
        self.range = range
        self.failed = failed
        let first = try blocks.read(from: range.lowerBound, to: range.upperBound)
        state = Lock(State(blocks: blocks, position: range.lowerBound + Int64(first.count), first: first))
    }

    func next(isolation: isolated (any Actor)?) async throws(RequestError) -> Data? {
        let (first, blocks, position) = state.withLock { ($0.first.take(), $0.blocks, $0.position) }
        if let first { return first }
        guard let blocks, position < range.upperBound else { return nil }
        let end = range.upperBound
        let piece = await Waiter.wait(isolation: isolation) { (waiter: Waiter<Result<Data, DiskFault>>) in
            FileWork.add {
                waiter.resume(Result { () throws(DiskFault) in try blocks.read(from: position, to: end) })
            }
        }
        switch piece {
        case .success(let bytes):
            state.withLock { $0.position += Int64(bytes.count) }
            return bytes
        case .failure(let fault):
            self.end()
            failed(fault)
            throw fault.error
        }
    }

    func end() {
        // The file is closed by whoever lets go of it last: a reading that is under way, or this.
        state.withLock { state in
            state.blocks = nil
            state.first = nil
        }
    }
}
