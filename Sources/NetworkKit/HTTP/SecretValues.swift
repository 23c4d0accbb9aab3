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

    private var values: [Value] = []
    /// Where each stands, once they are many: a server may set thousands of cookies.
    private var places: [Text: Int]?

    /// A text by its bytes: two ways to write a letter are two values.
    private struct Text: Hashable {
        let text: String
        static func == (left: Text, right: Text) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }
        func hash(into hasher: inout Hasher) {
            var text = text
            text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }

    /// The most that are looked through one by one.
    private static let fewValues = 16

    /// No secrets.
    public init() {}

    /// Whether there are none.
    public var isEmpty: Bool { values.isEmpty }

    /// Adds a value. An empty one is nothing to hide.
    public mutating func insert(_ value: String) { insert(value, isPart: false) }

    private mutating func insert(_ value: String, isPart: Bool) {
        guard !value.isEmpty else { return }
        if let place = place(of: value) {
            if !isPart { values[place].isPart = false }
            return
        }
        if values.count == Self.fewValues {
            places = Dictionary(uniqueKeysWithValues: values.enumerated().map { (Text(text: $0.element.text), $0.offset) })
        }
        places?[Text(text: value)] = values.count
        values.append(Value(text: value, isPart: isPart))
    }

    private func place(of text: String) -> Int? {
        guard let places else { return values.firstIndex { $0.text.utf8.elementsEqual(text.utf8) } }
        return places[Text(text: text)]
    }

    /// The values without the parts of fields that have fewer bytes than this, for what is masked again and again and must be read by
    /// programs: `true` may be a cookie's value, and is a word of JSON.
    package func withoutParts(shorterThan length: Int) -> SecretValues {
        only { !$0.isPart || $0.text.utf8.count >= length }
    }

    /// Whether a text is a secret from its beginning to its end, as it stands there.
    package func contains(_ text: String) -> Bool { place(of: text) != nil }

    /// How many there are.
    package var count: Int { values.count }

    /// Those that have one of these bytes in them.
    package func holding(anyOf bytes: [UInt8]) -> SecretValues {
        only { $0.text.utf8.contains { bytes.contains($0) } }
    }

    private func only(_ isKept: (Value) -> Bool) -> SecretValues {
        values.reduce(into: SecretValues()) { if isKept($1) { $0.insert($1.text, isPart: $1.isPart) } }
    }

    /// Adds all values of another set.
    public mutating func formUnion(_ other: SecretValues) {
        if isEmpty { self = other } else { for value in other.values { insert(value.text, isPart: value.isPart) } }
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
    public func masking(_ text: String) -> String { SecretMask(self).masking(text) }

    /// The same for bytes, text or not, such as a body's.
    public func masking(_ data: Data) -> Data { SecretMask(self).masking(data) }

    /// What finds them; `nil` where there is nothing to find.
    var search: SecretSearch? { values.isEmpty ? nil : SecretSearch(values.map(\.text)) }

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
