internal import PlatformBase

/// What can stand for a variable of a ``URITemplate``: strings, numbers, booleans, arrays and dictionaries of these, and
/// ``URITemplatePairs`` where the order of names counts. A dictionary is written in the order of its names.
public protocol URITemplateValue: Sendable {
    /// The value as texts, not encoded.
    var templateValue: URITemplateText { get }
}

/// A value of a variable as texts (RFC 6570 §2.3).
public enum URITemplateText: Sendable, Hashable {
    /// One text. With a fault it can't be sent, and the fault says why: a number that isn't finite has no text.
    case text(String, fault: String? = nil)
    /// A list. An empty one counts as undefined.
    case list([String])
    /// Names with values, in order. None counts as undefined.
    case pairs([URITemplatePair])

    var isDefined: Bool {
        switch self {
        case .text: true
        case .list(let texts): !texts.isEmpty
        case .pairs(let pairs): !pairs.isEmpty
        }
    }

    var fault: String? { if case .text(_, let fault) = self { fault } else { nil } }
}

/// A name with a value.
public struct URITemplatePair: Sendable, Hashable {
    /// The name, not encoded.
    public var name: String
    /// The value, not encoded.
    public var value: String

    /// A pair.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// Names with values in an order of one's own: `["comma": ",", "dot": "."] as URITemplatePairs`.
public struct URITemplatePairs: URITemplateValue, ExpressibleByDictionaryLiteral, Hashable {
    /// The pairs.
    public var pairs: [URITemplatePair]

    /// Pairs as a literal.
    public init(dictionaryLiteral elements: (String, String)...) { pairs = elements.map { URITemplatePair(name: $0, value: $1) } }

    /// The pairs.
    public var templateValue: URITemplateText { .pairs(pairs) }
}

extension URITemplateText: URITemplateValue {
    /// The value itself.
    public var templateValue: URITemplateText { self }
}

extension URITemplateValue where Self: QueryValue {
    /// The text that the value stands for in a query as well.
    public var templateValue: URITemplateText {
        let part = queryParts.first ?? QueryPart("")
        return .text(part.text, fault: part.fault)
    }
}

extension String: URITemplateValue {}
extension Substring: URITemplateValue {}
extension Bool: URITemplateValue {}
extension Int: URITemplateValue {}
extension Int8: URITemplateValue {}
extension Int16: URITemplateValue {}
extension Int32: URITemplateValue {}
extension Int64: URITemplateValue {}
extension UInt: URITemplateValue {}
extension UInt8: URITemplateValue {}
extension UInt16: URITemplateValue {}
extension UInt32: URITemplateValue {}
extension UInt64: URITemplateValue {}
extension Double: URITemplateValue {}
extension Float: URITemplateValue {}
extension UUID: URITemplateValue {}

extension URITemplateValue where Self: RawRepresentable, RawValue: URITemplateValue {
    /// What the raw value stands for.
    public var templateValue: URITemplateText { rawValue.templateValue }
}

extension Array: URITemplateValue where Element: URITemplateValue {
    /// The elements that are one text each.
    public var templateValue: URITemplateText { .of(map { ("", $0) }) { .list($0.map(\.value)) } }
}

extension Dictionary: URITemplateValue where Key == String, Value: URITemplateValue {
    /// The pairs, sorted by name.
    public var templateValue: URITemplateText { .of(sorted { $0.key < $1.key }.map { ($0.key, $0.value) }) { .pairs($0) } }
}

extension URITemplateText {
    /// A value of members that are one text each; another member has no place in a template.
    fileprivate static func of(_ members: [(String, any URITemplateValue)], _ make: ([URITemplatePair]) -> URITemplateText) -> Self {
        var pairs: [URITemplatePair] = []
        for (name, member) in members {
            guard case .text(let text, let fault) = member.templateValue else { return .text("", fault: "a list in a list") }
            if fault != nil { return .text("", fault: fault) }
            pairs.append(URITemplatePair(name: name, value: text))
        }
        return make(pairs)
    }
}
