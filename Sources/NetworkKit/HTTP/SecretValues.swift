public import PlatformBase

/// The values of a call that must not be seen: tokens, keys, passwords.
///
/// Errors, logs and descriptions pass their text through ``masking(_:)``, which finds the values raw and percent-encoded.
public struct SecretValues: Sendable {
    /// What stands in the place of a secret.
    public static let mask = "***"

    private struct Value {
        let text: String
        /// Whether it is known as a part of a field only: of a cookie list, or of what Basic encodes.
        var isPart: Bool
    }

    /// Longest first, so that a secret that holds another is masked whole.
    private var values: [Value] = []

    /// No secrets.
    public init() {}

    /// Whether there are none.
    public var isEmpty: Bool { values.isEmpty }

    /// Adds a value. An empty one is nothing to hide.
    public mutating func insert(_ value: String) { insert(value, isPart: false) }

    private mutating func insert(_ value: String, isPart: Bool) {
        guard !value.isEmpty else { return }
        if let place = values.firstIndex(where: { $0.text.utf8.elementsEqual(value.utf8) }) {
            if !isPart { values[place].isPart = false }
            return
        }
        let length = value.utf8.count
        values.insert(Value(text: value, isPart: isPart), at: values.firstIndex { $0.text.utf8.count < length } ?? values.endIndex)
    }

    /// The values without the parts of fields that have fewer bytes than this, for what is masked again and again and must be read by
    /// programs: `true` may be a cookie's value, and is a word of JSON.
    package func withoutParts(shorterThan length: Int) -> SecretValues {
        var kept = self
        kept.values.removeAll { $0.isPart && $0.text.utf8.count < length }
        return kept
    }

    /// Whether a text is a secret from its beginning to its end, as it stands there.
    package func contains(_ text: String) -> Bool {
        values.contains { $0.text.utf8.elementsEqual(text.utf8) }
    }

    /// How many there are.
    package var count: Int { values.count }

    /// Those that have one of these bytes in them.
    package func holding(anyOf bytes: [UInt8]) -> SecretValues {
        var kept = self
        kept.values.removeAll { value in !value.text.utf8.contains { bytes.contains($0) } }
        return kept
    }

    /// Adds all values of another set.
    public mutating func formUnion(_ other: SecretValues) {
        for value in other.values { insert(value.text, isPart: value.isPart) }
    }

    /// Adds what a field's value hides: all of it, and of `scheme credentials` the credentials too, and of a cookie list each
    /// value, so that one of them alone is masked as well.
    mutating func insert(field: HTTPField) {
        insert(field.value)
        switch field.name {
        case .authorization, .proxyAuthorization:
            let space = UInt8(ascii: " ")
            let credentials = String(Substring(field.value.utf8.drop { $0 != space }.drop { $0 == space }))
            insert(credentials)
            if field.value.lowercased().hasPrefix("basic "), let data = Data(base64Encoded: credentials),
                let pair = String(validating: data, as: UTF8.self)
            {
                insert(pair)
                let (user, password) = Self.halves(pair[...], at: ":")
                insert(password, isPart: true)
                // Many an API takes its key as the user, and no password. A short name beside one isn't worth an unreadable text.
                if password.isEmpty || user.utf8.count >= Self.shortestPart { insert(user, isPart: true) }
            }
        case .cookie, .setCookie:
            // What stands behind the first pair of a Set-Cookie are its attributes (RFC 6265 §4.1.1).
            let pairs = field.value.utf8.split(separator: UInt8(ascii: ";"), maxSplits: field.name == .setCookie ? 1 : .max)
            for pair in field.name == .setCookie ? pairs.prefix(1) : pairs[...] {
                let value = Self.halves(Substring(pair), at: "=").1.trimmingSpaces()
                // A flag or a language isn't a secret, and masking `1` wherever it occurs would make a text unreadable.
                if value.utf8.count >= Self.shortestPart { insert(value, isPart: true) }
            }
        default: break
        }
    }

    /// What stands before the first of a separator and what behind it, by bytes: a separator with a mark behind it is one all the same.
    private static func halves(_ text: Substring, at separator: Unicode.Scalar) -> (String, String) {
        let end = text.utf8.firstIndex(of: UInt8(ascii: separator)) ?? text.endIndex
        return (String(text[..<end]), String(Substring(text.utf8[end...].dropFirst())))
    }

    /// Adds what an answer's head hides: its cookies, and the user information of where it leads to.
    mutating func insert(head: ResponseHead?) {
        guard let head else { return }
        for field in head.headers {
            if field.isSecret { insert(field: field) }
            if field.name == .location, let credentials = RequestURL.credentials(in: field.value) { insert(field: credentials) }
        }
    }

    /// The text with every occurrence of a secret replaced by ``mask``, whichever of its characters are encoded there: in percent
    /// triplets, as in a form, escaped as in JSON, or by HTML's entities.
    public func masking(_ text: String) -> String {
        values.isEmpty ? text : String(decoding: masking(Array(text.utf8)), as: UTF8.self)
    }

    /// The same for bytes, text or not, such as a body's.
    public func masking(_ data: Data) -> Data {
        values.isEmpty ? data : Data(masking(Array(data)))
    }

    private func masking(_ bytes: [UInt8]) -> [UInt8] {
        SecretSearch(values.map(\.text)).masking(bytes, with: Array(Self.mask.utf8))
    }

    /// The fewest bytes by which a part of a secret is known for one.
    static let shortestPart = 4
}

extension SecretValues: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// How many there are, and nothing of what they are.
    public var description: String { "\(values.count) secret values" }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// What `dump` sees: nothing of the values.
    public var customMirror: Mirror { Mirror(self, children: ["count": values.count]) }
}
