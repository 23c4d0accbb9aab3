internal import PlatformBase

/// Randomness that many may draw from: the system's, or a test's.
final class RandomSource: Sendable {
    private let generator: Lock<any RandomNumberGenerator & Sendable>

    init(_ generator: any RandomNumberGenerator & Sendable) { self.generator = Lock(generator) }

    /// The next number.
    func next() -> UInt64 { generator.withLock { $0.next() } }

    /// A number from 0 up to, but not, 1.
    func unit() -> Double { Self.unit(next()) }

    /// The same of a number that was drawn: its upper 53 bits, which a `Double` holds.
    static func unit(_ number: UInt64) -> Double { Double(number >> 11) * 0x1p-53 }

    /// A name that nobody else has: a UUID of version 4 (RFC 9562 §5.4).
    func uuid() -> String {
        let (high, low) = generator.withLock { ($0.next(), $0.next()) }
        func hex(_ value: UInt64, _ digits: Int) -> String {
            let text = String(value, radix: 16)
            return String(repeating: "0", count: max(0, digits - text.count)) + text
        }
        return [
            hex(high >> 32, 8), hex(high >> 16 & 0xFFFF, 4), hex(high & 0x0FFF | 0x4000, 4), hex(low >> 48 & 0x3FFF | 0x8000, 4),
            hex(low & 0xFFFF_FFFF_FFFF, 12),
        ].joined(separator: "-")
    }
}
