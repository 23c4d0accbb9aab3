internal import PlatformBase

/// How much of a body that is sent passed by, and the first bytes of it.
final class PassedBytes: Sendable {
    private let limit: Int
    private let state = Lock((count: Int64(0), kept: Data()))

    init(limit: Int) { self.limit = limit }

    var bytes: Data { state.withLock { $0.kept } }
    var count: Int64 { state.withLock { $0.count } }

    func begin() { state.withLock { $0 = (0, Data()) } }

    func take(_ chunk: Data) {
        state.withLock { state in
            state.count += Int64(chunk.count)
            if state.kept.count < limit { state.kept.append(chunk.prefix(limit - state.kept.count)) }
        }
    }
}

extension RequestBody {
    /// The same body, of which `passed` keeps the beginning while it is sent.
    func watched(by passed: PassedBytes) -> RequestBody {
        var body = self
        if case .data(let data) = content { passed.take(data) }
        if let (length, isReplayable, open) = content.chunks {
            body.content = .chunks(length: length, isReplayable: isReplayable) { () async throws(RequestError) in
                passed.begin()
                return AsyncReader(WatchedChunks(reader: try await open(), passed: passed))
            }
        }
        return body
    }
}

/// Somebody's chunks on their way to the transport.
private struct WatchedChunks: AsyncSequence, Sendable {
    typealias Element = Data
    let reader: AsyncReader
    let passed: PassedBytes

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader: reader, passed: passed) }

    struct AsyncIterator: AsyncIteratorProtocol {
        let reader: AsyncReader
        let passed: PassedBytes

        mutating func next() async throws -> Data? { try await next(isolation: nil) }

        mutating func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
            let chunk = try await reader.next()
            if let chunk { passed.take(chunk) }
            return chunk
        }
    }
}
