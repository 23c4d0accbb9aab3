public import PlatformBase

/// What a log says of one call: in parts, and as text. Nothing in it shows a secret.
public struct LogEntry: Sendable {
    /// When the call began.
    public let date: Date
    /// The number of the call: ``CallContext/id``.
    public let callID: UInt64
    /// The endpoint's name, where it has one.
    public let name: String?
    /// The method.
    public let method: String
    /// The URL that was asked first, secrets masked.
    public let url: String
    /// The status of the answer; `nil` where none came.
    public let status: HTTPStatus?
    /// How many bytes of body were read, after decoding.
    public let bodySize: Int64
    /// How long the call took, its body included, on the session's clock.
    public let duration: Duration
    /// Each time that the request, or what a redirect made of it, was handed to the transport.
    public let attempts: [RequestAttempt]
    /// What the cache nearest by says of the answer, such as `hit`, where one says anything (RFC 9211).
    public let cacheStatus: String?
    /// Why the call failed, secrets masked; `nil` where an answer came and its body was read.
    public let error: String?
    /// What the request cost, as far as the transport tells.
    public let metrics: RequestMetrics
    /// The line, and below it what the level asks for.
    public let text: String

    /// Whether there is no answer, or one whose status is below 200 or above 399.
    public var isFailure: Bool { error != nil || status.map { !$0.isSuccess && !$0.isRedirection } ?? true }
    /// ``text`` without what stands below the line.
    public var line: String { text.firstIndex(of: "\n").map { String(text[..<$0]) } ?? text }
}

extension LogEntry: CustomStringConvertible {
    /// ``text``.
    public var description: String { text }
}
