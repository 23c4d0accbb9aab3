public import NetworkKit
public import PlatformBase

/// A request and its answer, step by step: for an echo that answers while the request is still coming, for an answer before the
/// upload's end, for anything that a ``LoopbackResponse`` can't say.
///
/// ```swift
/// routes.stream(.post, "/echo") { exchange in
///     try await exchange.sendHead(200)
///     while let chunk = try await exchange.readChunk() { try await exchange.send(chunk) }
///     try await exchange.finish()
/// }
/// ```
///
/// Reading and writing may go on in two tasks; two that read, or two that write, get in each other's way.
/// All calls throw ``LoopbackError/clientGone`` or ``LoopbackError/connectionClosed`` when the connection is gone, and
/// ``LoopbackError/misuse(_:)`` when they come in an impossible order. When the route returns, an answer that was begun is
/// finished; one that was not is a 500. When it throws, an answer that was begun is broken off with FIN.
public final class LoopbackExchange: Sendable {
    /// The request. Its content can be read through it as well, in one piece.
    public let request: LoopbackRequest

    private let socket: StreamSocket
    private let state: Lock<AnswerState>

    init(request: LoopbackRequest, socket: StreamSocket) {
        self.request = request
        self.socket = socket
        state = Lock(
            AnswerState(
                isHead: request.method == .head, isOldVersion: request.isOldVersion,
                asksToKeepConnection: request.asksToKeepConnection))
    }

    /// The next piece of the request's content, at most 64 KiB; `nil` at its end. What isn't asked for is not read: a client
    /// that sends faster than that is held back. The first call answers `Expect: 100-continue`.
    public func readChunk() async throws(LoopbackError) -> Data? {
        try await request.incoming.nextChunk()
    }

    /// Sends an interim answer: 103, 102, or 100 out of turn. A client of HTTP/1.0 gets none.
    public func sendInterim(_ status: HTTPStatus, _ headers: HTTPFields = [:]) async throws(LoopbackError) {
        try await send { state throws(LoopbackError) in try state.interim(status, headers) }
    }

    /// Sends the head. Without a `Content-Length` the body is chunked; for a client of HTTP/1.0 it ends with the connection.
    public func sendHead(_ status: HTTPStatus, _ headers: HTTPFields = [:]) async throws(LoopbackError) {
        let head = try makeHead(status, headers, length: nil, isChunked: false, closing: .none)
        try await socket.send(head)
    }

    /// Sends a piece of the body, a chunk of its own where the body is chunked, and returns when the system has taken it.
    public func send(_ data: Data) async throws(LoopbackError) {
        try await send { state throws(LoopbackError) in try state.piece(data) }
    }

    /// Sends a piece of the body as text.
    public func send(_ text: String) async throws(LoopbackError) {
        try await send(Data(text.utf8))
    }

    /// Ends the body. Trailers go out when it is chunked.
    public func finish(trailers: HTTPFields = [:]) async throws(LoopbackError) {
        try await send { state throws(LoopbackError) in try state.end(trailers: trailers) }
    }

    /// Sends bytes as they are, at any time. The connection is closed when the route returns.
    public func sendRaw(_ bytes: Data) async throws(LoopbackError) {
        try await sendRaw(bytes, keepsConnection: false)
    }

    /// Sends the bytes of a text as they are, at any time. The connection is closed when the route returns.
    public func sendRaw(_ text: String) async throws(LoopbackError) {
        try await sendRaw(Data(text.utf8))
    }

    /// Breaks the connection with RST, at once.
    public func reset() {
        state.withLock { $0.breakOff() }
        socket.close(withReset: true)
    }

    /// Ends the connection with FIN, at once, wherever the answer is.
    public func close() {
        state.withLock { $0.breakOff() }
        socket.close()
    }
}

extension LoopbackExchange {
    var answer: AnswerState { state.withLock { $0 } }

    func closeConnectionAfterwards() { state.withLock { $0.closeConnection() } }
    func breakOff() { state.withLock { $0.breakOff() } }

    func makeHead(
        _ status: HTTPStatus, _ headers: HTTPFields, length: Int?, isChunked: Bool, closing: FaultScript.Closing
    ) throws(LoopbackError) -> Data {
        if request.incoming.answerBegins() { closeConnectionAfterwards() }
        return try state.withLock { state throws(LoopbackError) in
            try state.head(status, headers, length: length, isChunked: isChunked, closing: closing)
        }
    }

    func makePiece(_ data: Data, cutAt: Int? = nil) throws(LoopbackError) -> Data {
        try state.withLock { state throws(LoopbackError) in try state.piece(data, cutAt: cutAt) }
    }

    func makeEnd(trailers: HTTPFields) throws(LoopbackError) -> Data {
        try state.withLock { state throws(LoopbackError) in try state.end(trailers: trailers) }
    }

    func sendRaw(_ bytes: Data, keepsConnection: Bool) async throws(LoopbackError) {
        try await send { state throws(LoopbackError) in
            state.sentRaw(keepsConnection: keepsConnection)
            return bytes
        }
    }

    func write(_ bytes: Data) async throws(LoopbackError) {
        if !bytes.isEmpty { try await socket.send(bytes) }
    }

    private func send(_ next: (inout AnswerState) throws(LoopbackError) -> Data) async throws(LoopbackError) {
        try await write(try state.withLock { state throws(LoopbackError) in try next(&state) })
    }
}
