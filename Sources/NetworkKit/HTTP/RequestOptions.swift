/// How a request is sent: an endpoint states what it wants, the session's defaults fill the rest.
///
/// ```swift
/// var options: RequestOptions { .init(timeout: .seconds(5), idempotencyKey: order.id) }
/// ```
public struct RequestOptions: Sendable, Hashable {
    /// How long connecting may take, and each silence of the server, in one attempt. Default 30 s.
    public var timeout: Duration?
    /// How long the whole call may take: queues, redirects, attempts and both bodies included. Default 5 minutes for calls that give a
    /// value, which uploads are too; none for streams and downloads, whose endpoints alone set one. ``unlimited`` lifts it.
    public var deadline: Duration?
    /// What a cache may do with the request. It has no effect without a cache in the stack.
    public var cachePolicy: CachePolicy?
    /// The most bytes that are collected of a body, counted after decoding. Default 64 MiB; a stream or download is bounded only
    /// when the endpoint itself sets this.
    public var maximumBodySize: Int?
    /// Which redirects are followed. Default: up to 20, none from https to http.
    public var redirectPolicy: RedirectPolicy?
    /// The value of `Idempotency-Key`: a promise that the server does the same request once, so that it may be sent again
    /// whatever its method.
    public var idempotencyKey: String?
    /// A name for the request in logs, errors and traces.
    public var name: String?
    /// How long a body waits for the server to ask for it: `Expect: 100-continue` is sent, and the body only when the server has said
    /// 100, or has said nothing for this time (RFC 9110 §10.1.1). A server that refuses the request gets no body then, and a stream that
    /// nobody has begun to read can still be sent elsewhere. `nil`, the default, sends the body at once.
    ///
    /// It ought to be shorter than ``timeout``, which bounds each silence of the server. Over HTTP/2, and by ``URLSessionTransport`` as the platform likes, the body may go out without that wait.
    public var expectContinueTimeout: Duration?
    /// Who follows how far the call comes; nobody, unless it is set. A session's defaults don't fill it: it is good for one call.
    public var progress: ProgressMonitor?
    /// How long the answer's body may be silent, where that differs from ``timeout``. It is a stream's own, and no default fills it.
    package var idleTimeout: Duration?

    /// Options. What is `nil` is left to the session's defaults.
    public init(
        timeout: Duration? = nil, deadline: Duration? = nil, cachePolicy: CachePolicy? = nil, maximumBodySize: Int? = nil,
        redirectPolicy: RedirectPolicy? = nil, idempotencyKey: String? = nil, name: String? = nil,
        expectContinueTimeout: Duration? = nil, progress: ProgressMonitor? = nil
    ) {
        self.timeout = timeout
        self.deadline = deadline
        self.cachePolicy = cachePolicy
        self.maximumBodySize = maximumBodySize
        self.redirectPolicy = redirectPolicy
        self.idempotencyKey = idempotencyKey
        self.name = name
        self.expectContinueTimeout = expectContinueTimeout
        self.progress = progress
    }

    /// These options, with what they leave open taken from others; all but the idempotency key and the progress, which are good for one
    /// request.
    public func merging(defaults: RequestOptions) -> RequestOptions {
        RequestOptions(
            timeout: timeout ?? defaults.timeout,
            deadline: deadline ?? defaults.deadline,
            cachePolicy: cachePolicy ?? defaults.cachePolicy,
            maximumBodySize: maximumBodySize ?? defaults.maximumBodySize,
            redirectPolicy: redirectPolicy ?? defaults.redirectPolicy,
            idempotencyKey: idempotencyKey,
            name: name ?? defaults.name,
            expectContinueTimeout: expectContinueTimeout ?? defaults.expectContinueTimeout,
            progress: progress)
    }
}

extension RequestOptions {
    /// How long a body may be silent.
    package var bodyTimeout: Duration { idleTimeout ?? timeout ?? Standard.timeout }
    /// A limit that is none, for where `nil` means a default: 10 years, which is as good as for ever, and short enough to be counted with.
    ///
    /// ```swift
    /// var options: RequestOptions { .init(deadline: RequestOptions.unlimited) }  // an upload that takes as long as it takes
    /// ```
    public static let unlimited = Duration.seconds(315_360_000)

    /// The limits that hold where neither the endpoint nor the session says otherwise.
    public enum Standard {
        /// 30 seconds for connecting and for each silence.
        public static let timeout: Duration = .seconds(30)
        /// 5 minutes for a call that gives a value.
        public static let deadline: Duration = .seconds(300)
        /// 64 MiB of collected body.
        public static let maximumBodySize = 64 * 1024 * 1024
    }
}

/// What a cache may do with a request.
public enum CachePolicy: Sendable, Hashable {
    /// What RFC 9111 says.
    case `protocol`
    /// Ask the server, and store what it says.
    case reload
    /// Ask the server whether the stored answer is still good.
    case revalidate
    /// Take a stored answer, however old, and ask the server only without one.
    case preferCache
    /// Take a stored answer, however old, or fail.
    case cacheOnly
    /// Neither take nor store an answer.
    case noStore
}

/// Which redirects are followed (RFC 9110 §15.4).
public struct RedirectPolicy: Sendable, Hashable {
    /// How many in a row.
    public var limit: Int
    /// Whether https may lead to http. Off by default: what was asked in secret would be answered in the open.
    public var allowsInsecure: Bool

    /// Redirects within a limit.
    public init(limit: Int = 20, allowsInsecure: Bool = false) {
        self.limit = limit
        self.allowsInsecure = allowsInsecure
    }

    /// Up to 20, none from https to http.
    public static var standard: RedirectPolicy { .init() }
    /// None, as Fetch calls it: the answer with the redirect is the answer of the call.
    public static var manual: RedirectPolicy { .init(limit: 0) }
}
