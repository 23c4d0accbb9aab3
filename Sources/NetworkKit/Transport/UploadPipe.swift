internal import PlatformBase

/// The bytes of a request's body on their way to the network: chunks go in on a task that waits when many are held, and are read
/// where they are sent, by whom there may be nothing for yet.
final class UploadPipe: UploadSource {
    private struct State {
        var chunks: ArraySlice<Data> = []
        var offset = 0
        var held = 0
        var end: Result<Void, RequestError>?
        var isReaderWaiting = false
        var producer: CheckedContinuation<Void, Never>?
    }

    private static let highWater = 256 * 1024

    private let state: Lock<State>
    /// Tells the reader that there is something to read again.
    private let notify: @Sendable () -> Void

    /// A pipe that is filled from the outset.
    init(_ data: Data) {
        state = Lock(State(chunks: data.isEmpty ? [] : [data], held: data.count, end: .success(())))
        notify = {}
    }

    init(notify: @escaping @Sendable () -> Void) {
        state = Lock(State())
        self.notify = notify
    }

    // MARK: The task's side

    /// Fills the pipe from its source: what the body promised, no more and no less.
    func fill(length: Int64?, from open: @Sendable () async throws(RequestError) -> AsyncReader) async {
        // Nobody wants a body any more that hasn't been begun: what can be read once stays whole.
        guard !isEnded else { return }
        do throws(RequestError) {
            try await Self.read(length: length, from: open) { chunk in
                await put(chunk)
                return !isEnded
            }
            end(.success(()))
        } catch {
            end(.failure(error))
        }
    }

    /// Reads a body to its end, or until `take` says that nobody wants more.
    ///
    /// - Throws: what the source does, and ``RequestError/encode(_:)`` when it has more or fewer bytes than it promised.
    static func read(
        length: Int64?, from open: @Sendable () async throws(RequestError) -> AsyncReader, into take: (Data) async -> Bool
    ) async throws(RequestError) {
        let reader = try await open()
        var count: Int64 = 0
        // What completes the promised length is held back until the source has ended: once the last byte is out, the server
        // has a whole request, and it would be too late to find that there is more.
        var last: Data?
        while let chunk = try await next(of: reader) {
            count += Int64(chunk.count)
            if let length, count > length { throw .bodyTooLong(promised: length) }
            if chunk.isEmpty { continue }
            if count == length { last = chunk } else if await !take(chunk) { return }
        }
        if let length, count < length { throw .bodyTooShort(count, promised: length) }
        if let last { _ = await take(last) }
    }

    private static func next(of reader: AsyncReader) async throws(RequestError) -> Data? {
        do {
            return try await reader.next()
        } catch let error as RequestError {
            throw error
        } catch is CancellationError {
            throw .cancelled
        } catch {
            throw .encode(.init(reason: "the body stream failed: \(error)", underlying: error))
        }
    }

    private func put(_ chunk: Data) async {
        let (wakesReader, isFull) = state.withLock { state -> (Bool, Bool) in
            guard state.end == nil else { return (false, false) }
            state.chunks.append(chunk)
            state.held += chunk.count
            defer { state.isReaderWaiting = false }
            return (state.isReaderWaiting, state.held >= Self.highWater)
        }
        if wakesReader { notify() }
        guard isFull else { return }
        await withCheckedContinuation { continuation in
            let goesOn = state.withLock { state -> Bool in
                guard state.end == nil, state.held >= Self.highWater else { return true }
                state.producer = continuation
                return false
            }
            if goesOn { continuation.resume() }
        }
    }

    private var isEnded: Bool { state.withLock { $0.end != nil } }

    /// Ends the pipe: all is in, the source failed, or nobody reads any more.
    func end(_ result: Result<Void, RequestError>) {
        let (wakesReader, producer) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
            guard state.end == nil else { return (false, nil) }
            state.end = result
            defer { state.isReaderWaiting = false }
            return (state.isReaderWaiting, state.producer.take())
        }
        producer?.resume()
        if wakesReader { notify() }
    }

    // MARK: The reader's side

    func read(into buffer: UnsafeMutableRawBufferPointer) -> UploadReading {
        let (reading, producer) = state.withLock { state -> (UploadReading, CheckedContinuation<Void, Never>?) in
            if case .failure(let error) = state.end { return (.failure(error), nil) }
            var filled = 0
            while filled < buffer.count, let chunk = state.chunks.first {
                let count = min(buffer.count - filled, chunk.count - state.offset)
                chunk.withUnsafeBytes { bytes in
                    let part = UnsafeRawBufferPointer(rebasing: bytes[state.offset..<(state.offset + count)])
                    UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]).copyMemory(from: part)
                }
                filled += count
                state.offset += count
                if state.offset == chunk.count {
                    state.chunks.removeFirst()
                    state.offset = 0
                }
            }
            state.held -= filled
            if filled == 0 {
                guard state.end == nil else { return (.end, nil) }
                state.isReaderWaiting = true
                return (.nothingYet, nil)
            }
            return (.bytes(filled), state.held < Self.highWater ? state.producer.take() : nil)
        }
        producer?.resume()
        return reading
    }
}
