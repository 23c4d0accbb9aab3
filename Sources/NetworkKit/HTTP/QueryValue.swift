public import PlatformBase

/// What can stand as a value in a ``Query`` and in a literal of ``HTTPFields``.
///
/// Strings, integers, `Double`, `Float`, `Bool`, arrays and optionals of these are; an enum with a raw value becomes one by naming
/// the protocol:
///
/// ```swift
/// enum SortOrder: String, QueryValue { case ascending, descending }
/// ```
public protocol QueryValue: Sendable {
    /// The texts that the value stands for: one as a rule, none for `nil`, one an element for an array.
    var queryParts: [QueryPart] { get }
}

/// One text that a value stands for.
public struct QueryPart: Sendable, Hashable {
    /// The text, not encoded.
    public var text: String
    /// Whether the text is masked wherever it would be shown.
    public var isSecret: Bool
    /// Why the value can't be sent, when it can't: a number that isn't finite has no text.
    public var fault: String?

    /// A text.
    public init(_ text: String, isSecret: Bool = false, fault: String? = nil) {
        self.text = text
        self.isSecret = isSecret
        self.fault = fault
    }
}

extension String: QueryValue {
    /// The text itself.
    public var queryParts: [QueryPart] { [QueryPart(self)] }
}

extension Substring: QueryValue {
    /// The text itself.
    public var queryParts: [QueryPart] { [QueryPart(String(self))] }
}

extension Bool: QueryValue {
    /// `true` or `false`.
    public var queryParts: [QueryPart] { [QueryPart(self ? "true" : "false")] }
}

extension QueryValue where Self: BinaryInteger {
    /// The number in decimal.
    public var queryParts: [QueryPart] { [QueryPart(String(self))] }
}

extension QueryValue where Self: BinaryFloatingPoint & LosslessStringConvertible {
    /// The shortest decimal that stands for the number, never with an exponent.
    public var queryParts: [QueryPart] { [DecimalText.part(self)] }
}

extension QueryValue where Self: RawRepresentable, RawValue: QueryValue {
    /// What the raw value stands for.
    public var queryParts: [QueryPart] { rawValue.queryParts }
}

extension Int: QueryValue {}
extension Int8: QueryValue {}
extension Int16: QueryValue {}
extension Int32: QueryValue {}
extension Int64: QueryValue {}
extension UInt: QueryValue {}
extension UInt8: QueryValue {}
extension UInt16: QueryValue {}
extension UInt32: QueryValue {}
extension UInt64: QueryValue {}
extension Double: QueryValue {}
extension Float: QueryValue {}

extension UUID: QueryValue {
    /// The upper-case text of the identifier.
    public var queryParts: [QueryPart] { [QueryPart(uuidString)] }
}

extension Optional: QueryValue where Wrapped: QueryValue {
    /// What the value stands for; nothing for `nil`.
    public var queryParts: [QueryPart] { self?.queryParts ?? [] }
}

extension Array: QueryValue where Element: QueryValue {
    /// What the elements stand for, in order.
    public var queryParts: [QueryPart] { flatMap(\.queryParts) }
}

/// Tells a list from a value, so that a list of one element is still written as a list.
protocol QueryList {
    var isList: Bool { get }
}

extension Array: QueryList {
    var isList: Bool { true }
}

extension Optional: QueryList where Wrapped: QueryList {
    var isList: Bool { self?.isList ?? false }
}

/// A value that is sent like any other and masked wherever it would be shown.
public struct SecretQueryValue: QueryValue {
    /// The texts, each marked as secret.
    public let queryParts: [QueryPart]
    let isList: Bool

    /// Marks a value.
    public init(_ value: some QueryValue) {
        isList = (value as? any QueryList)?.isList ?? false
        queryParts = value.queryParts.map { QueryPart($0.text, isSecret: true, fault: $0.fault) }
    }
}

extension SecretQueryValue: QueryList {}

extension SecretQueryValue: CustomStringConvertible, CustomReflectable {
    /// The mask.
    public var description: String { SecretValues.mask }
    /// What `dump` sees: nothing of the value.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension QueryValue where Self == SecretQueryValue {
    /// Marks a value as secret: it is sent, it stays with the origin it was meant for, and no log, error, cassette or cache key
    /// shows it.
    ///
    /// ```swift
    /// var query: Query { ["api_key": .secret(key), "page": 1] }
    /// ```
    public static func secret(_ value: some QueryValue) -> SecretQueryValue { SecretQueryValue(value) }
}

/// Numbers as text for a URL.
enum DecimalText {
    /// The shortest decimal that gives the number back. Swift writes `1e-05`; servers that read coordinates don't.
    static func part(_ number: some BinaryFloatingPoint & LosslessStringConvertible) -> QueryPart {
        let text = String(number)
        guard number.isFinite else { return QueryPart(text, fault: "the number is \(text), which has no decimal form") }
        guard let mark = text.firstIndex(where: { $0 == "e" || $0 == "E" }), let exponent = Int(text[text.index(after: mark)...]) else {
            return QueryPart(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
        }
        let mantissa = text[..<mark]
        let sign = mantissa.hasPrefix("-") ? "-" : ""
        let parts = mantissa.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
        let fraction = parts.count > 1 && parts[1] != "0" ? String(parts[1]) : ""
        let digits = String(parts[0]) + fraction
        let point = parts[0].count + exponent
        if point <= 0 { return QueryPart(sign + "0." + String(repeating: "0", count: -point) + digits) }
        if point >= digits.count { return QueryPart(sign + digits + String(repeating: "0", count: point - digits.count)) }
        return QueryPart(sign + digits.prefix(point) + "." + digits.dropFirst(point))
    }
}
