internal import NetworkKit
internal import PlatformBase

/// The body of the request that a connection is at: read by the route, or drained when the route has not read it.
final class IncomingBody: Sendable {
    private struct State {
        /// Whether the client waits for a 100 before it sends the body.
        var awaitsContinue: Bool
        var collected: Data?
        var trailers: HTTPFields = [:]
    }

    private let state: Lock<State>
    let reader: RequestReader
    private let socket: StreamSocket
    private let ledger: Ledger
    private let number: Int

    init(head: RequestHead, number: Int, reader: RequestReader, socket: StreamSocket, ledger: Ledger) {
        self.reader = reader
        self.socket = socket
        self.ledger = ledger
        self.number = number
        state = Lock(State(awaitsContinue: head.expectsContinue && !reader.isBodyComplete))
        if reader.isBodyComplete { ledger.recordEnd(ofRequest: number, trailers: [:]) }
    }

    var isComplete: Bool { reader.isBodyComplete }
    var awaitsContinue: Bool { state.withLock { $0.awaitsContinue } }
    var trailers: HTTPFields { state.withLock { $0.trailers } }

    /// Gives the wait for a 100 up, because the answer goes out. Returns whether there was one: the client may then send the
    /// body or not, and nobody can tell where the next request begins (RFC 9110 §10.1.1).
    func answerBegins() -> Bool {
        state.withLock { state in
            defer { state.awaitsContinue = false }
            return state.awaitsContinue
        }
    }

    func nextChunk() async throws(LoopbackError) -> Data? {
        if answerBegins() { try await socket.send(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8)) }
        switch try await reader.nextBodyEvent() {
        case .data(let data):
            ledger.record(data, ofRequest: number)
            if reader.isBodyComplete { ledger.recordEnd(ofRequest: number, trailers: [:]) }
            return data
        case .end(let trailers):
            if !trailers.isEmpty { state.withLock { $0.trailers = trailers } }
            ledger.recordEnd(ofRequest: number, trailers: trailers)
            return nil
        }
    }

    /// All of the body that has not been read otherwise. Asked again it gives the same.
    func collect(upTo limit: Int) async throws(LoopbackError) -> Data {
        if let collected = state.withLock({ $0.collected }) { return collected }
        var result = Data()
        while let chunk = try await nextChunk() {
            guard result.count + chunk.count <= limit else { throw .bodyTooLarge(limit: limit) }
            result.append(chunk)
        }
        state.withLock { [result] in $0.collected = result }
        return result
    }

    /// Reads the rest, unless it is longer than `limit`, for the record and so that the next request can be read.
    ///
    /// - Returns: whether the body has been read to its end.
    func drain(upTo limit: Int) async throws(LoopbackError) -> Bool {
        var count = 0
        while !isComplete {
            guard count <= limit else { return false }
            guard let chunk = try await nextChunk() else { break }
            count += chunk.count
        }
        return true
    }
}
