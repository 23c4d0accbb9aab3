/// Keeps a list of a call's attempts from what its requests report. It notes, and nothing more: words are made of it when somebody asks.
struct AttemptJournal: Sendable {
    private struct Attempt: Sendable {
        let start: Duration
        var end: Duration
        var outcome: Result<HTTPStatus, RequestError>?
    }

    // Most calls have one, which then costs no array.
    private var earlier: [Attempt] = []
    private var last: Attempt?
    private(set) var sent = SentRequests()

    mutating func take(_ event: TransportEvent, at now: Duration) {
        switch event {
        case .sending(let request):
            sent.add(request)
            if let last { earlier.append(last) }
            last = Attempt(start: now, end: now)
        case .answered(let head): end(.success(head.status), now)
        case .failed(let error): end(.failure(error), now)
        default: break
        }
    }

    private mutating func end(_ outcome: Result<HTTPStatus, RequestError>, _ now: Duration) {
        last?.end = now
        last?.outcome = outcome
    }

    private var noted: [Attempt] { earlier + (last.map { [$0] } ?? []) }

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
}

/// What a call sent, for its secrets.
struct SentRequests: Sendable {
    // Most calls send one, which then costs no array.
    private var first: HTTPRequest?
    private var others: [HTTPRequest] = []

    mutating func add(_ request: HTTPRequest) {
        if first == nil { first = request.unheard } else { others.append(request.unheard) }
    }

    /// Every secret that a request of the call was sent with: interceptors further in may have added some, such as a token.
    func secrets(with request: HTTPRequest) -> SecretValues {
        ([request, first].compactMap(\.self) + others).reduce(into: SecretValues()) { $0.formUnion($1.allSecrets) }
    }
}
