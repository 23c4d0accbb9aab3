/// A parameter's value in a charset of its own (RFC 8187 §3.2): `UTF-8'en'%e2%82%ac`.
enum ExtendedValue {
    /// The text; `nil` for what isn't such a value, or in another charset than UTF-8 and Latin-1.
    static func text(_ value: String) -> String? {
        let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[2].utf8.allSatisfy({ $0 == UInt8(ascii: "%") || Token.isTokenByte($0) }) else { return nil }
        let bytes = PercentEncoding.decodedBytes(parts[2])
        switch parts[0].lowercased() {
        case "utf-8": return String(validating: bytes, as: UTF8.self)
        case "iso-8859-1": return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        default: return nil
        }
    }
}
