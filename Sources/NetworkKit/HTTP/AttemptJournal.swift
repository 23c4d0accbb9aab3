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
