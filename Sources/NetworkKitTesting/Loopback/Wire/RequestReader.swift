internal import NetworkKit
internal import PlatformBase

/// Reads the requests of one connection, one after the other.
final class RequestReader: Sendable {
    private struct State {
        var queue = ByteQueue()
        var head: LineSection
        var body: BodyDecoder?
        /// Whether the client has ended its side.
        var hasEnded = false
    }

    private let state: Lock<State>
    private let socket: StreamSocket
    private let headLimit: Int

    init(socket: StreamSocket, headLimit: Int) {
        self.socket = socket
        self.headLimit = headLimit
        state = Lock(State(head: LineSection(limit: headLimit)))
    }

    /// The next request's head, or `nil` when the client ended its side between two requests. The body of the one before must
    /// have been read.
    func nextHead() async throws(LoopbackError) -> RequestHead? {
        while true {
            let (lines, hasEnded, isAtBoundary) = try state.withLock { state throws(LoopbackError) in
                let lines = try state.head.next(from: &state.queue, skipsEmptyFirst: true)
                if lines != nil { state.head = LineSection(limit: headLimit) }
                return (lines, state.hasEnded, state.queue.isEmpty && state.head.lines.isEmpty)
            }
            if let lines {
                let head = try RequestHead(lines: lines)
                let body = BodyDecoder(try BodyFraming(head), limit: headLimit)
                state.withLock { $0.body = body }
                return head
            }
            if hasEnded {
                if isAtBoundary { return nil }
                throw .clientGone
            }
            try await receive()
        }
    }

    /// The next piece of the body, or the trailers at its end.
    func nextBodyEvent() async throws(LoopbackError) -> BodyDecoder.Event {
        while true {
            let (event, hasEnded) = try state.withLock { state throws(LoopbackError) in
                (try state.body?.next(from: &state.queue) ?? (state.body == nil ? .end(trailers: [:]) : nil), state.hasEnded)
            }
            if let event { return event }
            if hasEnded { throw .clientGone }
            try await receive()
        }
    }

    /// Whether the body has been read to its end.
    var isBodyComplete: Bool {
        state.withLock { $0.body?.isComplete ?? true }
    }

    /// Whether all that has arrived has been read, and nothing more of a request is to come.
    var isDrained: Bool {
        state.withLock { ($0.body?.isComplete ?? true) && $0.queue.isEmpty }
    }

    /// Returns when the client has closed its side. What it sends in the meantime is kept, up to one read's size; a client that
    /// sends more than that is no longer watched.
    func waitForEnd() async throws(LoopbackError) {
        while true {
            let (hasEnded, isFull) = state.withLock { ($0.hasEnded, $0.queue.count >= StreamSocket.readSize) }
            if hasEnded { return }
            if isFull { try await waitForCancellation() }
            try await receive()
        }
    }

    /// Takes in and forgets all that the client sends, until it ends its side, or `limit` bytes have gone by.
    func discard(upTo limit: Int = .max) async throws(LoopbackError) {
        var count = 0
        while count < limit, !state.withLock({ $0.hasEnded }) {
            let bytes = try await socket.receive()
            if bytes.isEmpty { state.withLock { $0.hasEnded = true } }
            count += bytes.count
        }
    }

    private func receive() async throws(LoopbackError) {
        let bytes = try await socket.receive()
        state.withLock { state in
            if bytes.isEmpty {
                state.hasEnded = true
            } else {
                state.queue.append(bytes)
            }
        }
    }

    private func waitForCancellation() async throws(LoopbackError) {
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
        throw .connectionClosed
    }
}
