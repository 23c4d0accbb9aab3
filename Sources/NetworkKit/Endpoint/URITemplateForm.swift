internal import PlatformBase

/// How the expressions of an operator are written (RFC 6570 §3.2 and Appendix A).
struct URITemplateForm: Hashable {
    /// What stands before the first value, and between two.
    let start: String
    let separator: String
    /// Whether a value stands behind its name, and what stands behind the name of an empty one.
    let isNamed: Bool
    let ifEmpty: String
    /// Whether reserved characters, and triplets, go out as they are.
    let allowsReserved: Bool

    /// The form of an operator, `nil` for none: simple expansion (§3.2.2) to form-style continuation (§3.2.9).
    init?(_ mark: UInt8?) {
        switch mark {
        case nil: self.init("", ",")
        case UInt8(ascii: "+"): self.init("", ",", allowsReserved: true)
        case UInt8(ascii: "#"): self.init("#", ",", allowsReserved: true)
        case UInt8(ascii: "."): self.init(".", ".")
        case UInt8(ascii: "/"): self.init("/", "/")
        case UInt8(ascii: ";"): self.init(";", ";", isNamed: true)
        case UInt8(ascii: "?"): self.init("?", "&", isNamed: true, ifEmpty: "=")
        case UInt8(ascii: "&"): self.init("&", "&", isNamed: true, ifEmpty: "=")
        default: return nil
        }
    }

    private init(_ start: String, _ separator: String, isNamed: Bool = false, ifEmpty: String = "", allowsReserved: Bool = false) {
        self.start = start
        self.separator = separator
        self.isNamed = isNamed
        self.ifEmpty = ifEmpty
        self.allowsReserved = allowsReserved
    }

    /// One variable's value (RFC 6570 §3.2.1); `nil` for a prefix of what isn't one text.
    func text(of value: URITemplateText, _ variable: URITemplateVariable) -> String? {
        switch value {
        case .text(let text, _):
            // A prefix is so many characters of the value before it is encoded; a character here is a code point.
            let taken = variable.prefix.map { String(text.unicodeScalars.prefix($0)) } ?? text
            return named(variable.name, encode(taken), isEmpty: taken.isEmpty)
        case _ where variable.prefix != nil:
            return nil
        case .list(let texts) where variable.isExploded:
            return texts.map { isNamed ? named(variable.name, encode($0), isEmpty: $0.isEmpty) : encode($0) }.joined(separator: separator)
        case .list(let texts):
            return named(variable.name, texts.map(encode).joined(separator: ","), isEmpty: false)
        case .pairs(let pairs) where variable.isExploded:
            return pairs.map { pair in
                isNamed ? named(pair.name, encode(pair.value), isEmpty: pair.value.isEmpty) : encode(pair.name) + "=" + encode(pair.value)
            }.joined(separator: separator)
        case .pairs(let pairs):
            let texts = pairs.flatMap { [encode($0.name), encode($0.value)] }
            return named(variable.name, texts.joined(separator: ","), isEmpty: false)
        }
    }

    private func named(_ name: String, _ text: String, isEmpty: Bool) -> String {
        guard isNamed else { return text }
        // A variable's name has no character to encode but in a template; the name of a pair may have any.
        return URITemplatePart.encodedLiteral(name) + (isEmpty ? ifEmpty : "=" + text)
    }

    private func encode(_ text: String) -> String {
        allowsReserved ? URITemplatePart.encodedLiteral(text) : PercentEncoding.encodeValue(text)
    }
}
