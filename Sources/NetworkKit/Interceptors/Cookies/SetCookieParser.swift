internal import PlatformBase

/// One `Set-Cookie` field as a cookie (RFC 6265bis §5.6 and §5.7): a function of the text, where it came from, and the date. It is as
/// lenient as that algorithm says, and no more.
struct SetCookieParser: Sendable {
    var rules = CookieRules()

    /// The cookie, or why there is none. One that has ended already is a cookie all the same: it removes the one in its place.
    func cookie(_ text: String, from place: CookiePlace, now: Date) -> Result<Cookie, Cookie.Refusal> {
        guard text.utf8.allSatisfy(Token.isFieldValueByte) else { return .failure(.character) }
        var rest = text.utf8[...]
        let (first, second) = Self.halves(Self.part(of: &rest))
        let (name, value) = second.map { (first, $0) } ?? ("", first)
        // Before the attributes are read: a pair that is refused needs none.
        let size = name.utf8.count + value.utf8.count
        guard size <= CookieRules.sizeLimit else { return .failure(.tooLarge(size)) }

        let attributes = Attributes(rest, now: now)
        let domain = attributes.domain.flatMap { $0.isEmpty ? nil : $0 }
        var cookie = Cookie(
            name: name, value: value, domain: domain ?? place.host,
            path: attributes.path ?? CookieScope.defaultPath(of: place.path),
            expires: attributes.end ?? attributes.expires, isSecure: attributes.isSecure, isHTTPOnly: attributes.isHTTPOnly,
            sameSite: attributes.sameSite, isHostOnly: domain == nil, created: now, lastAccess: now)
        if let refusal = rules.refusal(of: &cookie, from: place) { return .failure(refusal) }
        // The prefix asks for the attribute, not for a path that happens to be the root.
        if !attributes.namesPath, CookieRules.begins(name, with: CookieRules.hostPrefix) {
            return .failure(.prefix(CookieRules.hostPrefix))
        }
        return .success(cookie)
    }

    /// Takes what stands in front of the next semicolon.
    fileprivate static func part(of rest: inout Substring.UTF8View) -> Substring.UTF8View {
        let end = rest.firstIndex(of: UInt8(ascii: ";")) ?? rest.endIndex
        defer { rest = rest[end...].dropFirst() }
        return rest[..<end]
    }

    /// A pair at its first `=`, without the spaces around its halves. Without one, all of it is the first half.
    fileprivate static func halves(_ pair: Substring.UTF8View) -> (first: String, second: String?) {
        guard let mark = pair.firstIndex(of: UInt8(ascii: "=")) else { return (Substring(pair).trimmingSpaces(), nil) }
        return (Substring(pair[..<mark]).trimmingSpaces(), Substring(pair[mark...].dropFirst()).trimmingSpaces())
    }
}

/// What stands behind the first pair. Of an attribute that is named twice, the last counts.
private struct Attributes {
    var expires: Date?
    /// What Max-Age comes to, which wins over Expires wherever it stands.
    var end: Date?
    var domain: String?
    /// `nil` for the default path.
    var path: String?
    var namesPath = false
    var isSecure = false
    var isHTTPOnly = false
    var sameSite: Cookie.SameSite?

    init(_ text: Substring.UTF8View, now: Date) {
        var rest = text
        while !rest.isEmpty {
            let (name, value) = SetCookieParser.halves(SetCookieParser.part(of: &rest))
            guard value.map({ $0.utf8.count <= CookieRules.attributeLimit }) ?? true else { continue }
            add(name.lowercased(), value ?? "", now: now)
        }
    }

    private mutating func add(_ name: String, _ value: String, now: Date) {
        switch name {
        case "expires":
            if let date = CookieDate.date(value) { expires = CookieRules.bounded(date, now: now) }
        case "max-age":
            if let age = Self.age(value) {
                end = age > 0 ? CookieRules.bounded(now.addingTimeInterval(age), now: now) : .distantPast
            }
        case "domain":
            domain = (value.hasPrefix(".") ? String(value.dropFirst()) : value).lowercased()
        case "path":
            path = value.utf8.first == UInt8(ascii: "/") ? value : nil
            namesPath = true
        case "secure": isSecure = true
        case "httponly": isHTTPOnly = true
        case "samesite": sameSite = Cookie.SameSite(rawValue: value.lowercased())
        default: break
        }
    }

    /// Seconds; `nil` for what is no whole number. A number too large to be one is as large as can be.
    private static func age(_ value: String) -> TimeInterval? {
        let digits = value.utf8.first == UInt8(ascii: "-") ? value.utf8.dropFirst() : value.utf8[...]
        guard !digits.isEmpty, digits.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) else { return nil }
        return Int(value).map(TimeInterval.init) ?? (value.utf8.first == UInt8(ascii: "-") ? -1 : CookieRules.longestLife)
    }
}
