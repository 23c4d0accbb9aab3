/// How much a log says of each call.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum LogLevel: Sendable, Hashable {
    /// A line for each call that fails: without an answer, or with a status outside 200 to 399.
    case failures
    /// A line for each call.
    case line
    /// The line, and below it the fields of request and answer.
    case fields
    /// The fields, and of both bodies at most so many bytes. A body is looked at while it passes by, and never read for the log.
    case bodies(limit: Int)

    var showsFields: Bool {
        switch self {
        case .fields, .bodies: true
        case .failures, .line: false
        }
    }

    var bodyLimit: Int {
        if case .bodies(let limit) = self { max(limit, 0) } else { 0 }
    }
}
