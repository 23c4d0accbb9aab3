/// A media type with its parameters (RFC 9110 §8.3.1): `application/json; charset=utf-8`.
public struct MediaType: Sendable, Hashable {
    /// The type and subtype in lower case, without parameters: `application/json`.
    public var essence: String
    /// The parameters by their lower-cased names, quotes taken off.
    public var parameters: [String: String]

    /// A media type, or `nil` when the text has no `type/subtype` at its start. Parameters that can't be read are passed over.
    public init?(_ text: String) {
        var pieces = Self.split(text)
        let essence = pieces.removeFirst().trimmingSpaces().lowercased()
        let halves = essence.split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2, halves.allSatisfy({ Token.isValid(String($0)) }) else { return nil }
        self.essence = essence
        parameters = [:]
        for piece in pieces {
            guard let equals = piece.firstIndex(of: "=") else { continue }
            let name = piece[..<equals].trimmingSpaces().lowercased()
            guard Token.isValid(name), parameters[name] == nil else { continue }
            let value = piece[piece.index(after: equals)...].trimmingSpaces()
            parameters[name] = QuotedString.text(value.utf8)?.text ?? value
        }
    }

    /// Whether the content is JSON by its type: `application/json`, `text/json` or any `+json` (WHATWG MIME Sniffing §4.6).
    public var isJSON: Bool { essence == "application/json" || essence == "text/json" || essence.hasSuffix("+json") }

    /// The `charset` parameter in lower case.
    public var charset: String? { parameters["charset"]?.lowercased() }

    /// Splits at semicolons that stand outside of quotes.
    private static func split(_ text: String) -> [Substring] {
        var pieces: [Substring] = []
        var start = text.startIndex
        var scan = QuotedScan()
        for index in text.utf8.indices where scan.isOutside(text.utf8[index]) && text.utf8[index] == UInt8(ascii: ";") {
            pieces.append(text[start..<index])
            start = text.utf8.index(after: index)
        }
        return pieces + [text[start...]]
    }
}
