internal import PlatformBase

/// What a cookie must be like to be stored (RFC 6265bis §5.7), wherever it comes from.
struct CookieRules: Sendable {
    /// The most bytes of name and value together.
    static let sizeLimit = 4096
    /// The most bytes of an attribute's value; a longer attribute isn't there.
    static let attributeLimit = 1024
    /// The most cookies of one answer, ten times what a domain may keep. Any of those that follow may be ignored (RFC 6265bis §5.7, step 1).
    static let answerLimit = 10 * CookieStore.domainLimit
    /// The longest that a cookie lives from when it was stored.
    static let longestLife: TimeInterval = 400 * 86_400

    /// Whether a domain of two labels or more is one below which hosts belong to different owners, `co.uk` for instance.
    var isPublicSuffix: (@Sendable (String) -> Bool)?

    /// What is wrong with a cookie, whoever sent it.
    static func refusal(of cookie: Cookie) -> Cookie.Refusal? {
        let size = cookie.name.utf8.count + cookie.value.utf8.count
        guard size > 0 else { return .empty }
        // Before its bytes are looked at: they may be many.
        guard size <= sizeLimit else { return .tooLarge(size) }
        let isValueByte = { (byte: UInt8) in Token.isFieldValueByte(byte) && byte != UInt8(ascii: ";") }
        guard cookie.name.utf8.allSatisfy({ isValueByte($0) && $0 != UInt8(ascii: "=") }), cookie.value.utf8.allSatisfy(isValueByte) else {
            return .character
        }
        guard cookie.path.utf8.first == UInt8(ascii: "/") else { return .path }
        guard cookie.domain.utf8.allSatisfy({ $0 < 0x80 }) else { return .domainOutsideASCII }
        return prefixRefusal(of: cookie)
    }

    /// What is wrong with a cookie that came from a place. One whose domain belongs to everybody, and which came from just that host, is
    /// made to stay there.
    func refusal(of cookie: inout Cookie, from place: CookiePlace) -> Cookie.Refusal? {
        if let refusal = domainRefusal(of: &cookie, from: place) { return refusal }
        if cookie.isSecure && !place.isSecure { return .insecureSource }
        return Self.refusal(of: cookie)
    }

    private func domainRefusal(of cookie: inout Cookie, from place: CookiePlace) -> Cookie.Refusal? {
        let domain = cookie.domain
        guard domain.utf8.allSatisfy({ $0 < 0x80 }) else { return .domainOutsideASCII }
        if cookie.isHostOnly { return domain == place.host ? nil : .foreignDomain(domain) }
        let isAddress = CookieScope.isAddress(domain[...])
        if isAddress || CookieScope.isSingleLabel(domain[...]) || isPublicSuffix?(domain) == true {
            guard domain == place.host else { return isAddress ? .addressDomain(domain) : .publicSuffix(domain) }
            cookie.isHostOnly = true
            return nil
        }
        return CookieScope.domain(domain, includes: place.host) ? nil : .foreignDomain(domain)
    }

    private static let securePrefix = "__Secure-"
    static let hostPrefix = "__Host-"

    /// A server sees the name alone, so the name's promise must be kept here. In whatever case: servers there are that ignore it. A
    /// cookie without a name must not look as if it had such a one when it is sent.
    private static func prefixRefusal(of cookie: Cookie) -> Cookie.Refusal? {
        let name = cookie.name.isEmpty ? cookie.value : cookie.name
        if begins(name, with: securePrefix) {
            return cookie.isSecure && !cookie.name.isEmpty ? nil : .prefix(securePrefix)
        }
        if begins(name, with: hostPrefix) {
            let isKept = cookie.isSecure && cookie.isHostOnly && cookie.path == "/" && !cookie.name.isEmpty
            return isKept ? nil : .prefix(hostPrefix)
        }
        return nil
    }

    /// Whether a name begins with one of them, in whatever case.
    static func begins(_ name: String, with prefix: String) -> Bool {
        guard name.utf8.first == UInt8(ascii: "_") else { return false }
        return name.utf8.prefix(prefix.utf8.count).map { $0 | 0x20 }.elementsEqual(prefix.utf8.map { $0 | 0x20 })
    }

    /// The date that a cookie may live to, of the one that it asks for.
    static func bounded(_ expires: Date, now: Date) -> Date { min(expires, now.addingTimeInterval(longestLife)) }
}
