/// Quoted strings in field values (RFC 9110 §5.6.4), followed byte by byte: what separates outside of one is text within.
struct QuotedScan {
    private var isQuoted = false
    private var isEscaped = false

    /// Goes on to the next byte; whether it stands outside of quotes and is none.
    mutating func isOutside(_ byte: UInt8) -> Bool {
        if isEscaped {
            isEscaped = false
        } else if isQuoted, byte == UInt8(ascii: "\\") {
            isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
            isQuoted.toggle()
        } else {
            return !isQuoted
        }
        return false
    }
}

enum QuotedString {
    /// The text of a value that begins with a quote, and what stands behind the quote that ends it; `nil` for another value.
    static func text(_ value: Substring) -> (text: String, rest: Substring)? {
        guard value.utf8.first == UInt8(ascii: "\"") else { return nil }
        var text: [UInt8] = []
        var isEscaped = false
        let bytes = value.utf8.dropFirst()
        for index in bytes.indices {
            switch bytes[index] {
            case let byte where isEscaped:
                text.append(byte)
                isEscaped = false
            case UInt8(ascii: "\\"): isEscaped = true
            case UInt8(ascii: "\""): return (String(decoding: text, as: UTF8.self), value[bytes.index(after: index)...])
            case let byte: text.append(byte)
            }
        }
        return (String(decoding: text, as: UTF8.self), value[value.endIndex...])
    }
}
