internal import NetworkKit
internal import PlatformBase

/// The body of a stub's answer, made while it is read: pauses and faults come where the script has them.
struct StubBody: AsyncSequence, Sendable {
    typealias Element = Data
    typealias Failure = RequestError

    let body: StubAnswer.Body
    let script: StubScript
    let silence: StubSilence
    /// Told how many bytes have come, and whether that is all.
    let progress: @Sendable (_ bytes: Int, _ isEnd: Bool) -> Void

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

    struct AsyncIterator: AsyncIteratorProtocol {
        private let source: StubBody
        private var pieces: ArraySlice<Data> = []
        private var chunks: RequestBody.Chunks.AsyncIterator?
        private var place = 0
        private var count = 0
        private var isEnded = false

        init(_ source: StubBody) {
            self.source = source
            switch source.body {
            case .pieces(let pieces, _): self.pieces = pieces[...]
            case .sequence(let sequence, _): chunks = sequence.makeAsyncIterator()
            case .value, .failure, .response: break
            }
        }

        mutating func next() async throws(RequestError) -> Data? { try await next(isolation: nil) }

        mutating func next(isolation actor: isolated (any Actor)?) async throws(RequestError) -> Data? {
            guard !isEnded else { return nil }
            do {
                if let piece = try await piece(isolation: actor) { return piece }
                end()
                return nil
            } catch {
                end()
                throw error
            }
        }

        private mutating func piece(isolation actor: isolated (any Actor)?) async throws(RequestError) -> Data? {
            let bound = source.script.breakOff?.bodyBytes ?? .max
            if count == bound { try await breakOff(isolation: actor) }
            guard let whole = try await read(isolation: actor) else { return nil }
            if let pause = source.script.pauses.indices.contains(place) ? source.script.pauses[place] : nil, pause > .zero {
                try await source.silence.wait(pause)
            } else if place > 0, let interval = source.script.interval {
                try await source.silence.wait(interval)
            }
            place += 1
            let piece = Data(whole.prefix(bound - count))
            count += piece.count
            guard !piece.isEmpty else { return try await self.piece(isolation: actor) }
            source.progress(count, false)
            return piece
        }

        private mutating func read(isolation actor: isolated (any Actor)?) async throws(RequestError) -> Data? {
            if let piece = pieces.popFirst() { return piece }
            guard chunks != nil else { return nil }
            do {
                return try await chunks?.next(isolation: actor)
            } catch {
                throw RequestError(thrown: error)
            }
        }

        private func breakOff(isolation actor: isolated (any Actor)?) async throws(RequestError) {
            switch source.script.breakOff?.ending {
            case nil: break
            case .cut: throw .connection(.init(.init(kind: .truncated), reason: "the stub ends the body after \(count) bytes"))
            case .reset: throw .connection(.init(.init(kind: .reset), reason: "the stub breaks the connection after \(count) bytes"))
            case .fail(let error): throw error
            case .stall: try await source.silence.wait(nil)
            }
        }

        private mutating func end() {
            isEnded = true
            source.progress(count, true)
        }
    }
}
