public import PlatformBase

/// When a request is sent again, and after how long: a pure function of what happened, the time and a number drawn by chance.
///
/// ```swift
/// var policy = RetryPolicy(maximumAttempts: 5)
/// policy.statuses.insert(520)
/// policy.makesIdempotencyKeys = true          // POST and PATCH too, if the API knows Idempotency-Key
/// let session = HTTPSession(interceptors: [.retry(policy)])
/// ```
///
/// Only what is safe is sent again unasked: a request whose method is idempotent (RFC 9110 §9.2.2) or that has an `Idempotency-Key`, with
/// a body that can be sent again.
public struct RetryPolicy: Sendable {
    /// How often a request is sent at most, the first time included. Default 3; 1 sends nothing again.
    public var maximumAttempts = 3
    /// The statuses that are tried again. Default: 408, 425, 429, 500, 502, 503 and 504.
    public var statuses: Set<HTTPStatus> = [408, 425, 429, 500, 502, 503, 504]
    /// The failures of a connection that are tried again. Default: all that may pass by themselves, so not TLS that isn't trusted and not
    /// an answer that is no HTTP.
    public var connectionFailures: Set<RequestError.Connection.Kind> = [
        .nameLookup, .refused, .reset, .truncated, .stale, .proxy, .other,
    ]
    /// Whether an attempt that took longer than ``RequestOptions/timeout`` is tried again. Default: yes. The deadline never is.
    public var retriesTimeouts = true
    /// Methods that may be sent again though they aren't idempotent, because this API makes it safe. Default: none.
    public var additionalMethods: Set<HTTPMethod> = []
    /// Whether a request that isn't idempotent gets an `Idempotency-Key`, the same on each attempt, and so may be sent again. Default: no,
    /// since it is safe only where the server knows the field.
    public var makesIdempotencyKeys = false
    /// How long to wait where the server doesn't say.
    public var backoff = Backoff.standard
    /// The longest wait that a server may ask for. One that asks for more gets no further attempt: its answer is the call's. Default 60 s.
    public var longestServerWait: Duration = .seconds(60)

    /// A policy with the defaults, but for how often and how long.
    public init(maximumAttempts: Int = 3, backoff: Backoff = .standard) {
        self.maximumAttempts = maximumAttempts
        self.backoff = backoff
    }

    /// Three attempts, half a second to 20 s apart.
    public static var standard: RetryPolicy { .init() }
}

/// How an attempt ended.
public enum RetryOutcome: Sendable {
    /// With an answer.
    case answer(ResponseHead)
    /// Without one, or with a body that broke off.
    case failure(RequestError)
}

/// The time at which it is decided whether to send a request again.
public struct RetryMoment: Sendable, Hashable {
    /// The date, for servers that name one. It may be wrong, and jump.
    public var date: Date
    /// How long the call may still take; `nil` when it may take any time.
    public var remaining: Duration?

    /// A moment.
    public init(date: Date, remaining: Duration? = nil) {
        self.date = date
        self.remaining = remaining
    }
}

/// Whether a request is sent again.
public enum RetryDecision: Sendable, Hashable {
    /// It isn't: the outcome is the call's.
    case stop(RetryStop)
    /// It is, after a wait.
    case after(Duration)
}

/// Why a request isn't sent again.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum RetryStop: Sendable, Hashable {
    /// The outcome is none that another attempt would better.
    case isFinal
    /// It has been sent as often as the policy says.
    case attemptsUsedUp
    /// Sending it twice might do something twice.
    case notIdempotent
    /// Its body was a stream that has been read.
    case notReplayable
    /// The server asks for a longer wait than ``RetryPolicy/longestServerWait``.
    case serverAsksTooMuch(Duration)
    /// The wait would last until the deadline, or longer.
    case deadline(wait: Duration)
    /// The ``RetryBudget`` is spent.
    case budgetSpent
}

extension RetryPolicy {
    /// Whether, and after how long, a request is sent again.
    ///
    /// - Parameters:
    ///   - attempt: how often it has been sent, from 1.
    ///   - request: the request.
    ///   - outcome: how the last attempt ended.
    ///   - now: the time.
    ///   - random: a number from 0 up to 1, drawn by chance.
    public func decide(
        attempt: Int, request: HTTPRequest, outcome: RetryOutcome, now: RetryMoment, random: Double
    ) -> RetryDecision {
        guard isRetryable(outcome) else { return .stop(.isFinal) }
        guard attempt < maximumAttempts else { return .stop(.attemptsUsedUp) }
        guard allows(request.method) || request.isIdempotent else { return .stop(.notIdempotent) }
        guard Self.hasBodyLeft(request) else { return .stop(.notReplayable) }
        let asked = outcome.head.flatMap { ServerWait.wait($0.headers, status: $0.status, now: now.date) }
        if let asked, asked > longestServerWait { return .stop(.serverAsksTooMuch(asked)) }
        let wait = asked ?? backoff.wait(after: attempt, random: random)
        if let remaining = now.remaining, wait >= remaining { return .stop(.deadline(wait: wait)) }
        return .after(wait)
    }

    /// Whether a request may be sent more than once at all.
    func maySendAgain(_ request: HTTPRequest) -> Bool {
        maximumAttempts > 1 && (request.isIdempotent || allows(request.method)) && request.body?.isReplayable != false
    }

    private func allows(_ method: HTTPMethod) -> Bool { !additionalMethods.isEmpty && additionalMethods.contains(method) }

    /// A stream that nobody has begun to read can still be sent.
    private static func hasBodyLeft(_ request: HTTPRequest) -> Bool {
        request.body?.isLeft ?? true
    }

    private func isRetryable(_ outcome: RetryOutcome) -> Bool {
        switch outcome {
        case .answer(let head): statuses.contains(head.status)
        case .failure(.connection(let details)): connectionFailures.contains(details.kind)
        case .failure(.timedOut(let details)): retriesTimeouts && details.limit == .attempt
        case .failure(.noResponse): true
        // An interceptor further in made an error of the status.
        case .failure(.unexpectedStatusCode(let details)): details.response.map { statuses.contains($0.head.status) } ?? false
        default: false
        }
    }
}

extension RetryOutcome {
    /// The head that may ask for a wait: not that of a good answer whose body broke off.
    fileprivate var head: ResponseHead? {
        switch self {
        case .answer(let head): head
        case .failure(.unexpectedStatusCode(let details)): details.response?.head
        case .failure: nil
        }
    }
}

extension RetryStop {
    /// What an error says of it; `nil` where it says enough by itself.
    func remark(for request: HTTPRequest, policy: RetryPolicy) -> String? {
        switch self {
        case .isFinal, .attemptsUsedUp: nil
        case .notIdempotent: "not sent again: \(request.method) isn't idempotent, and the request has no Idempotency-Key"
        case .notReplayable: "not sent again: the body was a stream, which has been read; use RequestBody.stream(open:)"
        case .serverAsksTooMuch(let wait):
            "not sent again: the server asks for \(wait.roundText), and longestServerWait is \(policy.longestServerWait.roundText)"
        case .deadline(let wait): "not sent again: a wait of \(wait.roundText) would pass the deadline"
        case .budgetSpent: "not sent again: the retry budget is spent"
        }
    }
}

extension Duration {
    /// Whole seconds as such, less in milliseconds.
    fileprivate var roundText: String {
        components.attoseconds == 0 ? "\(components.seconds) s" : shortText
    }
}
