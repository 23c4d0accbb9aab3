internal import PlatformBase

/// What stands between the parts of a form (RFC 2046 §5.1.1).
enum MultipartBoundary {
    /// 128 random bits: nobody who writes a part can know them.
    static func random() -> String {
        var random = SystemRandomNumberGenerator()
        let digits = [random.next(), random.next()].map { (number: UInt64) in
            let text = String(number, radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }
        return "NetworkKit-" + digits.joined()
    }

    /// 1 to 70 of the characters that may stand in one, the last no space.
    static func isValid(_ text: String) -> Bool {
        (1...70).contains(text.utf8.count) && text.utf8.last != 0x20 && text.utf8.allSatisfy { isBoundaryByte($0) }
    }

    private static func isBoundaryByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "'()+_,-./:=? ".utf8.contains(byte)
        }
    }

    /// The boundary as the value of a parameter: quoted where it is no token.
    static func parameter(_ text: String) -> String { Token.isValid(text) ? text : "\"\(text)\"" }
}
