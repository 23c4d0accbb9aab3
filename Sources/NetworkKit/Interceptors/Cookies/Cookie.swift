public import PlatformBase

/// A cookie: a name and a value that a server wants back, and when (RFC 6265bis).
///
/// The value is a secret: no description shows it.
public struct Cookie: Sendable, Hashable {
    /// What the server says about requests that another site causes. Kept, and without effect here: see ``CookieJar``.
    public enum SameSite: String, Sendable, Hashable {
        /// With requests from the same site only.
        case strict
        /// And when a person follows a link from elsewhere.
        case lax
        /// With all.
        case none
    }

    /// The name. It may be empty: a cookie without one is sent as its value alone.
    public var name: String
    /// The value, quotes included where it has them.
    public var value: String
    /// The host that it belongs to, in lower case and ASCII, without a dot in front.
    public var domain: String
    /// The path that it belongs to; it is sent to this one and to all below.
    public var path: String
    /// When it ends; `nil` for a session cookie, which ends with the program unless its jar keeps it.
    public var expires: Date?
    /// Whether it is sent over https alone.
    public var isSecure: Bool
    /// Whether scripts of a page must not see it. Kept, and without effect here: there are no scripts.
    public var isHTTPOnly: Bool
    /// What the server says about requests that another site causes; `nil` when it says nothing.
    public var sameSite: SameSite?
    /// Whether it is sent to `domain` alone, and not to the hosts below.
    public var isHostOnly: Bool
    /// When it was first stored. A cookie that takes the place of another keeps that one's date (RFC 6265bis §5.7).
    public internal(set) var created: Date
    /// When it was last sent, or stored.
    public internal(set) var lastAccess: Date

    /// A cookie, to be put into a jar by hand.
    ///
    /// - Parameters:
    ///   - domain: the host that it belongs to, in ASCII.
    ///   - isHostOnly: `false` sends it to the hosts below as well.
    public init(
        name: String, value: String, domain: String, path: String = "/", expires: Date? = nil, isSecure: Bool = false,
        isHTTPOnly: Bool = false, sameSite: SameSite? = nil, isHostOnly: Bool = true
    ) {
        self.init(
            name: name, value: value, domain: domain.lowercased(), path: path, expires: expires, isSecure: isSecure,
            isHTTPOnly: isHTTPOnly, sameSite: sameSite, isHostOnly: isHostOnly, created: .distantPast, lastAccess: .distantPast)
    }

    init(
        name: String, value: String, domain: String, path: String, expires: Date?, isSecure: Bool, isHTTPOnly: Bool,
        sameSite: SameSite?, isHostOnly: Bool, created: Date, lastAccess: Date
    ) {
        self.name = name
        self.value = value
        self.domain = domain
        self.path = path
        self.expires = expires
        self.isSecure = isSecure
        self.isHTTPOnly = isHTTPOnly
        self.sameSite = sameSite
        self.isHostOnly = isHostOnly
        self.created = created
        self.lastAccess = lastAccess
    }

    /// As it is sent (RFC 6265bis §5.8.3).
    var pair: String { name.isEmpty ? value : name + "=" + value }

    /// Whether it has ended.
    func isExpired(at now: Date) -> Bool { expires.map { $0 <= now } ?? false }
}

extension Cookie: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Name and attributes, and nothing of the value.
    public var description: String {
        var text =
            (name.isEmpty ? "" : "\(name)=")
            + "\(SecretValues.mask); Domain=\(domain)\(isHostOnly ? " (this host only)" : ""); Path=\(path)"
        if let expires { text += "; Expires=\(expires.formatted(.iso8601))" }
        if isSecure { text += "; Secure" }
        if isHTTPOnly { text += "; HttpOnly" }
        if let sameSite { text += "; SameSite=\(sameSite.rawValue)" }
        return text
    }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// What `dump` sees: the description.
    public var customMirror: Mirror { Mirror(self, children: ["cookie": description]) }
}
