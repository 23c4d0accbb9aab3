/// One header or trailer field: a name and a value (RFC 9110 §5).
public struct HTTPField: Sendable, Hashable {
    /// The name. Case doesn't count when names are compared; the case given is the one sent.
    public var name: Name
    /// The value, without white space around it. Text outside ASCII is sent as UTF-8.
    public var value: String {
        didSet { isFaulty = false }
    }
    /// Whether the value is masked wherever the field is described, and kept to the origin that it was meant for.
    public var isSecret: Bool
    /// Whether the value is no text but the reason why there is none: the last check refuses the field with it.
    private(set) var isFaulty = false

    /// A field.
    ///
    /// - Parameter isSecret: whether the value is masked and kept to its origin. `Authorization`, `Proxy-Authorization`, `Cookie` and
    ///   `Set-Cookie` always are.
    public init(name: Name, value: String, isSecret: Bool = false) {
        self.name = name
        self.value = value
        self.isSecret = isSecret || name.isCredential
    }

    /// The field that a value of a literal stands for.
    init(name: Name, _ part: QueryPart) {
        self.init(name: name, value: part.fault ?? part.text, isSecret: part.isSecret)
        isFaulty = part.fault != nil
    }
}

extension HTTPField {
    /// The name of a field. Two names are equal when they differ in case only (RFC 9110 §5.1).
    public struct Name: Sendable {
        /// The name as it was given.
        public let rawName: String

        /// A name. One that is no token (RFC 9110 §5.1) is refused when the request is sent, with ``RequestError/encode(_:)``.
        public init(_ name: String) { rawName = name }

        /// Whether fields of this name are credentials, and so always secret.
        public var isCredential: Bool {
            // By length first: it is asked of every field.
            switch rawName.utf8.count {
            case 6: self == .cookie
            case 10: self == .setCookie
            case 13: self == .authorization
            case 19: self == .proxyAuthorization
            default: false
            }
        }
    }
}

extension HTTPField.Name: Hashable {
    /// Whether two names differ in ASCII case only.
    public static func == (left: Self, right: Self) -> Bool {
        guard left.rawName.utf8.count == right.rawName.utf8.count else { return false }
        // Most names are written in the same case everywhere.
        if left.rawName == right.rawName { return true }
        return zip(left.rawName.utf8, right.rawName.utf8).allSatisfy { $0 == $1 || lowered($0) == lowered($1) }
    }

    /// Whether the bytes of a field line's name are this name.
    func isSpelled(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let name = rawName.utf8
        return name.count == bytes.count && zip(name, bytes).allSatisfy { $0 == $1 || Self.lowered($0) == Self.lowered($1) }
    }

    /// Hashes the lower-cased name.
    public func hash(into hasher: inout Hasher) {
        for byte in rawName.utf8 { hasher.combine(Self.lowered(byte)) }
    }

    private static func lowered(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }
}

extension HTTPField.Name: ExpressibleByStringLiteral, CustomStringConvertible {
    /// A name as a literal: `fields["X-Request-ID"]`.
    public init(stringLiteral value: String) { rawName = value }
    /// The name as it was given.
    public var description: String { rawName }
}

extension HTTPField.Name {
    /// `Accept` (RFC 9110 §12.5.1).
    public static var accept: Self { "Accept" }
    /// `Accept-Encoding` (RFC 9110 §12.5.3).
    public static var acceptEncoding: Self { "Accept-Encoding" }
    /// `Accept-Language` (RFC 9110 §12.5.4).
    public static var acceptLanguage: Self { "Accept-Language" }
    /// `Age` (RFC 9111 §5.1).
    public static var age: Self { "Age" }
    /// `Allow` (RFC 9110 §10.2.1).
    public static var allow: Self { "Allow" }
    /// `Authorization` (RFC 9110 §11.6.2). Always secret.
    public static var authorization: Self { "Authorization" }
    /// `Cache-Control` (RFC 9111 §5.2).
    public static var cacheControl: Self { "Cache-Control" }
    /// `Connection` (RFC 9110 §7.6.1).
    public static var connection: Self { "Connection" }
    /// `Content-Disposition` (RFC 6266).
    public static var contentDisposition: Self { "Content-Disposition" }
    /// `Content-Encoding` (RFC 9110 §8.4).
    public static var contentEncoding: Self { "Content-Encoding" }
    /// `Content-Language` (RFC 9110 §8.5).
    public static var contentLanguage: Self { "Content-Language" }
    /// `Content-Length` (RFC 9110 §8.6).
    public static var contentLength: Self { "Content-Length" }
    /// `Content-Location` (RFC 9110 §8.7).
    public static var contentLocation: Self { "Content-Location" }
    /// `Content-Range` (RFC 9110 §14.4).
    public static var contentRange: Self { "Content-Range" }
    /// `Content-Type` (RFC 9110 §8.3).
    public static var contentType: Self { "Content-Type" }
    /// `Cookie` (RFC 6265 §4.2). Always secret.
    public static var cookie: Self { "Cookie" }
    /// `Date` (RFC 9110 §6.6.1).
    public static var date: Self { "Date" }
    /// `ETag` (RFC 9110 §8.8.3).
    public static var eTag: Self { "ETag" }
    /// `Expect` (RFC 9110 §10.1.1).
    public static var expect: Self { "Expect" }
    /// `Expires` (RFC 9111 §5.3).
    public static var expires: Self { "Expires" }
    /// `Host` (RFC 9110 §7.2).
    public static var host: Self { "Host" }
    /// `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header).
    public static var idempotencyKey: Self { "Idempotency-Key" }
    /// `If-Modified-Since` (RFC 9110 §13.1.3).
    public static var ifModifiedSince: Self { "If-Modified-Since" }
    /// `If-None-Match` (RFC 9110 §13.1.2).
    public static var ifNoneMatch: Self { "If-None-Match" }
    /// `If-Range` (RFC 9110 §13.1.5).
    public static var ifRange: Self { "If-Range" }
    /// `Last-Modified` (RFC 9110 §8.8.2).
    public static var lastModified: Self { "Last-Modified" }
    /// `Link` (RFC 8288).
    public static var link: Self { "Link" }
    /// `Location` (RFC 9110 §10.2.2).
    public static var location: Self { "Location" }
    /// `Proxy-Authorization` (RFC 9110 §11.7.2). Always secret.
    public static var proxyAuthorization: Self { "Proxy-Authorization" }
    /// `Range` (RFC 9110 §14.2).
    public static var range: Self { "Range" }
    /// `Retry-After` (RFC 9110 §10.2.3).
    public static var retryAfter: Self { "Retry-After" }
    /// `Set-Cookie` (RFC 6265 §4.1). Always secret.
    public static var setCookie: Self { "Set-Cookie" }
    /// `Transfer-Encoding` (RFC 9112 §6.1).
    public static var transferEncoding: Self { "Transfer-Encoding" }
    /// `User-Agent` (RFC 9110 §10.1.5).
    public static var userAgent: Self { "User-Agent" }
    /// `Vary` (RFC 9110 §12.5.5).
    public static var vary: Self { "Vary" }
    /// `WWW-Authenticate` (RFC 9110 §11.6.1).
    public static var wwwAuthenticate: Self { "WWW-Authenticate" }
}
