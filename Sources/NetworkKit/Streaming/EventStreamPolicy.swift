/// How an event stream is kept open.
///
/// ```swift
/// client.events(for: Feed(), policy: .init(idleTimeout: .seconds(60)))   // the server pings every 15 s
/// client.events(for: Completion(prompt), policy: .once)                  // one answer, never asked for again
/// ```
public struct EventStreamPolicy: Sendable, Hashable {
    /// Whether a stream that has ended, or broken off, is asked for again. It never is for a method that isn't safe, such as POST:
    /// the end of the answer is the end of the events then.
    public var reconnects: Bool
    /// How long to wait before that, until the server says otherwise by `retry`. Default 3 s.
    public var delay: Duration
    /// What the wait may grow to: it doubles with each connection in a row that brings nothing. A server that asks for more gets it.
    /// Default 1 minute.
    public var maximumDelay: Duration
    /// How much of the wait is added to it at random, at most, so that a server's clients don't all come back at once. Default 0.5: a
    /// wait of 3 s takes 3 s to 4.5 s.
    public var jitter: Double
    /// How many connections in a row may bring nothing before the last one's error ends the sequence. `nil`, the default, goes on for
    /// as long as somebody listens.
    public var maximumAttempts: Int?
    /// Whether the first connection is tried again too. Otherwise, as by default, a stream that was never open fails with what was
    /// wrong: a host that doesn't exist isn't asked for ever.
    public var retriesFirstConnection: Bool
    /// After how long a silence the connection counts as dead and is made again. Every byte ends a silence, those of comments too.
    /// `nil`, the default, for any silence. ``RequestOptions/timeout`` bounds connecting and the wait for the answer's head only.
    public var idleTimeout: Duration?
    /// The most bytes of a line, and of an event's data. Default 16 MiB.
    public var maximumEventSize: Int

    /// A policy.
    public init(
        reconnects: Bool = true, delay: Duration = .seconds(3), maximumDelay: Duration = .seconds(60), jitter: Double = 0.5,
        maximumAttempts: Int? = nil, retriesFirstConnection: Bool = false, idleTimeout: Duration? = nil,
        maximumEventSize: Int = ServerSentEvents.standardEventSize
    ) {
        self.reconnects = reconnects
        self.delay = delay
        self.maximumDelay = maximumDelay
        self.jitter = jitter
        self.maximumAttempts = maximumAttempts
        self.retriesFirstConnection = retriesFirstConnection
        self.idleTimeout = idleTimeout
        self.maximumEventSize = maximumEventSize
    }

    /// What the standard says, with jitter and backoff.
    public static var standard: EventStreamPolicy { .init() }
    /// One connection: its end is the end of the events.
    public static var once: EventStreamPolicy { .init(reconnects: false) }
}
