public import NetworkKit
public import PlatformBase

/// A request as a ``StubTransport`` got it, with its body read.
@dynamicMemberLookup
public struct StubRequest: Sendable {
    /// The request as it was sent: `method`, `url`, `headers`, `options` and `context` are reached directly too.
    public let request: HTTPRequest
    /// The body; empty for none.
    public internal(set) var body: Data
    /// Counts the requests of the stub, from 1.
    public let number: Int
    /// Counts the requests that came to the same route, from 1; 0 where no route fitted.
    public internal(set) var occurrence = 0
    /// What the path has in the places of the pattern's names, decoded; what a trailing `*` stands for, under `"*"`.
    public internal(set) var parameters: [String: String] = [:]

    init(_ request: HTTPRequest, body: Data = Data(), number: Int) {
        self.request = request
        self.body = body
        self.number = number
    }

    /// A part of the request as it was sent.
    public subscript<Value>(dynamicMember member: KeyPath<HTTPRequest, Value>) -> Value { request[keyPath: member] }
}

extension StubRequest {
    private var address: RequestTarget { RequestTarget(request.url.absoluteString) }

    /// The path as it was sent, not decoded.
    public var path: String { address.path }
    /// The query as it was sent, not decoded.
    public var query: String? { address.query }
    /// Path and query as they were sent: `/3/movie/550?language=en`.
    public var target: String { query.map { "\(path)?\($0)" } ?? path }
    /// The items of the query in order, decoded as servers do: `+` is a space.
    public var queryItems: [QueryItem] { address.items }
    /// The body as text, bytes that are no UTF-8 replaced.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The first value of a query item, decoded.
    public func query(_ name: String) -> String? { queryItems.first { $0.name == name }?.value }

    /// The body as a value.
    ///
    /// - Throws: what the decoder throws.
    public func json<Value: Decodable>(_ type: Value.Type, decoder: any ResponseDecoder = .json) throws -> Value {
        try decoder.decode(type, from: body)
    }
}

extension StubRequest: CustomStringConvertible {
    /// Method and URL, secrets masked.
    public var description: String { String(request.description.prefix { $0 != "\n" }) }
}
