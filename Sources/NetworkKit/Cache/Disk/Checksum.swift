/// XXH64 (the xxHash algorithm, https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md): tells bytes that a disk has damaged,
/// several GB a second, which a cryptographic hash can't. It is no proof against somebody who may write to the files.
enum Checksum {
    /// The checksum of some bytes; another one for each seed.
    static func of(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
        var at = 0
        var result = seed &+ prime5
        if bytes.count >= 32 {
            result = ofStripes(bytes, seed: seed)
            at = bytes.count & ~31
        }
        result = result &+ UInt64(bytes.count)
        while at + 8 <= bytes.count {
            result = rotated(result ^ round(0, word(bytes, at)), 27) &* prime1 &+ prime4
            at += 8
        }
        if at + 4 <= bytes.count {
            let half = UInt64(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self)))
            result = rotated(result ^ half &* prime1, 23) &* prime2 &+ prime3
            at += 4
        }
        while at < bytes.count {
            result = rotated(result ^ UInt64(bytes[at]) &* prime5, 11) &* prime1
            at += 1
        }
        result = (result ^ result &>> 33) &* prime2
        result = (result ^ result &>> 29) &* prime3
        return result ^ result &>> 32
    }

    /// The checksum of some bytes.
    static func of(_ bytes: [UInt8], seed: UInt64) -> UInt64 { bytes.withUnsafeBytes { of($0, seed: seed) } }

    /// The part of the algorithm for all whole 32 bytes.
    private static func ofStripes(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
        var (one, two, three, four) = (seed &+ prime1 &+ prime2, seed &+ prime2, seed, seed &- prime1)
        var at = 0
        while at + 32 <= bytes.count {
            one = round(one, word(bytes, at))
            two = round(two, word(bytes, at + 8))
            three = round(three, word(bytes, at + 16))
            four = round(four, word(bytes, at + 24))
            at += 32
        }
        var result = rotated(one, 1) &+ rotated(two, 7) &+ rotated(three, 12) &+ rotated(four, 18)
        for lane in [one, two, three, four] { result = (result ^ round(0, lane)) &* prime1 &+ prime4 }
        return result
    }

    private static func round(_ lane: UInt64, _ input: UInt64) -> UInt64 { rotated(lane &+ input &* prime2, 31) &* prime1 }

    private static func word(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
    }

    private static func rotated(_ value: UInt64, _ count: UInt64) -> UInt64 { value &<< count | value &>> (64 &- count) }

    private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
    private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
    private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
    private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5
}
