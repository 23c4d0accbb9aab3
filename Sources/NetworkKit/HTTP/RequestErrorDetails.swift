public import PlatformBase

extension RequestError {
    /// What a failed call has to say: the facts of its kind and the story that every failure tells.
    ///
    /// The facts are reached directly: `details.codingPath` is `details.facts.codingPath`.
    @dynamicMemberLookup
    public struct Details<Facts: ErrorFacts>: Sendable {
        // One heap box, so that a Result with an error is as small as one with a pointer and typed throws stay cheap.
        private final class Box: Sendable {
            let facts: Facts
            let story: ErrorStory
            init(_ facts: Facts, _ story: ErrorStory) {
                self.facts = facts
                self.story = story
            }
        }

        private let box: Box

        /// Details from facts and a reason.
        ///
        /// - Parameters:
        ///   - facts: what is special to the kind.
        ///   - reason: what was wrong, where, and what to do, for a programmer.
        ///   - underlying: the error behind this one.
        public init(_ facts: Facts = Facts(), reason: String = "", underlying: (any Error)? = nil) {
            self.init(facts, story: ErrorStory(reason: reason, underlying: underlying))
        }

        /// Details with a response, for tests and for services of one's own.
        public init(_ facts: Facts = Facts(), reason: String = "", response: FailedResponse?) {
            self.init(facts, story: ErrorStory(reason: reason, response: response))
        }

        init(_ facts: Facts, story: ErrorStory) { box = Box(facts, story) }

        /// What is special to the kind.
        public var facts: Facts { box.facts }
        /// A fact by its name.
        public subscript<Value>(dynamicMember member: KeyPath<Facts, Value>) -> Value { box.facts[keyPath: member] }
        /// What was wrong, where, and what to do, for a programmer. It may hold secrets; ``RequestError/description`` masks them.
        public var reason: String { box.story.reason }
        /// The answer, when there was one: its head and at most 64 KiB of its body.
        public var response: FailedResponse? { box.story.response }
        /// The URL that was asked, as sent.
        public var url: URL? { box.story.url }
        /// The error behind this one, such as a `DecodingError`.
        public var underlying: (any Error)? { box.story.underlying }

        var story: ErrorStory { box.story }

        func retold(_ change: (inout ErrorStory) -> Void) -> Self {
            var story = box.story
            change(&story)
            return Self(box.facts, story: story)
        }
    }
}

extension RequestError.Details: CustomReflectable {
    /// What `dump` sees: the reason with secrets masked, and nothing of the request.
    public var customMirror: Mirror { Mirror(self, children: ["reason": story.allSecrets.masking(reason)]) }
}

/// The part of a failure that is the same for every kind.
struct ErrorStory: Sendable {
    var reason = ""
    var method: HTTPMethod?
    var url: URL?
    var name: String?
    var response: FailedResponse?
    var attempts: [RequestAttempt] = []
    var underlying: (any Error)?
    var secrets = SecretValues()
    /// Whether the request still waited on this side, so that the failure says nothing of the server.
    var wasQueued = false

    /// What must not be seen of request and answer.
    var allSecrets: SecretValues {
        var secrets = secrets
        secrets.insert(head: response?.head)
        return secrets
    }

    /// Adds what the request knows, where nothing nearer to the fault has said it.
    mutating func add(_ request: HTTPRequest) {
        method = method ?? request.method
        url = url ?? request.url
        name = name ?? request.options.name
        secrets.formUnion(request.allSecrets)
    }
}

extension ErrorStory {
    /// Adds what the call knows when it has failed: its attempts, and why an answer that means failure was its last.
    mutating func add(callOf request: HTTPRequest, ending: RequestError) {
        add(attemptsOf: request, ending: ending)
        switch ending {
        case .unauthorized, .unexpectedStatusCode: if let remark = request.context.scope?.remark { add(remark: remark) }
        default: break
        }
    }

    /// Adds what was sent for the request's call.
    mutating func add(attemptsOf request: HTTPRequest, ending: RequestError) {
        guard let scope = request.context.scope, scope.attemptCount > 0 else { return }
        attempts = scope.attempts(now: request.context.clock.now, ending: ending.caseName)
    }

    /// Adds a remark to the reason.
    mutating func add(remark: String) { reason = reason.isEmpty ? remark : "\(reason); \(remark)" }
}

/// One attempt of a call: when it began and how it ended.
public struct RequestAttempt: Sendable, Hashable {
    /// How long after the start of the call the attempt began.
    public var startedAfter: Duration
    /// How long it took.
    public var duration: Duration
    /// The status of its answer, when there was one.
    public var status: HTTPStatus?
    /// How it ended, in words.
    public var outcome: String

    /// An attempt.
    public init(startedAfter: Duration, duration: Duration, status: HTTPStatus?, outcome: String) {
        self.startedAfter = startedAfter
        self.duration = duration
        self.status = status
        self.outcome = outcome
    }
}

/// An answer that ended a call in failure: its head and the beginning of its body.
public struct FailedResponse: Sendable {
    /// The most of a body that is kept: 64 KiB.
    public static let bodyLimit = 64 * 1024

    /// Status, fields and final URL.
    public var head: ResponseHead
    /// At most ``bodyLimit`` bytes of the body.
    public var body: Data
    /// Whether the body went on.
    public var isBodyTruncated: Bool

    /// An answer.
    public init(head: ResponseHead, body: Data = Data(), isBodyTruncated: Bool = false) {
        self.head = head
        self.body = body
        self.isBodyTruncated = isBodyTruncated
    }

    /// The body as text, bytes that are no UTF-8 replaced.
    public var text: String { String(decoding: body, as: UTF8.self) }
}
