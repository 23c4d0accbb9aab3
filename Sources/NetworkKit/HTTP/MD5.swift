/// MD5 (RFC 1321). It is broken as a signature; servers with HTTP Digest and `Content-MD5` still ask for it.
struct MD5: MessageDigest {
    static let blockSize = 64
    var rest: [UInt8] = []
    var count: UInt64 = 0
    private var words: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476]

    init() {}

    static func lengthField(bits: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: bits >> (8 * UInt64($0))) }
    }

    var state: [UInt8] {
        words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * UInt32($0))) } }
    }

    mutating func take(_ bytes: [UInt8], _ range: Range<Int>) {
        var block = [UInt32](repeating: 0, count: 16)
        let (constants, turns) = (Self.constants, Self.turns)
        for start in stride(from: range.lowerBound, to: range.upperBound, by: Self.blockSize) {
            for place in 0..<16 {
                let at = start + 4 * place
                let low = UInt32(bytes[at]) | UInt32(bytes[at + 1]) << 8
                block[place] = low | UInt32(bytes[at + 2]) << 16 | UInt32(bytes[at + 3]) << 24
            }
            mix(block, constants, turns)
        }
    }

    private mutating func mix(_ block: [UInt32], _ constants: [UInt32], _ turns: [UInt32]) {
        var (a, b, c, d) = (words[0], words[1], words[2], words[3])
        for round in 0..<64 {
            let mixed: UInt32
            let place: Int
            switch round >> 4 {
            case 0: (mixed, place) = ((b & c) | (~b & d), round)
            case 1: (mixed, place) = ((b & d) | (c & ~d), (5 * round + 1) & 15)
            case 2: (mixed, place) = (b ^ c ^ d, (3 * round + 5) & 15)
            default: (mixed, place) = (c ^ (b | ~d), (7 * round) & 15)
            }
            let sum = a &+ mixed &+ constants[round] &+ block[place]
            let turn = turns[(round >> 4) << 2 | round & 3]
            (a, d, c, b) = (d, c, b, b &+ (sum &<< turn | sum &>> (32 &- turn)))
        }
        words[0] &+= a
        words[1] &+= b
        words[2] &+= c
        words[3] &+= d
    }

    /// By how much the sums of each of the four rounds are turned, over and over.
    private static let turns: [UInt32] = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]

    private static let constants: [UInt32] = [
        0xd76a_a478, 0xe8c7_b756, 0x2420_70db, 0xc1bd_ceee, 0xf57c_0faf, 0x4787_c62a, 0xa830_4613, 0xfd46_9501,
        0x6980_98d8, 0x8b44_f7af, 0xffff_5bb1, 0x895c_d7be, 0x6b90_1122, 0xfd98_7193, 0xa679_438e, 0x49b4_0821,
        0xf61e_2562, 0xc040_b340, 0x265e_5a51, 0xe9b6_c7aa, 0xd62f_105d, 0x0244_1453, 0xd8a1_e681, 0xe7d3_fbc8,
        0x21e1_cde6, 0xc337_07d6, 0xf4d5_0d87, 0x455a_14ed, 0xa9e3_e905, 0xfcef_a3f8, 0x676f_02d9, 0x8d2a_4c8a,
        0xfffa_3942, 0x8771_f681, 0x6d9d_6122, 0xfde5_380c, 0xa4be_ea44, 0x4bde_cfa9, 0xf6bb_4b60, 0xbebf_bc70,
        0x289b_7ec6, 0xeaa1_27fa, 0xd4ef_3085, 0x0488_1d05, 0xd9d4_d039, 0xe6db_99e5, 0x1fa2_7cf8, 0xc4ac_5665,
        0xf429_2244, 0x432a_ff97, 0xab94_23a7, 0xfc93_a039, 0x655b_59c3, 0x8f0c_cc92, 0xffef_f47d, 0x8584_5dd1,
        0x6fa8_7e4f, 0xfe2c_e6e0, 0xa301_4314, 0x4e08_11a1, 0xf753_7e82, 0xbd3a_f235, 0x2ad7_d2bb, 0xeb86_d391,
    ]
}
