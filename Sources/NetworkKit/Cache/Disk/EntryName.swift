/// What the file of an entry is called: hashes, by the store's own key, of the URL and of the variant. Nobody can tell either from it.
struct EntryName: Hashable, Sendable {
    let key: SipHash.Value
    let variant: UInt64

    static let suffix = ".entry"
    private static let digits = 48

    init(key: SipHash.Value, variant: UInt64) {
        self.key = key
        self.variant = variant
    }

    /// The name that a file has; `nil` for one that is no entry's.
    init?(_ name: UnsafeRawBufferPointer) {
        guard name.count == Self.digits + Self.suffix.utf8.count, name.dropFirst(Self.digits).elementsEqual(Self.suffix.utf8),
            let high = Self.number(name, 0), let low = Self.number(name, 16), let variant = Self.number(name, 32)
        else { return nil }
        self.init(key: SipHash.Value(low: low, high: high), variant: variant)
    }

    /// The name of the file.
    var text: String { Hex.digits(key.high) + Hex.digits(key.low) + Hex.digits(variant) + Self.suffix }

    private static func number(_ name: UnsafeRawBufferPointer, _ start: Int) -> UInt64? {
        var result: UInt64 = 0
        for byte in name[start..<(start + 16)] {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): result = result << 4 | UInt64(byte - UInt8(ascii: "0"))
            // Lower case only: a name must have one spelling.
            case UInt8(ascii: "a")...UInt8(ascii: "f"): result = result << 4 | UInt64(byte - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
        return result
    }
}

/// Numbers as digits.
enum Hex {
    /// 16 digits, in lower case.
    static func digits(_ value: UInt64) -> String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: 16 - text.utf8.count) + text
    }

    /// Whether bytes are what ``digits(_:)`` gives.
    static func isDigits(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.count == 16
            && bytes.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }
}
