public import NetworkKit
public import PlatformBase

/// A request as it came over the wire, kept by a ``LoopbackServer``.
public struct RecordedRequest: Sendable {
    /// Counts the requests of the server, from 1, in the order in which their heads arrived.
    public let number: Int
    /// The method.
    public let method: HTTPMethod
    /// The target of the request line, exactly as it came: not decoded, nothing left out.
    public let target: String
    /// The header fields: order, case and repetition as they came. Values are without the white space around them.
    public let headers: HTTPFields
    /// Counts the connections of the server, from 1, in the order in which they were accepted.
    public let connection: Int
    /// Whether the connection had carried a request before.
    public let isReused: Bool
    /// The content that has arrived, chunks put together; at most ``LoopbackServer/Limits/recordedBodySize`` bytes.
    public internal(set) var body = Data()
    /// Whether more content arrived than was kept.
    public internal(set) var bodyIsTruncated = false
    /// Whether the content has arrived to its end.
    public internal(set) var isComplete = false
    /// The fields behind a chunked body.
    public internal(set) var trailers: HTTPFields = [:]
}

extension RecordedRequest {
    /// The path of the target as it came, not decoded, without the query. `/` where there is none.
    public var path: String { RequestTarget(target).path }
    /// The query as it came, not decoded, without the question mark.
    public var query: String? { RequestTarget(target).query }
    /// The items of the query in order, decoded as servers do: `+` is a space.
    public var queryItems: [QueryItem] { RequestTarget(target).items }
    /// The content as text, bytes that are no UTF-8 replaced.
    public var text: String { String(decoding: body, as: UTF8.self) }
}
