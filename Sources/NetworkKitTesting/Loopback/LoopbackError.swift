/// What can go wrong at a ``LoopbackServer``: in starting it, or for a route that reads or writes.
public enum LoopbackError: Error, Sendable, Hashable {
    /// A call of the system failed; `code` is its `errno`.
    case system(call: String, code: Int32)
    /// The client broke the protocol. The server answers with `status`, 400 as a rule, and closes the connection.
    case malformedRequest(status: Int, reason: String)
    /// The client closed or reset the connection.
    case clientGone
    /// The connection was closed on this side: by the route, or because the server stops.
    case connectionClosed
    /// The request's body is longer than the route was ready to take, in bytes.
    case bodyTooLarge(limit: Int)
    /// The calls on an exchange came in an order that makes no answer.
    case misuse(String)
}

extension LoopbackError: CustomStringConvertible {
    /// The error as a sentence.
    public var description: String {
        switch self {
        case .system(let call, let code): "\(call) failed with errno \(code)"
        case .malformedRequest(_, let reason): "malformed request: \(reason)"
        case .clientGone: "the client closed the connection"
        case .connectionClosed: "the connection is closed"
        case .bodyTooLarge(let limit): "the request's body is longer than \(limit) bytes"
        case .misuse(let reason): reason
        }
    }

    static func malformed(_ reason: String, status: Int = 400) -> LoopbackError {
        .malformedRequest(status: status, reason: reason)
    }
}
