/// What becomes of an event stream when a connection opens, ends or fails (WHATWG HTML §9.2.3): a value, so that it is tested
/// without a network and without time.
struct EventStreamState {
    /// What to do next.
    enum Step {
        /// Make the connection again, after a wait.
        case reconnect(after: Duration)
        /// The events are over.
        case finish
        /// The events are over, and not as they should be.
        case fail(RequestError)
    }

    private let policy: EventStreamPolicy
    /// Whether asking again asks for nothing to be done twice.
    private let isSafe: Bool
    private var hasBeenOpen = false
    /// Whether the connection has brought a byte, and whether it has brought an event.
    private var hasBytes = false
    private var hasEvent = false
    /// How many connections in a row have brought nothing.
    private(set) var fruitless = 0

    init(policy: EventStreamPolicy, isSafe: Bool) {
        self.policy = policy
        self.isSafe = isSafe
    }

    /// An answer has come.
    ///
    /// - Returns: whether there are events in it: `false` for 204, by which a server says that there won't be any more.
    /// - Throws: ``RequestError/unexpectedStatusCode(_:)`` for another 2xx than 200, and ``RequestError/stream(_:)`` for another type
    ///   than `text/event-stream`. The caller sees to a status that means failure.
    mutating func opened(_ head: ResponseHead) throws(RequestError) -> Bool {
        hasBytes = false
        hasEvent = false
        if head.status == 204 { return false }
        guard head.status == 200 else {
            throw .unexpectedStatusCode(
                .init(reason: "an event stream has the status 200, not \(head.status)", response: FailedResponse(head: head)))
        }
        let type = head.headers[values: .contentType].last ?? ""
        guard MediaType(type)?.essence == "text/event-stream" else {
            let what = type.isEmpty ? "of no type" : Token.quoted(type)
            throw .stream(.init(reason: "the answer is \(what), not text/event-stream", response: FailedResponse(head: head)))
        }
        hasBeenOpen = true
        return true
    }

    /// Bytes have come.
    mutating func received() { hasBytes = true }

    /// An event has come.
    mutating func receivedEvent() { hasEvent = true }

    /// The connection has ended, by an error or as an answer does.
    ///
    /// - Parameters:
    ///   - retry: what the server has said of the wait.
    ///   - random: where in the range of the jitter the wait lies, 0 to 1.
    mutating func ended(_ error: RequestError?, retry: Duration?, random: Double) -> Step {
        guard policy.reconnects, isSafe else { return error.map { .fail($0) } ?? .finish }
        if let error {
            guard Self.isPassing(error), hasBeenOpen || policy.retriesFirstConnection else { return .fail(error) }
        }
        // No longer than can be doubled a while and still be counted.
        let base = min(max(.zero, retry ?? policy.delay), .seconds(1 << 30))
        if hasBytes { fruitless = 0 } else { fruitless += 1 }
        defer {
            hasBytes = false
            hasEvent = false
        }
        if let most = policy.maximumAttempts, fruitless >= most {
            return .fail(error ?? .stream(.init(reason: "\(fruitless) connections in a row ended without a byte")))
        }
        // A server that wants no wait has to say something, or clients would turn in a circle as fast as they can.
        let start = hasEvent ? base : max(base, Self.shortest)
        let doublings = min(fruitless, 32)
        let grown = fruitless == 0 ? start : min(start * (Int64(1) << doublings), max(policy.maximumDelay, start))
        // What can be counted, whatever the policy says.
        let jitter = policy.jitter > 0 ? min(policy.jitter, 100) : 0
        return .reconnect(after: grown + min(grown, .seconds(Int64(1) << 40)) * (jitter * random))
    }

    /// The shortest wait after a connection without an event.
    private static let shortest = Duration.milliseconds(100)

    /// Whether a fault may pass by itself: one of the network, and no answer of the server's. A status that asks to come back later is
    /// for the retry interceptor; what is left of it here is final.
    private static func isPassing(_ error: RequestError) -> Bool {
        if case .unexpectedStatusCode = error { return false }
        return error.isRetryable
    }
}
