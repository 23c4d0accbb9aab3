internal import PlatformBase

/// A hash function over bytes that come piece by piece. What its kinds have in common: they take blocks of one size, and the last one is
/// filled up and ends with the length (FIPS 180-4 §5.1, RFC 1321 §3).
///
/// Linux has no part of the system for it, and so there is one of our own, the same on all platforms.
protocol MessageDigest: Sendable {
    /// How many bytes a block has.
    static var blockSize: Int { get }
    /// The length of the message in bits as the last bytes of the last block.
    static func lengthField(bits: UInt64) -> [UInt8]
    init()
    /// What has come and doesn't fill a block yet.
    var rest: [UInt8] { get set }
    /// How many bytes have come.
    var count: UInt64 { get set }
    /// Takes the blocks that lie in a range of bytes, a whole number of them.
    mutating func take(_ bytes: [UInt8], _ range: Range<Int>)
    /// The state as bytes.
    var state: [UInt8] { get }
}

extension MessageDigest {
    /// Takes more of the message.
    mutating func update(_ bytes: [UInt8]) {
        count &+= UInt64(bytes.count)
        var start = 0
        if !rest.isEmpty {
            start = min(Self.blockSize - rest.count, bytes.count)
            rest += bytes[..<start]
            guard rest.count == Self.blockSize else { return }
            take(rest, 0..<Self.blockSize)
            rest.removeAll(keepingCapacity: true)
        }
        let end = bytes.count - (bytes.count - start) % Self.blockSize
        if end > start { take(bytes, start..<end) }
        rest += bytes[end...]
    }

    /// Takes more of the message.
    mutating func update(_ data: Data) {
        // In pieces, so that no second copy of all of it is made.
        var rest = data[...]
        while !rest.isEmpty {
            update([UInt8](rest.prefix(Self.pieceSize)))
            rest = rest.dropFirst(Self.pieceSize)
        }
    }

    private static var pieceSize: Int { 64 * 1024 }

    /// The hash of all that came.
    consuming func finalize() -> [UInt8] {
        let field = Self.lengthField(bits: count &* 8)
        var end = rest + [0x80]
        let used = (end.count + field.count) % Self.blockSize
        if used > 0 { end += [UInt8](repeating: 0, count: Self.blockSize - used) }
        end += field
        take(end, 0..<end.count)
        return state
    }

    /// The hash of bytes that are there as a whole.
    static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var digest = Self()
        digest.update(bytes)
        return digest.finalize()
    }
}

/// Bytes as hexadecimal digits.
enum Hexadecimal {
    static func text(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: bytes.flatMap { [digit($0 >> 4), digit($0 & 0xF)] }, as: UTF8.self)
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
