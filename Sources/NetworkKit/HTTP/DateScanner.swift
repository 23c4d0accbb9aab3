/// Takes a date's text apart, byte by byte: only what the grammar says is a date.
struct DateScanner {
    private(set) var rest: Substring.UTF8View

    init(_ text: String) { rest = text[...].utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    /// Takes one of these characters.
    mutating func take(_ options: Unicode.Scalar...) -> Bool {
        guard let first = rest.first, options.contains(where: { UInt8(ascii: $0) == first }) else { return false }
        rest.removeFirst()
        return true
    }

    /// Takes this text.
    mutating func take(text: StaticString) -> Bool {
        let wanted = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        guard rest.starts(with: wanted) else { return false }
        rest.removeFirst(wanted.count)
        return true
    }

    /// Takes one of these texts, none of which begins another, and says which.
    mutating func place(in options: [StaticString]) -> Int? {
        options.indices.first { take(text: options[$0]) }
    }

    /// Takes a number of so many digits.
    mutating func digits(_ count: Int) -> Int? {
        let taken = rest.prefix(count)
        guard taken.count == count, taken.allSatisfy(Self.isDigit) else { return nil }
        rest.removeFirst(count)
        return taken.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    /// Takes the digits behind a decimal point.
    mutating func fraction() -> Double? {
        let taken = rest.prefix(while: Self.isDigit)
        guard !taken.isEmpty else { return nil }
        rest.removeFirst(taken.count)
        return Double("0." + String(decoding: taken, as: UTF8.self))
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
}
