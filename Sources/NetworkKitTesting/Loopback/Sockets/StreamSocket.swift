internal import PlatformBase

/// A connected socket, read and written by tasks. Its descriptor is closed once, and never used after that.
final class StreamSocket: Sendable {
    /// The most that one read takes, in bytes.
    static let readSize = 64 << 10

    private struct State {
        var descriptor: Int32?
        var tickets: Set<EventLoop.Ticket> = []
    }

    private let state: Lock<State>
    private let loop: EventLoop
    private let onClose: @Sendable () -> Void

    init(descriptor: Int32, loop: EventLoop, onClose: @escaping @Sendable () -> Void) {
        state = Lock(State(descriptor: descriptor))
        self.loop = loop
        self.onClose = onClose
    }

    /// What has arrived, at most ``readSize`` bytes, waiting for the first of them; nothing at the end of the client's side.
    func receive() async throws(LoopbackError) -> [UInt8] {
        while true {
            let (outcome, bytes) = try receiveAtOnce()
            switch outcome {
            case .bytes: return bytes
            case .wouldBlock: try await wait(for: .readable)
            case .failed: throw .clientGone
            }
        }
    }

    /// Forgets what has arrived, at most ``readSize`` bytes, without waiting; `false` when nothing has.
    func discardArrived() -> Bool {
        guard let (_, bytes) = try? receiveAtOnce() else { return false }
        return !bytes.isEmpty
    }

    /// Writes all of `bytes`, as fast as the client takes them.
    func send(_ bytes: some ContiguousBytes & Sendable) async throws(LoopbackError) {
        var offset = 0
        while true {
            let (outcome, isComplete) = try sendAtOnce(bytes, offset: &offset)
            if isComplete { return }
            switch outcome {
            case .bytes: continue
            case .wouldBlock: try await wait(for: .writable)
            case .failed: throw .clientGone
            }
        }
    }

    /// Sends FIN; what the client still sends can be read.
    func endWriting() {
        state.withLock { state in
            if let descriptor = state.descriptor { SocketCalls.endWriting(descriptor) }
        }
    }

    /// Closes the socket, with RST where the connection is to be broken and not ended. Tasks that wait on it get
    /// ``LoopbackError/connectionClosed``.
    func close(withReset: Bool = false) {
        let wasOpen = state.withLock { state in
            guard let descriptor = state.descriptor else { return false }
            state.descriptor = nil
            loop.cancel(state.tickets)
            if withReset { SocketCalls.lingerWithReset(descriptor) }
            PlatformBase.close(descriptor)
            return true
        }
        if wasOpen { onClose() }
    }

    private func receiveAtOnce() throws(LoopbackError) -> (SocketCalls.Transfer, [UInt8]) {
        try withDescriptor { descriptor in
            withUnsafeTemporaryAllocation(byteCount: Self.readSize, alignment: 16) { buffer in
                let outcome = SocketCalls.receive(descriptor, into: buffer)
                guard case .bytes(let count) = outcome else { return (outcome, []) }
                return (outcome, [UInt8](buffer[..<count]))
            }
        }
    }

    private func sendAtOnce(
        _ bytes: some ContiguousBytes & Sendable, offset: inout Int
    ) throws(LoopbackError) -> (SocketCalls.Transfer, isComplete: Bool) {
        let start = offset
        let (outcome, count) = try withDescriptor { descriptor in
            bytes.withUnsafeBytes { buffer -> (SocketCalls.Transfer, Int) in
                guard start < buffer.count else { return (.bytes(0), buffer.count) }
                return (SocketCalls.transmit(descriptor, UnsafeRawBufferPointer(rebasing: buffer[start...])), buffer.count)
            }
        }
        if case .bytes(let written) = outcome { offset += written }
        return (outcome, offset >= count)
    }

    /// Calls the system under the lock, so that the descriptor can't be closed at the same time. The calls never block.
    private func withDescriptor<Result: Sendable>(_ body: (Int32) -> Result) throws(LoopbackError) -> Result {
        let result = state.withLock { state in state.descriptor.map(body) }
        guard let result else { throw .connectionClosed }
        return result
    }

    private func wait(for direction: EventLoop.Direction) async throws(LoopbackError) {
        let ticket = loop.makeTicket()
        let readiness = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                // Registered under the socket's lock, so that the descriptor can't be closed, and its number used anew, in between.
                let isOpen = state.withLock { state in
                    guard let descriptor = state.descriptor else { return false }
                    state.tickets.insert(ticket)
                    loop.register(waiter, ticket: ticket, descriptor: descriptor, direction: direction)
                    return true
                }
                guard isOpen else { return waiter.resume(returning: EventLoop.Readiness.cancelled) }
                // Where the task was cancelled before the ticket was known to the loop, the handler below came too early.
                if Task.isCancelled { loop.cancel(CollectionOfOne(ticket)) }
            }
        } onCancel: {
            loop.cancel(CollectionOfOne(ticket))
        }
        state.withLock { _ = $0.tickets.remove(ticket) }
        guard readiness == .ready else { throw .connectionClosed }
    }
}
