internal import PlatformBase

/// A URI reference split into its five components (RFC 3986 §3 and Appendix B), and resolved against a base (§5.2).
///
/// Foundation's `URL` decodes, re-encodes and normalises differently by platform and by what else is linked; the bytes that
/// go out must not. So whatever builds or takes apart a URL here does it on the text, with this type.
struct URIReference: Hashable {
    var scheme: String?
    /// User information, host and port as they are written; `nil` when there is no `//`.
    var authority: String?
    var path: String
    var query: String?
    var fragment: String?

    /// Splits a text, by its bytes: a delimiter with a combining character behind it is a delimiter all the same.
    init(_ text: String) {
        var rest = text.utf8[...]
        if let hash = rest.firstIndex(of: UInt8(ascii: "#")) {
            fragment = String(rest[hash...].dropFirst())
            rest = rest[..<hash]
        }
        if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
            query = String(rest[mark...].dropFirst())
            rest = rest[..<mark]
        }
        let end = rest.firstIndex { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }
        if let end, rest[end] == UInt8(ascii: ":"), Self.isScheme(rest[..<end]) {
            scheme = String(rest[..<end])
            rest = rest[end...].dropFirst()
        }
        if rest.starts(with: [UInt8(ascii: "/"), UInt8(ascii: "/")]) {
            rest = rest.dropFirst(2)
            let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            authority = String(rest[..<end])
            rest = rest[end...]
        }
        path = String(rest) ?? ""
    }

    /// The reference as text (RFC 3986 §5.3).
    var text: String {
        var result = ""
        if let scheme { result += scheme + ":" }
        if let authority { result += "//" + authority }
        result += path
        if let query { result += "?" + query }
        if let fragment { result += "#" + fragment }
        return result
    }

    /// The reference as a URL, byte for byte; `nil` when it has what can't stand in one. Left to itself, `URL` would encode such
    /// bytes, and then the percent signs of what is encoded already once more.
    var url: URL? { URL(string: text, encodingInvalidCharacters: false) }

    /// The reference with what can't stand in it percent-encoded, and what is encoded already kept.
    var encoded: URIReference {
        var result = self
        let encode = { (text: String, isAllowed: (UInt8) -> Bool) in
            PercentEncoding.encode(text, keepsTriplets: true, allowing: isAllowed)
        }
        result.authority = authority.map { encode($0, PercentEncoding.isAuthorityByte) }
        result.path = encode(path, PercentEncoding.isPathByte)
        result.query = query.map { encode($0, PercentEncoding.isQueryByte) }
        result.fragment = fragment.map { encode($0, PercentEncoding.isQueryByte) }
        return result
    }

    /// What the reference means at a base (RFC 3986 §5.2.2). A fragment of the base is handed down when the reference has none
    /// (RFC 9110 §10.2.2).
    func resolved(against base: URIReference) -> URIReference {
        var target = self
        target.fragment = fragment ?? base.fragment
        if scheme != nil {
            target.path = Self.removingDotSegments(path)
            return target
        }
        target.scheme = base.scheme
        if authority != nil {
            target.path = Self.removingDotSegments(path)
            return target
        }
        target.authority = base.authority
        if path.isEmpty {
            target.path = base.path
            target.query = query ?? base.query
        } else if path.hasPrefix("/") {
            target.path = Self.removingDotSegments(path)
        } else {
            let folder = base.path.lastIndex(of: "/").map { base.path[...$0] } ?? (base.authority != nil ? "/" : "")
            target.path = Self.removingDotSegments(folder + path)
        }
        return target
    }

    /// RFC 3986 §5.2.4, by segments.
    private static func removingDotSegments(_ path: String) -> String {
        var kept: [Substring] = []
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment {
            case ".":
                if isLast { kept.append("") }
            case "..":
                if kept.count > (path.hasPrefix("/") ? 1 : 0) { kept.removeLast() }
                if isLast { kept.append("") }
            default:
                kept.append(segment)
            }
        }
        return kept.joined(separator: "/")
    }

    private static func isScheme(_ text: Substring.UTF8View) -> Bool {
        guard let first = text.first, (first | 0x20) >= UInt8(ascii: "a"), (first | 0x20) <= UInt8(ascii: "z") else { return false }
        return text.allSatisfy { byte in
            PercentEncoding.isUnreserved(byte) && byte != UInt8(ascii: "_") && byte != UInt8(ascii: "~") || byte == UInt8(ascii: "+")
        }
    }
}
