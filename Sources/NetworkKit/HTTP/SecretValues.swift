internal import PlatformBase

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
        guard !value.isEmpty, !values.contains(value) else { return }
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
            let credentials = String(field.value.drop { $0 != " " }.drop { $0 == " " })
            insert(credentials)
            if field.value.lowercased().hasPrefix("basic "), let data = Data(base64Encoded: credentials),
                let pair = String(data: data, encoding: .utf8)
            {
                insert(pair)
                let password = String(pair.drop { $0 != ":" }.dropFirst())
                // Many an API takes its key as the user, and no password.
                insert(password.isEmpty ? String(pair.dropLast()) : password)
            }
        case .cookie:
            for pair in field.value.split(separator: ";") {
                let value = pair.drop { $0 != "=" }.dropFirst().trimmingSpaces()
                // A flag or a language isn't a secret, and masking `1` wherever it occurs would make a text unreadable.
                if value.utf8.count >= Self.shortestPart { insert(value) }
            }
        default: break
        }
    }

    /// The text with every occurrence of a secret replaced by ``mask``, whichever of its characters are percent-encoded there.
    public func masking(_ text: String) -> String {
        guard !values.isEmpty else { return text }
        var bytes = Array(text.utf8)
        for value in values { bytes = Self.replacing(Array(value.utf8), in: bytes) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let ellipsis = Array("…".utf8)

    private static func replacing(_ secret: [UInt8], in text: [UInt8]) -> [UInt8] {
        guard !secret.isEmpty else { return text }
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            if let end = end(of: secret, in: text, from: index, readsTriplets: true) ?? end(of: secret, in: text, from: index) {
                result += mask.utf8
                index = end
            } else {
                result.append(text[index])
                index += 1
            }
        }
        return result
    }

    /// The fewest bytes by which a part of a secret is known for one.
    private static let shortestPart = 4

    /// Where an occurrence of the secret that begins at `start` ends: each byte of it may stand for itself, as a triplet, or, for
    /// a space, as the `+` of a form. An ellipsis may have cut its end off: a message that quotes a long text is cut anywhere.
    ///
    /// - Parameter readsTriplets: whether a triplet for a percent sign is taken for one, and not for a percent sign as it is.
    private static func end(of secret: [UInt8], in text: [UInt8], from start: Int, readsTriplets: Bool = false) -> Int? {
        var index = start
        for (matched, byte) in secret.enumerated() {
            guard index < text.count else { return nil }
            if matched >= shortestPart, text[index...].starts(with: ellipsis) { return index }
            let isTriplet = PercentEncoding.tripletByte(in: text, at: index) == byte
            if isTriplet && (readsTriplets || text[index] != byte) {
                index += 3
            } else if text[index] == byte || (byte == UInt8(ascii: " ") && text[index] == UInt8(ascii: "+")) {
                index += 1
            } else {
                return nil
            }
        }
        return index
    }
}

extension SecretValues: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// How many there are, and nothing of what they are.
    public var description: String { "\(values.count) secret values" }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// What `dump` sees: nothing of the values.
    public var customMirror: Mirror { Mirror(self, children: ["count": values.count]) }
}
