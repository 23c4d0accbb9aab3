/// SipHash-2-4 with 128 bits (Aumasson and Bernstein, https://www.aumasson.jp/siphash/siphash.pdf): a hash that only who has the key
/// can make. Without it nobody can find two texts that share one, nor guess the text.
struct SipHash: Sendable {
    /// What a text becomes.
    struct Value: Hashable, Sendable {
        let low: UInt64
        let high: UInt64
    }

    private let key: (UInt64, UInt64)

    /// A hash by a key of 128 bits.
    init(key low: UInt64, _ high: UInt64) { key = (low, high) }

    /// The hash of a text.
    func hash(_ text: String) -> Value {
        var text = text
        return text.withUTF8 { hash(UnsafeRawBufferPointer($0)) }
    }

    /// The hash of some bytes.
    func hash(_ bytes: UnsafeRawBufferPointer) -> Value {
        var state = State(key)
        var at = 0
        while at + 8 <= bytes.count {
            state.take(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)))
            at += 8
        }
        var last = UInt64(bytes.count & 0xFF) << 56
        for (place, byte) in bytes[at...].enumerated() { last |= UInt64(byte) << UInt64(8 * place) }
        state.take(last)
        return state.end()
    }

    private struct State {
        private var (a, b, c, d): (UInt64, UInt64, UInt64, UInt64)

        init(_ key: (UInt64, UInt64)) {
            a = key.0 ^ 0x736f_6d65_7073_6575
            b = key.1 ^ 0x646f_7261_6e64_6f6d ^ 0xEE
            c = key.0 ^ 0x6c79_6765_6e65_7261
            d = key.1 ^ 0x7465_6462_7974_6573
        }

        mutating func take(_ word: UInt64) {
            d ^= word
            mix()
            mix()
            a ^= word
        }

        mutating func end() -> Value {
            c ^= 0xEE
            for _ in 0..<4 { mix() }
            let low = a ^ b ^ c ^ d
            b ^= 0xDD
            for _ in 0..<4 { mix() }
            return Value(low: low, high: a ^ b ^ c ^ d)
        }

        private mutating func mix() {
            a = a &+ b
            c = c &+ d
            b = Self.rotated(b, 13) ^ a
            d = Self.rotated(d, 16) ^ c
            a = Self.rotated(a, 32)
            c = c &+ b
            a = a &+ d
            b = Self.rotated(b, 17) ^ c
            d = Self.rotated(d, 21) ^ a
            c = Self.rotated(c, 32)
        }

        private static func rotated(_ value: UInt64, _ count: UInt64) -> UInt64 { value &<< count | value &>> (64 &- count) }
    }
}
