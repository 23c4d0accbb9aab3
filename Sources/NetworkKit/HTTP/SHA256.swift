/// SHA-256 (FIPS 180-4 §6.2).
struct SHA256: MessageDigest {
    static let blockSize = 64
    var rest: [UInt8] = []
    var count: UInt64 = 0
    private var words: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a,
        0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]

    init() {}

    static func lengthField(bits: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) }
    }

    var state: [UInt8] {
        words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * UInt32($0))) } }
    }

    mutating func take(_ bytes: [UInt8], _ range: Range<Int>) {
        var schedule = [UInt32](repeating: 0, count: 64)
        let constants = Self.constants
        for start in stride(from: range.lowerBound, to: range.upperBound, by: Self.blockSize) {
            Self.prepare(&schedule, bytes, from: start)
            mix(schedule, constants)
        }
    }

    private static func prepare(_ schedule: inout [UInt32], _ bytes: [UInt8], from start: Int) {
        for place in 0..<16 {
            let at = start + 4 * place
            var word: UInt32 = 0
            for offset in 0..<4 { word = word << 8 | UInt32(bytes[at + offset]) }
            schedule[place] = word
        }
        for place in 16..<64 {
            let (near, far) = (schedule[place - 2], schedule[place - 15])
            let low = rotated(far, 7) ^ rotated(far, 18) ^ far >> 3
            let high = rotated(near, 17) ^ rotated(near, 19) ^ near >> 10
            schedule[place] = schedule[place - 16] &+ low &+ schedule[place - 7] &+ high
        }
    }

    private mutating func mix(_ schedule: [UInt32], _ constants: [UInt32]) {
        var (a, b, c, d) = (words[0], words[1], words[2], words[3])
        var (e, f, g, h) = (words[4], words[5], words[6], words[7])
        for round in 0..<64 {
            let sum = Self.rotated(e, 6) ^ Self.rotated(e, 11) ^ Self.rotated(e, 25)
            let first = h &+ sum &+ ((e & f) ^ (~e & g)) &+ constants[round] &+ schedule[round]
            let other = Self.rotated(a, 2) ^ Self.rotated(a, 13) ^ Self.rotated(a, 22)
            let second = other &+ ((a & b) ^ (a & c) ^ (b & c))
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
        }
        words[0] &+= a
        words[1] &+= b
        words[2] &+= c
        words[3] &+= d
        words[4] &+= e
        words[5] &+= f
        words[6] &+= g
        words[7] &+= h
    }

    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word &>> count | word &<< (32 &- count) }

    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}
