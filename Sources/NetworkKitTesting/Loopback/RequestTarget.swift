internal import NetworkKit

/// A target (RFC 9112 §3.2) taken apart: origin form, absolute form as sent to a proxy, or `*`.
struct RequestTarget {
    /// The path as it came, not decoded.
    let path: String
    /// The query as it came, without the question mark.
    let query: String?

    init(_ target: String) {
        var rest = Substring(target)
        if let colon = rest.firstIndex(of: ":"), rest[colon...].hasPrefix("://"), !rest[..<colon].contains("/") {
            rest = rest[colon...].dropFirst(3).drop { $0 != "/" && $0 != "?" }
        }
        let mark = rest.firstIndex(of: "?")
        let path = String(rest[..<(mark ?? rest.endIndex)])
        self.path = path.isEmpty ? "/" : path
        query = mark.map { String(rest[rest.index(after: $0)...]) }
    }

    /// The query taken apart as servers do (application/x-www-form-urlencoded): `+` is a space, triplets are decoded.
    var items: [QueryItem] {
        (query ?? "").split(separator: "&").map { item in
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return QueryItem(name: Self.decode(parts[0]), value: parts.count > 1 ? Self.decode(parts[1]) : nil)
        }
    }

    private static func decode(_ text: Substring) -> String {
        PercentEncoding.decode(String(text.map { $0 == "+" ? " " : $0 }))
    }
}

/// One item of a query, decoded.
public struct QueryItem: Sendable, Hashable {
    /// The text before the first `=`.
    public let name: String
    /// The text behind it; `nil` where there is no `=`.
    public let value: String?

    /// An item.
    public init(name: String, value: String?) {
        self.name = name
        self.value = value
    }
}
