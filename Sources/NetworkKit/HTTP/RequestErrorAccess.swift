public import PlatformBase

extension RequestError {
    /// The story of the failure; `nil` for an error that is somebody else's.
    var story: ErrorStory? {
        switch self {
        case .invalidURL(let details): details.story
        case .encode(let details): details.story
        case .noResponse(let details), .unauthorized(let details), .unexpectedStatusCode(let details), .unknown(let details),
            .cancelled(let details), .notReplayable(let details), .authentication(let details):
            details.story
        case .decode(let details): details.story
        case .connection(let details): details.story
        case .timedOut(let details): details.story
        case .responseTooLarge(let details): details.story
        case .redirect(let details): details.story
        case .rejected(let details): details.story
        case .file(let details): details.story
        case .integrity(let details): details.story
        case .stream(let details): details.story
        case .interceptor: nil
        }
    }

    /// The same failure with its story changed.
    func retold(_ change: (inout ErrorStory) -> Void) -> RequestError {
        switch self {
        case .invalidURL(let details): .invalidURL(details.retold(change))
        case .encode(let details): .encode(details.retold(change))
        case .noResponse(let details): .noResponse(details.retold(change))
        case .unauthorized(let details): .unauthorized(details.retold(change))
        case .unexpectedStatusCode(let details): .unexpectedStatusCode(details.retold(change))
        case .decode(let details): .decode(details.retold(change))
        case .unknown(let details): .unknown(details.retold(change))
        case .connection(let details): .connection(details.retold(change))
        case .timedOut(let details): .timedOut(details.retold(change))
        case .cancelled(let details): .cancelled(details.retold(change))
        case .responseTooLarge(let details): .responseTooLarge(details.retold(change))
        case .redirect(let details): .redirect(details.retold(change))
        case .notReplayable(let details): .notReplayable(details.retold(change))
        case .rejected(let details): .rejected(details.retold(change))
        case .authentication(let details): .authentication(details.retold(change))
        case .file(let details): .file(details.retold(change))
        case .integrity(let details): .integrity(details.retold(change))
        case .stream(let details): .stream(details.retold(change))
        case .interceptor: self
        }
    }

    /// The status of the answer, when there was one.
    public var statusCode: HTTPStatus? { response?.head.status }

    /// The answer, when there was one: its head and at most 64 KiB of its body.
    public var response: FailedResponse? { story?.response }

    /// What the server said of the problem in the standard form, `application/problem+json` (RFC 9457), if it did.
    public var problem: Problem? { response.flatMap(Problem.init) }

    /// How long to wait before the same request is of use again: what a limit or a breaker that refused it says, else what the server
    /// asks for in `Retry-After` or the usual fields of rate limits (RFC 9110 §10.2.3). Never negative; `nil` where nobody says.
    ///
    /// ```swift
    /// case .failure(let error): if let wait = error.retryAfter { show("Try again in \(wait.components.seconds) s.") }
    /// ```
    public var retryAfter: Duration? { retryAfter(now: Date()) }

    /// The same, counted from another time than now, for an answer that names a time and has no `Date` to compare it with.
    public func retryAfter(now: Date) -> Duration? {
        if case .rejected(let details) = self { return details.retryAfter }
        return response.flatMap { ServerWait.wait($0.head.headers, status: $0.head.status, now: now) }
    }

    /// All attempts of the call with their timings, the last one last; empty when nothing was sent.
    public var attempts: [RequestAttempt] { story?.attempts ?? [] }

    /// Whether the task was cancelled, so that nobody waits for the answer.
    public var isCancellation: Bool {
        switch self {
        case .cancelled: true
        case .interceptor(let error): error is CancellationError
        default: false
        }
    }

    /// Whether the same request may succeed a little later: a connection that failed or gave no answer (but not for its
    /// certificate, nor for an answer that is no HTTP), an attempt that timed out, a refusal by a limit, and the statuses 408, 425,
    /// 429, 500, 502, 503 and 504.
    ///
    /// It says nothing about whether sending it twice is safe: see ``HTTPMethod/isIdempotent``.
    public var isRetryable: Bool {
        switch self {
        case .connection(let details): details.kind != .tls && details.kind != .malformed
        case .timedOut(let details): details.limit == .attempt
        case .rejected, .noResponse: true
        case .unexpectedStatusCode: statusCode.map { [408, 425, 429, 500, 502, 503, 504].contains($0.code) } ?? false
        default: false
        }
    }
}

extension RequestError {
    /// What a call ends with where code that isn't the library's threw, such as a body's stream or a test's route: its own error as it
    /// is, a cancellation as one, and any other in ``interceptor(_:)``.
    package init(thrown error: any Error) {
        self =
            switch error {
            case let error as RequestError: error
            case is CancellationError: .cancelled
            default: .interceptor(error)
            }
    }
}
