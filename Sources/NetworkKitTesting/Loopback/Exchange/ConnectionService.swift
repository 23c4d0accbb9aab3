internal import NetworkKit
internal import PlatformBase

/// Serves one connection from its first request to its end.
struct ConnectionService {
    let number: Int
    let socket: StreamSocket
    let routes: LoopbackRoutes
    let ledger: Ledger
    let limits: LoopbackServer.Limits
    let clock: any Clock<Duration>

    func run() async {
        let reader = RequestReader(socket: socket, headLimit: limits.headSize)
        switch await routes.decideOnConnection?(LoopbackConnection(number: number)) ?? .accept {
        case .accept: await serve(reader)
        case .reset: socket.close(withReset: true)
        case .close: break
        case .stall: try? await reader.discard()
        }
        socket.close()
    }

    private func serve(_ reader: RequestReader) async {
        var isReused = false
        do {
            while let head = try await reader.nextHead() {
                let request = ledger.record(head, connection: number, isReused: isReused)
                defer { ledger.recordAnswer() }
                let body = IncomingBody(head: head, number: request, reader: reader, socket: socket, ledger: ledger)
                let isKept = try await answer(head, number: request, isReused: isReused, body: body)
                guard isKept else { break }
                isReused = true
            }
        } catch .malformedRequest(let status, let reason) {
            ledger.record(.malformed(reason, status: status))
            let text = Data(reason.utf8)
            let fields: HTTPFields = ["Content-Type": "text/plain; charset=utf-8", "Content-Length": text.count, "Connection": "close"]
            try? await socket.send(HeadText.bytes(HTTPStatus(status), fields) + text)
            return await end(reader)
        } catch {
            return
        }
        if !reader.isDrained || socket.discardArrived() { await end(reader) }
    }

    /// Has the route answer. Returns whether the connection can carry another request.
    private func answer(
        _ head: RequestHead, number: Int, isReused: Bool, body: IncomingBody
    ) async throws(LoopbackError) -> Bool {
        let found = routes.route(head.method, path: RequestTarget(head.target).path)
        let request = LoopbackRequest(
            number: number, occurrence: found?.route.occurrences.next() ?? 1, method: head.method, target: head.target,
            headers: head.fields, parameters: found?.parameters ?? [:], connection: self.number, isReused: isReused, incoming: body,
            isOldVersion: head.isOldVersion, asksToKeepConnection: head.asksToKeepConnection)
        let exchange = LoopbackExchange(request: request, socket: socket)
        do {
            try await perform(found?.route.action ?? .answer { [routes] _ in .text(routes.summary, status: 404) }, exchange)
        } catch let error as LoopbackError where error.endsConnection {
            if case .malformedRequest = error, exchange.answer.hasBegun {
                ledger.record(error)
                return false
            }
            throw error
        } catch {
            guard !exchange.answer.hasBegun, !Task.isCancelled else { return false }
            try await fail(error, exchange)
        }
        return try await settle(exchange)
    }

    private func perform(_ action: LoopbackRoutes.Action, _ exchange: LoopbackExchange) async throws {
        switch action {
        case .answer(let handler):
            let response = try await handler(exchange.request)
            try await drainBeforeAnswer(exchange)
            try await ResponseWriter(exchange: exchange, clock: clock).write(response)
        case .stream(let handler):
            try await handler(exchange)
            let answer = exchange.answer
            if !answer.hasBegun { throw LoopbackError.misuse("the route returned without an answer") }
            if !answer.isFinished { try await exchange.finish() }
        }
    }

    private func fail(_ error: any Error, _ exchange: LoopbackExchange) async throws(LoopbackError) {
        let text = Data(String(describing: error).utf8)
        try await drainBeforeAnswer(exchange)
        let head = try exchange.makeHead(
            500, ["Content-Type": "text/plain; charset=utf-8"], length: text.count, isChunked: false, closing: .none)
        try await exchange.write(head + exchange.makePiece(text) + exchange.makeEnd(trailers: [:]))
    }

    /// The content that no route has read, so that the record is whole when the client has its answer. A client that waits for
    /// a 100 isn't asked for it.
    private func drainBeforeAnswer(_ exchange: LoopbackExchange) async throws(LoopbackError) {
        if exchange.request.incoming.awaitsContinue { return }
        if try await !exchange.request.incoming.drain(upTo: limits.drainedBodySize) { exchange.closeConnectionAfterwards() }
    }

    private func settle(_ exchange: LoopbackExchange) async throws(LoopbackError) -> Bool {
        guard exchange.answer.connection == .keep else { return false }
        return try await exchange.request.incoming.drain(upTo: limits.drainedBodySize)
    }

    /// Ends the connection, where the client may still be sending, so that the last answer arrives: a socket that is closed with
    /// unread bytes sends RST, which takes the answer from the client's buffer (RFC 9112 §9.6).
    private func end(_ reader: RequestReader) async {
        socket.endWriting()
        await withTaskGroup { [limit = limits.drainedBodySize, socket] group in
            group.addTask { try? await reader.discard(upTo: limit) }
            group.addTask {
                try? await Task.sleep(for: .seconds(1))
                // Wakes the other task, where it still waits.
                if !Task.isCancelled { socket.close() }
            }
            await group.next()
            group.cancelAll()
        }
        socket.close()
    }
}

extension LoopbackError {
    /// Whether nothing can be said on the connection any more, or only that the request was malformed.
    fileprivate var endsConnection: Bool {
        switch self {
        case .malformedRequest, .clientGone, .connectionClosed: true
        case .system, .bodyTooLarge, .misuse: false
        }
    }
}
