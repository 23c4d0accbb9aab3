/// What a request asks for (RFC 9110 §9).
///
/// The standard methods are static members, usable wherever a method is expected:
///
/// ```swift
/// var method: any RequestMethod { .post }
/// ```
///
/// An API with a method of its own adds a type:
///
/// ```swift
/// struct Purge: RequestMethod {
///     let name = "PURGE"
///     let isIdempotent = true
/// }
/// ```
public protocol RequestMethod: Sendable {
    /// The token sent in the request line. Case matters (RFC 9110 §9.1).
    var name: String { get }
    /// Whether the method only reads (RFC 9110 §9.2.1). `false` unless said otherwise.
    var isSafe: Bool { get }
    /// Whether sending it twice has the effect of sending it once (RFC 9110 §9.2.2), so that it may be sent again after a
    /// failure. `isSafe` unless said otherwise.
    var isIdempotent: Bool { get }
}

extension RequestMethod {
    /// `false`.
    public var isSafe: Bool { false }
    /// The same as `isSafe`.
    public var isIdempotent: Bool { isSafe }
}

/// A method as a value: what every request holds.
public struct HTTPMethod: RequestMethod, Hashable {
    /// The token sent in the request line.
    public let name: String
    /// Whether the method only reads.
    public let isSafe: Bool
    /// Whether sending it twice has the effect of sending it once.
    public let isIdempotent: Bool

    /// Takes over any method.
    ///
    /// - Throws: ``RequestError/encode(_:)`` when the name is no token of RFC 9110 §5.6.2, so that nothing can be smuggled into
    ///   the request line, or when it is `CONNECT`, which asks for a tunnel and not for an answer.
    public init(_ method: any RequestMethod) throws(RequestError) {
        if let checked = method as? HTTPMethod {
            self = checked
        } else {
            try self.init(checking: method.name, isSafe: method.isSafe, isIdempotent: method.isIdempotent)
        }
    }

    /// A method by its name: a standard one with its own properties, or another, taken to be neither safe nor idempotent.
    ///
    /// - Throws: ``RequestError/encode(_:)`` when the name is no token.
    public init(name: String) throws(RequestError) {
        if let standard = Self.standard.first(where: { $0.name == name }) {
            self = standard
        } else {
            try self.init(checking: name, isSafe: false, isIdempotent: false)
        }
    }

    private init(checking name: String, isSafe: Bool, isIdempotent: Bool) throws(RequestError) {
        guard Token.isValid(name) else {
            throw .encode(.init(.init(part: .method), reason: "the method \(Token.quoted(name)) is not a token (RFC 9110 §9.1)"))
        }
        guard name != "CONNECT" else {
            throw .encode(.init(.init(part: .method), reason: "CONNECT asks for a tunnel; set a proxy on the transport instead"))
        }
        self.init(unchecked: name, isSafe: isSafe, isIdempotent: isIdempotent)
    }

    private init(unchecked name: String, isSafe: Bool, isIdempotent: Bool) {
        self.name = name
        self.isSafe = isSafe
        self.isIdempotent = isIdempotent
    }

    private static let standard: [HTTPMethod] = [.get, .head, .post, .put, .patch, .delete, .options, .trace, .query]

    fileprivate static func named(_ name: String, safe: Bool = false, idempotent: Bool = false) -> HTTPMethod {
        HTTPMethod(unchecked: name, isSafe: safe, isIdempotent: safe || idempotent)
    }
}

extension HTTPMethod {
    /// Whether two methods have the same name, which is all that a server sees: a type of one's own named `HEAD` is ``head``.
    public static func == (left: Self, right: Self) -> Bool { left.name == right.name }
    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension RequestMethod where Self == HTTPMethod {
    /// Reads a resource (RFC 9110 §9.3.1).
    public static var get: HTTPMethod { .named("GET", safe: true) }
    /// Reads a resource's fields without its content (RFC 9110 §9.3.2).
    public static var head: HTTPMethod { .named("HEAD", safe: true) }
    /// Has the resource process the content (RFC 9110 §9.3.3).
    public static var post: HTTPMethod { .named("POST") }
    /// Replaces the resource (RFC 9110 §9.3.4).
    public static var put: HTTPMethod { .named("PUT", idempotent: true) }
    /// Changes the resource in part (RFC 5789). Not idempotent.
    public static var patch: HTTPMethod { .named("PATCH") }
    /// Removes the resource (RFC 9110 §9.3.5).
    public static var delete: HTTPMethod { .named("DELETE", idempotent: true) }
    /// Asks what can be done with the resource (RFC 9110 §9.3.7).
    public static var options: HTTPMethod { .named("OPTIONS", safe: true) }
    /// Has the request echoed (RFC 9110 §9.3.8). It may not have a body.
    public static var trace: HTTPMethod { .named("TRACE", safe: true) }
    /// Reads with a query in the content (draft-ietf-httpbis-safe-method-w-body).
    public static var query: HTTPMethod { .named("QUERY", safe: true) }
}

extension HTTPMethod: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}
