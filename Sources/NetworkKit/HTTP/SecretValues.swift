public import PlatformBase

/// The values of a call that must not be seen: tokens, keys, passwords.
///
/// Errors, logs and descriptions pass their text through ``masking(_:)``, which finds the values raw and percent-encoded.
public struct SecretValues: Sendable {
    /// What stands in the place of a secret.
    public static let mask = "***"

    /// Longest first, so that a secret that holds another is masked whole.
    private var values: [String] = []

    /// No secrets.
    public init() {}

    /// Whether there are none.
    public var isEmpty: Bool { values.isEmpty }

    /// Adds a value. An empty one is nothing to hide.
    public mutating func insert(_ value: String) {
        guard !value.isEmpty, !values.contains(where: { $0.utf8.elementsEqual(value.utf8) }) else { return }
        let length = value.utf8.count
        values.insert(value, at: values.firstIndex { $0.utf8.count < length } ?? values.endIndex)
    }

    /// Adds all values of another set.
    public mutating func formUnion(_ other: SecretValues) {
        for value in other.values { insert(value) }
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
                insert(password)
                // Many an API takes its key as the user, and no password. A short name beside one isn't worth an unreadable text.
                if password.isEmpty || user.utf8.count >= Self.shortestPart { insert(user) }
            }
        case .cookie, .setCookie:
            // What stands behind the first pair of a Set-Cookie are its attributes (RFC 6265 §4.1.1).
            let pairs = field.value.utf8.split(separator: UInt8(ascii: ";"), maxSplits: field.name == .setCookie ? 1 : .max)
            for pair in field.name == .setCookie ? pairs.prefix(1) : pairs[...] {
                let value = Self.halves(Substring(pair), at: "=").1.trimmingSpaces()
                // A flag or a language isn't a secret, and masking `1` wherever it occurs would make a text unreadable.
                if value.utf8.count >= Self.shortestPart { insert(value) }
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
        SecretSearch(values).masking(bytes, with: Array(Self.mask.utf8))
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
