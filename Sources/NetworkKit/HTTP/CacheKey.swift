internal import PlatformBase

/// What answers are kept by: the URL that they are of (RFC 9111 §2). The method isn't part of it, since only answers to GET are kept;
/// whose answer it is, and for which request fields, is the entry's ``CacheVariant``: so one call removes them all.
///
/// A URL may hold a secret. So a store must not write the text of a key anywhere, nor name a file after it, but by a hash.
struct CacheKey: Sendable, Hashable {
    /// The URL without fragment and user information, scheme and host in lower case, the default port left out.
    let text: String
    /// A dictionary hashes its keys again whenever it moves them; a URL is long, so that is done once.
    private let digest: Int

    /// Whether the URL has a query.
    var hasQuery: Bool { text.utf8.contains(UInt8(ascii: "?")) }

    /// The key of a URL.
    init(_ url: URL) { self.init(url.absoluteString) }

    init(_ url: String) {
        text = Self.isNormal(url) ? url : Self.normalized(url)
        digest = text.hashValue
    }

    /// The key of what a field such as `Location` names.
    init(_ reference: String, relativeTo base: URIReference) { self.init(Self.target(reference, relativeTo: base).text) }

    /// What a field such as `Location` names, as a request for it has it: servers write letters outside of ASCII as they are.
    static func target(_ reference: String, relativeTo base: URIReference) -> URIReference {
        URIReference(reference.trimmingSpaces()).encoded.resolved(against: base)
    }

    static func == (left: CacheKey, right: CacheKey) -> Bool { left.digest == right.digest && left.text == right.text }
    func hash(into hasher: inout Hasher) { hasher.combine(digest) }

    private static func normalized(_ text: String) -> String {
        var reference = URIReference(text)
        reference.fragment = nil
        guard let origin = Origin(reference) else { return reference.text }
        reference.scheme = nil
        reference.authority = nil
        if reference.path.isEmpty { reference.path = "/" }
        return "\(origin)\(reference.text)"
    }

    /// Whether a URL is written as keys are: nearly all are, and taking one apart costs more than finding an answer.
    private static func isNormal(_ text: String) -> Bool {
        var slashes = 0
        var colons = 0
        var port = 0
        for byte in text.utf8 {
            if byte == UInt8(ascii: "#") { return false }
            guard slashes < 3 else { continue }
            switch byte {
            case UInt8(ascii: "/"): slashes += 1
            case UInt8(ascii: ":"): colons += 1
            case UInt8(ascii: "0")...UInt8(ascii: "9") where colons == 2:
                port = port &* 10 &+ Int(byte - UInt8(ascii: "0"))
                // A port that begins with 0 is written otherwise.
                if port == 0 { return false }
            case UInt8(ascii: "@"), UInt8(ascii: "["), UInt8(ascii: "?"), UInt8(ascii: "A")...UInt8(ascii: "Z"): return false
            default: if colons == 2 { return false }
            }
        }
        return slashes >= 3 && colons <= 2 && (colons < 2 || (port != 0 && port != 80 && port != 443))
    }
}

extension CacheKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Nothing of the URL, which may hold a secret.
    var description: String { "CacheKey" }
    var debugDescription: String { description }
    var customMirror: Mirror { Mirror(self, children: []) }
}
