/// Percent-encoding (RFC 3986 §2.1) over bytes: one loop, parameterised by what may stay as it is.
package enum PercentEncoding {
    /// Encodes every byte of `text` that `isAllowed` doesn't let through. A `%` that begins a valid triplet is kept when
    /// `keepsTriplets`, so that text which is already encoded isn't encoded twice.
    static func encode(_ text: some StringProtocol, keepsTriplets: Bool = false, allowing isAllowed: (UInt8) -> Bool) -> String {
        if text.utf8.allSatisfy(isAllowed) { return String(text) }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 32)
        for (index, byte) in bytes.enumerated() {
            if isAllowed(byte) || (keepsTriplets && tripletByte(in: bytes, at: index) != nil) {
                result.append(byte)
            } else {
                result += [UInt8(ascii: "%"), hexDigit(byte >> 4), hexDigit(byte & 15)]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Encodes one value so that it can stand anywhere in a URL: all but the unreserved characters (RFC 3986 §2.3).
    static func encodeValue(_ text: some StringProtocol) -> String {
        encode(text, allowing: isUnreserved)
    }

    /// The bytes that `text` stands for. A `%` that begins no triplet stands for itself.
    static func decodedBytes(_ text: some StringProtocol) -> [UInt8] {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if let byte = tripletByte(in: bytes, at: index) {
                result.append(byte)
                index += 3
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result
    }

    /// The text that `text` stands for, bytes that are no UTF-8 replaced.
    package static func decode(_ text: some StringProtocol) -> String {
        String(decoding: decodedBytes(text), as: UTF8.self)
    }

    /// Whether a segment of a path is a dot segment, as it is or once a server has decoded it, however often.
    static func isDotSegment(_ segment: some StringProtocol) -> Bool {
        var bytes = Array(segment.utf8)
        // Of nothing else do triplets become dots.
        guard bytes.allSatisfy({ $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "%") || hexValue($0) != nil }) else { return false }
        for _ in 0..<mostDecodings {
            if bytes == Array(".".utf8) || bytes == Array("..".utf8) { return true }
            let decoded = decodedBytes(String(decoding: bytes, as: UTF8.self))
            if decoded == bytes { return false }
            bytes = decoded
        }
        // What is encoded this often is meant to be decoded by somebody; to see what becomes of it could take for ever.
        return true
    }

    private static let mostDecodings = 16

    /// Letters, digits and `-._~` (RFC 3986 §2.3).
    static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: false
        }
    }

    /// What may stand in a path as it is: `pchar` and the slash (RFC 3986 §3.3).
    static func isPathByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: ")"),
            UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="), UInt8(ascii: ":"),
            UInt8(ascii: "@"), UInt8(ascii: "/"):
            true
        default: isUnreserved(byte)
        }
    }

    /// What may stand in a query or a fragment as it is: `pchar`, the slash and `?` (RFC 3986 §3.4).
    static func isQueryByte(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "?") || isPathByte(byte) }

    /// What may stand in an authority as it is: names, ports and addresses in brackets (RFC 3986 §3.2).
    static func isAuthorityByte(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]") || (byte != UInt8(ascii: "/") && isPathByte(byte))
    }

    package static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// The byte that the triplet which begins at `index` stands for; `nil` when none does.
    static func tripletByte(in bytes: [UInt8], at index: Int) -> UInt8? {
        guard bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, let high = hexValue(bytes[index + 1]),
            let low = hexValue(bytes[index + 2])
        else { return nil }
        return high << 4 | low
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
