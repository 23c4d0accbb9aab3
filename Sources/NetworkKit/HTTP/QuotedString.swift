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
    /// The text of bytes that begin with a quote, and where what stands behind the quote that ends it begins; `nil` for other bytes. Where no
    /// quote ends it, it is all the rest.
    static func text<Bytes: Collection>(_ bytes: Bytes) -> (text: String, end: Bytes.Index)? where Bytes.Element == UInt8 {
        guard bytes.first == UInt8(ascii: "\"") else { return nil }
        var text: [UInt8] = []
        var isEscaped = false
        var index = bytes.startIndex
        while true {
            index = bytes.index(after: index)
            guard index < bytes.endIndex else { break }
            switch bytes[index] {
            case let byte where isEscaped:
                text.append(byte)
                isEscaped = false
            case UInt8(ascii: "\\"): isEscaped = true
            case UInt8(ascii: "\""): return (String(decoding: text, as: UTF8.self), bytes.index(after: index))
            case let byte: text.append(byte)
            }
        }
        return (String(decoding: text, as: UTF8.self), index)
    }
}
