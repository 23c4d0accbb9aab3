internal import PlatformBase

/// What belongs to one call and not to one request: made by the session, carried along by every request of the call, redirects
/// and retries included, and passed on untouched by interceptors.
public struct CallContext: Sendable {
    /// Whether the caller wants the body as one value or as a stream. A transport may then deliver head and body together.
    public enum Delivery: Sendable {
        /// The body is collected: the answer is of use only when it is whole.
        case value
        /// The body is read piece by piece: the head must come as soon as it is there.
        case stream
    }

    /// A number that no other call of the process has.
    public var id: UInt64 { storage.id }
    /// The session's clock.
    public var clock: CallClock {
        get { storage.clock }
        set { own().clock = newValue }
    }
    /// When the call must be over, on ``clock``; `nil` when it may take any time.
    public var deadline: Duration? {
        get { storage.deadline }
        set { own().deadline = newValue }
    }
    /// Which attempt this is, from 1.
    public var attempt: Int {
        get { storage.attempt }
        set { own().attempt = newValue }
    }
    /// How many redirects led to this request.
    public var redirects: Int {
        get { storage.redirects }
        set { own().redirects = newValue }
    }
    /// The origin that the call's secrets belong to: that of its first request, or for an endpoint that names a page of its own, that of
    /// its base URL.
    public var homeOrigin: Origin? {
        get { storage.homeOrigin }
        set { own().homeOrigin = newValue }
    }
    /// Whose credentials the call uses, in a form that outlives a token and reveals nothing: part of the key of a cache and of
    /// coalescing. `nil` without credentials.
    public var identity: String? {
        get { storage.identity }
        set { own().identity = newValue }
    }
    /// How the caller takes the body.
    public var delivery: Delivery {
        get { storage.delivery }
        set { own().delivery = newValue }
    }
    /// The values of the call that must not be seen.
    public var secrets: SecretValues {
        get { storage.secrets }
        set { own().secrets = newValue }
    }
    /// Where the transport reports what happens on the wire.
    public var events: (@Sendable (TransportEvent) -> Void)? {
        get { listener?.hear }
        set { listener = newValue.map { EventListener($0) } }
    }
    /// What the call was made with, for a transport that answers by it.
    package internal(set) var endpoint: CalledEndpoint? {
        get { storage.endpoint }
        set { own().endpoint = newValue }
    }
    /// The call's life; a request that is sent by hand, without a session, has none.
    var scope: CallScope? {
        get { storage.scope }
        set { own().scope = newValue }
    }

    /// What the call is good for when several calls share its exchange, which then has no ``deadline`` of its own.
    var sharedDeadline: SharedDeadline? {
        get { storage.sharedDeadline }
        set { own().sharedDeadline = newValue }
    }

    /// Whether the call is part of the work that gets one of the session's credentials. It goes without it then, and may not wait for a
    /// request that waits for it.
    var isCredentialWork: Bool {
        get { storage.isCredentialWork }
        set { own().isCredentialWork = newValue }
    }

    /// What changes the request each time it is sent.
    var signature: (any RequestSignature)? {
        get { storage.signature }
        set { own().signature = newValue }
    }

    /// A context for a request that is sent by hand.
    public init(clock: any Clock<Duration>) {
        self.init(callClock: CallClock(clock))
    }

    /// A context for a request that is sent by hand, on the continuous clock.
    public init() { self.init(callClock: .continuous) }

    init(callClock: CallClock) { storage = Storage(clock: callClock) }

    // A context goes along with every copy of a request, so it is one reference.
    private var storage: Storage
    /// Beside the rest: interceptors that observe change it, each of them, and nothing else.
    var listener: EventListener?

    /// What this context alone refers to, and so may change: a copy, where others refer to it too.
    private mutating func own() -> Storage {
        if !isKnownUniquelyReferenced(&storage) { storage = Storage(copying: storage) }
        return storage
    }

    private final class Storage: @unchecked Sendable {
        // Written through `own` only, while one context alone refers to it; contexts are values, which are not shared while they change.
        // So nothing overlaps that could be found by checking each access.
        let id: UInt64
        @exclusivity(unchecked) var clock: CallClock
        @exclusivity(unchecked) var deadline: Duration?
        @exclusivity(unchecked) var attempt = 1
        @exclusivity(unchecked) var redirects = 0
        @exclusivity(unchecked) var homeOrigin: Origin?
        @exclusivity(unchecked) var identity: String?
        @exclusivity(unchecked) var delivery = Delivery.stream
        @exclusivity(unchecked) var secrets = SecretValues()
        @exclusivity(unchecked) var endpoint: CalledEndpoint?
        @exclusivity(unchecked) var scope: CallScope?
        @exclusivity(unchecked) var sharedDeadline: SharedDeadline?
        @exclusivity(unchecked) var signature: (any RequestSignature)?
        @exclusivity(unchecked) var isCredentialWork = false

        private static let lastID = Atomic<UInt64>(0)

        init(clock: CallClock) {
            id = Self.lastID.wrappingAdd(1, ordering: .relaxed).newValue
            self.clock = clock
        }

        init(copying other: Storage) {
            id = other.id
            clock = other.clock
            deadline = other.deadline
            attempt = other.attempt
            redirects = other.redirects
            homeOrigin = other.homeOrigin
            identity = other.identity
            delivery = other.delivery
            secrets = other.secrets
            endpoint = other.endpoint
            scope = other.scope
            sharedDeadline = other.sharedDeadline
            signature = other.signature
            isCredentialWork = other.isCredentialWork
        }
    }

    /// How long the call may still take; `nil` when it may take any time. Never negative.
    ///
    /// Where several calls share an exchange, it is the time of the one that has most of it.
    public var remaining: Duration? { (deadline ?? sharedDeadline?.latest).map { max($0 - clock.now, .zero) } }
}

/// What becomes of a request on its way, as the stack's inner end and the transport report it.
///
/// The stack reports ``sending(_:)`` and then either ``answered(_:)`` or ``failed(_:)``, whatever the transport. What lies between is the
/// transport's to tell, and one of your own may tell none of it. It may come on any thread, that of the transport's loop too: whoever
/// listens must not wait.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum TransportEvent: Sendable {
    /// The request is handed to the transport: one attempt of a call, or one hop.
    case sending(HTTPRequest)
    /// The request waits for a connection.
    case queued
    /// The request has waited, and its turn has come.
    case started
    /// What it cost so far, as soon as there is a connection.
    case measured(RequestMetrics)
    /// A connection is there, with TLS where the URL asks for it; `reused` when it was kept from an earlier request.
    case connected(reused: Bool)
    /// That many bytes of the request's body have gone to the network so far.
    case sent(Int64)
    /// An answer before the final one came (RFC 9110 §15.2).
    case interim(HTTPStatus, HTTPFields)
    /// The head of the final answer came.
    case head(HTTPStatus)
    /// That many bytes of body the final answer will have, as they are sent, before decoding. It comes after the head, where that says so.
    case expecting(Int64)
    /// That many bytes of the answer's body have come so far, as they were sent, before decoding.
    case received(Int64)
    /// The transfer is over.
    case ended(RequestMetrics)
    /// The transport has given the answer; its body may still be on its way.
    case answered(ResponseHead)
    /// The transport has given up.
    case failed(RequestError)
}
