/// Everything that can go wrong between an endpoint and its model.
///
/// Each case carries one ``Details`` value: what happened in words (`reason`), the facts of its kind (`kind`, `limit`,
/// `codingPath` …) and the story of the call (`url`, `response`, `attempts` …). All of it has defaults, so that a pattern
/// needs no payload and a test can make one:
///
/// ```swift
/// switch await service.topRated(page: 1) {
/// case .success(let page): show(page)
/// case .failure(.unauthorized): signIn()
/// case .failure(let error): show(error.customMessage)   // error.description is for the log
/// }
/// let stub: Result<Page<Movie>, RequestError> = .failure(.unauthorized())
/// ```
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum RequestError: Error, Sendable {
    /// The endpoint gives no URL that can be asked. Nothing was sent.
    case invalidURL(_ details: Details<InvalidURL> = .init())
    /// The request can't be put into bytes: a method or field with forbidden characters, a body that doesn't encode, or
    /// framing that contradicts itself. Nothing was sent, but for a body stream that broke its promise half-way.
    case encode(_ details: Details<Encode> = .init())
    /// The transport ended without an HTTP answer.
    case noResponse(_ details: Details<NoFacts> = .init())
    /// 401: the server wants credentials, or refused those it got (RFC 9110 §15.5.2).
    case unauthorized(_ details: Details<NoFacts> = .init())
    /// A status outside 200 to 299, other than 401.
    case unexpectedStatusCode(_ details: Details<NoFacts> = .init())
    /// The answer's body isn't what the model expects.
    case decode(_ details: Details<Decode> = .init())
    /// A failure of no other kind.
    case unknown(_ details: Details<NoFacts> = .init())
    /// No connection, or one that failed; `kind` says which way.
    case connection(_ details: Details<Connection> = .init())
    /// Time ran out: of one attempt (``RequestOptions/timeout``) or of the whole call (``RequestOptions/deadline``).
    case timedOut(_ details: Details<TimedOut> = .init())
    /// The task was cancelled.
    case cancelled(_ details: Details<NoFacts> = .init())
    /// The body is larger than ``RequestOptions/maximumBodySize``.
    case responseTooLarge(_ details: Details<TooLarge> = .init())
    /// A redirect that isn't followed: too many, to an insecure or foreign scheme, or to nowhere.
    case redirect(_ details: Details<Redirect> = .init())
    /// The request had to be sent again and its body can't be: a stream that was already read.
    case notReplayable(_ details: Details<NoFacts> = .init())
    /// Refused before it was sent: by a circuit breaker, a full queue or a rate limit. `retryAfter` says when to try again.
    case rejected(_ details: Details<Rejected> = .init())
    /// New credentials could not be had.
    case authentication(_ details: Details<NoFacts> = .init())
    /// A file can't be read or written.
    case file(_ details: Details<File> = .init())
    /// The bytes aren't those that were promised.
    case integrity(_ details: Details<Integrity> = .init())
    /// A body or stream was misused or is malformed; `position` says where.
    case stream(_ details: Details<StreamFault> = .init())
    /// An error of another type, thrown by an interceptor or a transport that isn't this library's.
    case interceptor(any Error)
}
