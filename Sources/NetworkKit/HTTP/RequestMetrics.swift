/// What a request cost. Times count from the moment the transport began with the request.
public struct RequestMetrics: Sendable, Hashable {
    /// How long the request waited for its turn before that; `nil` when it didn't.
    public var queue: Duration? {
        get { queueSpan.duration }
        set { queueSpan.duration = newValue }
    }
    /// When the host's name had an address.
    public var nameLookup: Duration? {
        get { nameLookupSpan.duration }
        set { nameLookupSpan.duration = newValue }
    }
    /// When the connection was there.
    public var connect: Duration? {
        get { connectSpan.duration }
        set { connectSpan.duration = newValue }
    }
    /// When TLS was agreed; `nil` without TLS and on a kept connection.
    public var tls: Duration? {
        get { tlsSpan.duration }
        set { tlsSpan.duration = newValue }
    }
    /// When the last byte of the request's body went out; `nil` without a body, and where the transport doesn't know.
    public var requestSent: Duration? {
        get { requestSentSpan.duration }
        set { requestSentSpan.duration = newValue }
    }
    /// When the first byte of the answer came.
    public var firstByte: Duration? {
        get { firstByteSpan.duration }
        set { firstByteSpan.duration = newValue }
    }
    /// When the transfer was over; `nil` while it goes on.
    public var total: Duration? {
        get { totalSpan.duration }
        set { totalSpan.duration = newValue }
    }
    /// How long it took to make the model of the body; `nil` without one.
    public var decode: Duration? {
        get { decodeSpan.duration }
        set { decodeSpan.duration = newValue }
    }
    /// Bytes of the request's body that were sent.
    public var bodyBytesSent: Int64 = 0
    /// Bytes of the answer's body that came, as they were sent, before decoding.
    public var bodyBytesReceived: Int64 = 0
    /// The version of the protocol that was spoken.
    public var version: HTTPVersion? {
        get { major == 0 ? nil : HTTPVersion(major: Int(major), minor: Int(minor)) }
        set {
            major = UInt8(clamping: newValue?.major ?? 0)
            minor = UInt8(clamping: newValue?.minor ?? 0)
        }
    }
    /// Whether the connection was kept from an earlier request.
    public var isConnectionReused = false
    /// What a cache had to do with the answer; `nil` when none stood in its way.
    public var cache: CacheUse?
    /// How often the transport sent the request: 2 when a kept connection turned out to be dead and the request could be sent
    /// again.
    public var sends: Int {
        get { Int(sendCount) }
        set { sendCount = UInt8(clamping: newValue) }
    }

    // Every answer carries this through all hands, so it is kept small.
    private var sendCount: UInt8 = 0
    private var major: UInt8 = 0
    private var minor: UInt8 = 0
    private var queueSpan = Span()
    private var nameLookupSpan = Span()
    private var connectSpan = Span()
    private var tlsSpan = Span()
    private var requestSentSpan = Span()
    private var firstByteSpan = Span()
    private var totalSpan = Span()
    private var decodeSpan = Span()

    /// What the transport measured, in microseconds since the transfer began; 0 for what hasn't happened. It is set as it is: taking
    /// durations apart takes longer than measuring them.
    mutating func set(lookup: Int64, connect: Int64, tls: Int64, firstByte: Int64, total: Int64) {
        nameLookupSpan = Span(microseconds: lookup)
        connectSpan = Span(microseconds: connect)
        tlsSpan = Span(microseconds: tls)
        firstByteSpan = Span(microseconds: firstByte)
        totalSpan = Span(microseconds: total)
    }

    /// A duration that may not have happened.
    private struct Span: Hashable {
        /// Negative for none. Counted in nanoseconds, 292 years are the most.
        var nanoseconds: Int64 = -1

        init() {}

        init(microseconds: Int64) {
            guard microseconds > 0 else { return }
            let (nanoseconds, isOverflow) = microseconds.multipliedReportingOverflow(by: 1000)
            self.nanoseconds = isOverflow ? .max : nanoseconds
        }

        var duration: Duration? {
            get { nanoseconds < 0 ? nil : .nanoseconds(nanoseconds) }
            set {
                guard let (seconds, attoseconds) = newValue?.components, seconds >= 0 else {
                    nanoseconds = -1
                    return
                }
                let (whole, isOverflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
                nanoseconds = isOverflow ? .max : whole &+ attoseconds / 1_000_000_000
            }
        }
    }

    /// Nothing measured.
    public init() {}

    /// How a cache took part in an answer (RFC 9111 §4).
    public enum CacheUse: Sendable, Hashable {
        /// The server gave the answer.
        case miss
        /// The cache gave it, and the server wasn't asked.
        case hit
        /// The cache gave it, and the server said that it still holds. Of its `Set-Cookie` fields only those of the server's 304 are left.
        case revalidated
        /// The cache gave it although it isn't fresh any more.
        case stale
    }
}

/// A version of HTTP.
public struct HTTPVersion: Sendable, Hashable {
    /// The number in front of the dot.
    public let major: Int
    /// The number behind it.
    public let minor: Int

    /// A version.
    public init(major: Int, minor: Int) {
        self.major = major
        self.minor = minor
    }
}

extension HTTPVersion: CustomStringConvertible {
    /// As it is written: `HTTP/1.1`, `HTTP/2`.
    public var description: String { major >= 2 ? "HTTP/\(major)" : "HTTP/\(major).\(minor)" }
}
