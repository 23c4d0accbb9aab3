public import PlatformBase

/// What a log says of one call: in parts, and as text. Nothing in it shows a secret. Each part is made when it is asked for.
public struct LogEntry: Sendable {
    let record: LogRecord
    private let mask = EntryMask()

    init(record: LogRecord) { self.record = record }

    private var secrets: SecretMask { mask.made(of: { record.allSecrets }) }

    private func shown(_ text: String) -> String { LogText.oneLine(secrets.masking(text)) }

    /// When the call began.
    public var date: Date { record.date }
    /// The number of the call: ``CallContext/id``.
    public var callID: UInt64 { record.request.context.id }
    /// The endpoint's name, where it has one.
    public var name: String? { record.request.options.name }
    /// The method.
    public var method: String { record.request.method.name }
    /// The URL that was asked first, secrets masked.
    public var url: String { shown(RequestURL.withoutCredentials(record.request.url.absoluteString)) }
    /// The status of the answer; `nil` where none came.
    public var status: HTTPStatus? { record.head?.status }
    /// How many bytes of body were read, after decoding.
    public var bodySize: Int64 { record.passage?.count ?? 0 }
    /// How long the call took, its body included, on the session's clock.
    public var duration: Duration { record.duration }
    /// Each time that the request, or what a redirect made of it, was handed to the transport.
    public var attempts: [RequestAttempt] { record.attempts }
    /// What the cache nearest by says of the answer, such as `hit`, where one says anything (RFC 9211).
    public var cacheStatus: String? { record.head.flatMap { CacheStatus(nearestIn: $0.headers)?.handling }.map(shown) }
    /// For how long that cache may still use the answer unasked, where it says so; negative for one that it used all the same.
    public var cacheTimeToLive: Duration? { record.head?.cacheTimeToLive }
    /// Why the call failed, secrets masked; `nil` where an answer came and its body was read.
    public var error: String? { record.error.map { shown(LogRecord.words(for: $0)) } }
    /// What the request cost, as far as the transport tells.
    public var metrics: RequestMetrics { record.passage?.metrics ?? RequestMetrics() }
    /// Whether there is no answer, or one whose status is below 200 or above 399.
    public var isFailure: Bool { record.error != nil || status.map { !$0.isSuccess && !$0.isRedirection } ?? true }
    /// The line without what stands below it.
    public var line: String { record.line(self) }
    /// The line, and below it what the level asks for.
    public var text: String { record.level.showsFields ? ([line] + record.details(masking: secrets)).joined(separator: "\n") : line }
}

extension LogEntry: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// ``text``.
    public var description: String { text }
    /// The same as `description`.
    public var debugDescription: String { text }
    /// What `dump` sees: the text.
    public var customMirror: Mirror { Mirror(self, children: ["text": text]) }
}

/// The mask of an entry, made when a part that needs it is first asked for.
private final class EntryMask: Sendable {
    private let mask = Lock<SecretMask?>(nil)

    func made(of secrets: () -> SecretValues) -> SecretMask {
        if let mask = mask.withLock({ $0 }) { return mask }
        let made = SecretMask(secrets())
        mask.withLock { $0 = made }
        return made
    }
}
