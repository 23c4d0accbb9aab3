internal import PlatformBase

/// Keeps a list of a call's attempts from what its requests report.
final class AttemptJournal: Sendable {
    private struct State {
        var attempts: [RequestAttempt] = []
        var secrets = SecretValues()
    }

    private let clock: CallClock
    private let start: Duration
    private let state = Lock(State())

    init(_ clock: CallClock) {
        self.clock = clock
        start = clock.now
    }

    func take(_ event: TransportEvent) {
        switch event {
        case .sending(let request):
            let now = clock.now - start
            state.withLock { state in
                state.attempts.append(RequestAttempt(startedAfter: now, duration: .zero, status: nil, outcome: ""))
                // What interceptors further in added, such as a token, must be masked as well.
                state.secrets.formUnion(request.allSecrets)
            }
        case .answered(let head): end(head.status, "\(head.status)")
        case .failed(let error): end(error.response?.head.status, error.caseName)
        default: break
        }
    }

    private func end(_ status: HTTPStatus?, _ outcome: String) {
        let now = clock.now - start
        state.withLock { state in
            guard let last = state.attempts.indices.last else { return }
            state.attempts[last].duration = now - state.attempts[last].startedAfter
            state.attempts[last].status = status
            state.attempts[last].outcome = outcome
        }
    }

    var attempts: [RequestAttempt] { state.withLock { $0.attempts } }

    /// Every secret that a request of the call was sent with.
    func secrets(with request: HTTPRequest) -> SecretValues {
        var secrets = request.allSecrets
        secrets.formUnion(state.withLock { $0.secrets })
        return secrets
    }
}

/// Two listeners as one.
enum Fanout {
    static func of(
        _ first: (@Sendable (TransportEvent) -> Void)?, _ second: @escaping @Sendable (TransportEvent) -> Void
    ) -> @Sendable (TransportEvent) -> Void {
        guard let first else { return second }
        return { event in
            first(event)
            second(event)
        }
    }
}

/// The first bytes of a body that passed by.
final class PassedBytes: Sendable {
    private let limit: Int
    private let kept = Lock(Data())

    init(limit: Int) { self.limit = limit }

    var bytes: Data { kept.withLock { $0 } }

    func begin() { kept.withLock { $0 = Data() } }

    func take(_ chunk: Data) {
        kept.withLock { kept in
            if kept.count < limit { kept.append(chunk.prefix(limit - kept.count)) }
        }
    }
}

extension RequestBody {
    /// The same body, of which `passed` keeps the beginning while it is sent.
    func watched(by passed: PassedBytes) -> RequestBody {
        var body = self
        switch content {
        case .data(let data): passed.take(data)
        case .chunks(let length, let isReplayable, let open):
            body.content = .chunks(length: length, isReplayable: isReplayable) { () async throws(RequestError) in
                passed.begin()
                return AsyncReader(WatchedChunks(reader: try await open(), passed: passed))
            }
        case .value, .invalid: break
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
