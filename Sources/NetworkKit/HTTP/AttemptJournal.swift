/// Keeps a list of a call's attempts from what its requests report. It notes, and nothing more: words are made of it when somebody asks.
struct AttemptJournal: Sendable {
    private struct Attempt: Sendable {
        let request: HTTPRequest
        let start: Duration
        var end: Duration
        var outcome: Result<HTTPStatus, RequestError>?
    }

    private var noted: [Attempt] = []

    mutating func take(_ event: TransportEvent, at now: Duration) {
        switch event {
        case .sending(let request): noted.append(Attempt(request: request, start: now, end: now))
        case .answered(let head): end(.success(head.status), now)
        case .failed(let error): end(.failure(error), now)
        default: break
        }
    }

    private mutating func end(_ outcome: Result<HTTPStatus, RequestError>, _ now: Duration) {
        guard let last = noted.indices.last else { return }
        noted[last].end = now
        noted[last].outcome = outcome
    }

    /// The attempts, in times since `start`.
    func attempts(since start: Duration) -> [RequestAttempt] {
        noted.map { attempt in
            let status: HTTPStatus?
            let words: String
            switch attempt.outcome {
            case .success(let answer): (status, words) = (answer, "\(answer)")
            case .failure(let error): (status, words) = (error.response?.head.status, error.caseName)
            case nil: (status, words) = (nil, "")
            }
            return RequestAttempt(
                startedAfter: attempt.start - start, duration: attempt.end - attempt.start, status: status, outcome: words)
        }
    }

    /// Every secret that a request of the call was sent with: interceptors further in may have added some, such as a token.
    func secrets(with request: HTTPRequest) -> SecretValues {
        noted.reduce(into: request.allSecrets) { $0.formUnion($1.request.allSecrets) }
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
