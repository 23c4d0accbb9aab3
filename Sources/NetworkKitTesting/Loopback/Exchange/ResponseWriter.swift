internal import NetworkKit
internal import PlatformBase

/// Plays an answer, with all that is to go wrong in it.
struct ResponseWriter {
    let exchange: LoopbackExchange
    let clock: any Clock<Duration>
    /// Pieces up to this size, in bytes, go out together with the head: one call of the system, one segment.
    private static let joinLimit = 64 << 10

    func write(_ response: LoopbackResponse) async throws {
        let script = response.script
        if let delay = script.delay { try await pause(delay) }
        switch script.opening {
        case .head: try await writeWhole(response)
        case .stall: await stall()
        case .reset: exchange.reset()
        case .close: exchange.breakOff()
        case .raw(let bytes, let thenClose): try await exchange.sendRaw(bytes, keepsConnection: !thenClose)
        }
    }

    private func writeWhole(_ response: LoopbackResponse) async throws {
        for interim in response.interims { try await exchange.sendInterim(interim.status, interim.headers) }
        let length = response.trailers.isEmpty ? response.body.length : nil
        var pending = try exchange.makeHead(
            response.status, response.headers, length: length, isChunked: response.isChunked, closing: response.script.closing)
        if exchange.answer.hasBody {
            guard try await writeBody(response, &pending) else { return }
        }
        pending.append(try exchange.makeEnd(trailers: response.trailers))
        try await exchange.write(pending)
    }

    /// Writes the body, but for what is left in `pending`; `false` when the answer has broken off.
    private func writeBody(_ response: LoopbackResponse, _ pending: inout Data) async throws -> Bool {
        var pieces = response.body.makeIterator()
        // A piece that has to be waited for must not hold the head back.
        if case .sequence = response.body { try await flush(&pending) }
        if let end = response.script.breakOff, end.bodyBytes == 0 { return try await breakOff(end.ending, &pending) }
        var sent = 0
        var isFirst = true
        while let piece = try await pieces.next() {
            if let interval = response.script.dripInterval {
                try await flush(&pending)
                if !isFirst { try await pause(interval) }
                isFirst = false
            }
            if let end = response.script.breakOff, sent + piece.count >= end.bodyBytes {
                pending.append(try exchange.makePiece(piece, cutAt: end.bodyBytes - sent))
                return try await breakOff(end.ending, &pending)
            }
            sent += piece.count
            let bytes = try exchange.makePiece(piece)
            if pending.count + bytes.count > Self.joinLimit { try await flush(&pending) }
            if pending.isEmpty { pending = bytes } else { pending.append(bytes) }
            if case .data = response.body { continue }
            try await flush(&pending)
        }
        return true
    }

    private func flush(_ pending: inout Data) async throws {
        try await exchange.write(pending)
        pending = Data()
    }

    private func breakOff(_ ending: FaultScript.Ending, _ pending: inout Data) async throws -> Bool {
        try await flush(&pending)
        switch ending {
        case .close: exchange.breakOff()
        case .reset: exchange.reset()
        case .stall: await stall()
        }
        return false
    }

    /// Says nothing until the client goes or the server stops.
    private func stall() async {
        try? await exchange.request.incoming.reader.discard()
        exchange.close()
    }

    /// Waits by the server's clock, but no longer than the client does.
    private func pause(_ duration: Duration) async throws {
        try await withThrowingTaskGroup(of: Bool.self) { [clock, reader = exchange.request.incoming.reader] group in
            group.addTask {
                try await clock.sleep(for: duration)
                return true
            }
            group.addTask {
                try await reader.waitForEnd()
                return false
            }
            defer { group.cancelAll() }
            if try await group.next() == false { throw LoopbackError.clientGone }
        }
    }
}
