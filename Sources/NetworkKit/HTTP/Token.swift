/// The grammar of RFC 9110 §5.6.2 and §5.5, in one place: what may stand in a method, a field name and a field value.
package enum Token {
    /// Whether `text` is a token: one or more visible ASCII characters that are no delimiters.
    package static func isValid(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(isTokenByte)
    }

    static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"), UInt8(ascii: "'"),
            UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "_"),
            UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// Whether a byte may stand in a field value: anything but controls other than the tab (RFC 9110 §5.5).
    static func isFieldValueByte(_ byte: UInt8) -> Bool {
        (byte >= 0x20 && byte != 0x7F) || byte == 0x09
    }

    /// The first byte of `text` that may not stand in a field value, by the name that a programmer knows it by.
    package static func firstForbiddenInFieldValue(_ text: String) -> String? {
        text.utf8.first { !isFieldValueByte($0) }.map(name(ofControl:))
    }

    static func name(ofControl byte: UInt8) -> String {
        switch byte {
        case 0x00: "NUL"
        case 0x0A: "LF"
        case 0x0D: "CR"
        default: "control character 0x" + String(byte, radix: 16)
        }
    }

    /// A text made harmless for a message: in quotes, controls escaped, cut to a length that a person reads.
    package static func quoted(_ text: String, limit: Int = 80) -> String {
        var result = "\""
        for scalar in text.unicodeScalars.prefix(limit) {
            result += scalar.value < 0x20 || scalar.value == 0x7F || scalar == "\"" ? scalar.escaped(asASCII: true) : String(scalar)
        }
        return result + (text.unicodeScalars.dropFirst(limit).isEmpty ? "\"" : "…\"")
    }

    /// Bytes from the wire as text: UTF-8 where they are that, else one character a byte (Latin-1), so that no answer is lost to
    /// an odd byte (RFC 9110 §5.5: obs-text is opaque).
    package static func text(_ bytes: UnsafeRawBufferPointer) -> String {
        // Nearly all of it is ASCII, which needs no validation.
        if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
        return String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
