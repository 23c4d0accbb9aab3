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

    // A download's bytes all pass through here: without checks of indices and moves of words it takes a fifth less time.
    mutating func take(_ bytes: [UInt8], _ range: Range<Int>) {
        var state = State(words)
        bytes.withUnsafeBytes { bytes in
            Self.constants.withUnsafeBufferPointer { constants in
                withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
                    for start in stride(from: range.lowerBound, to: range.upperBound, by: Self.blockSize) {
                        Self.prepare(schedule, bytes, from: start)
                        state.mix(schedule, constants)
                    }
                }
            }
        }
        words = state.words
    }

    /// Fills the schedule from a block, all of which is in `bytes`.
    private static func prepare(_ schedule: UnsafeMutableBufferPointer<UInt32>, _ bytes: UnsafeRawBufferPointer, from start: Int) {
        for place in 0..<16 {
            schedule[place] = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: start + 4 * place, as: UInt32.self))
        }
        for place in 16..<64 {
            let (near, far) = (schedule[place - 2], schedule[place - 15])
            let low = rotated(far, 7) ^ rotated(far, 18) ^ far >> 3
            let high = rotated(near, 17) ^ rotated(near, 19) ^ near >> 10
            schedule[place] = schedule[place - 16] &+ low &+ schedule[place - 7] &+ high
        }
    }

    /// The eight words that a block changes.
    private struct State {
        var a, b, c, d, e, f, g, h: UInt32

        init(_ words: [UInt32]) {
            (a, b, c, d) = (words[0], words[1], words[2], words[3])
            (e, f, g, h) = (words[4], words[5], words[6], words[7])
        }

        var words: [UInt32] { [a, b, c, d, e, f, g, h] }

        mutating func mix(_ schedule: UnsafeMutableBufferPointer<UInt32>, _ constants: UnsafeBufferPointer<UInt32>) {
            var (a, b, c, d, e, f, g, h) = (a, b, c, d, e, f, g, h)
            for start in stride(from: 0, to: 64, by: 8) {
                // Eight rounds bring each word back to its place, so that none has to be moved.
                Self.round(a, b, c, &d, e, f, g, &h, constants[start] &+ schedule[start])
                Self.round(h, a, b, &c, d, e, f, &g, constants[start + 1] &+ schedule[start + 1])
                Self.round(g, h, a, &b, c, d, e, &f, constants[start + 2] &+ schedule[start + 2])
                Self.round(f, g, h, &a, b, c, d, &e, constants[start + 3] &+ schedule[start + 3])
                Self.round(e, f, g, &h, a, b, c, &d, constants[start + 4] &+ schedule[start + 4])
                Self.round(d, e, f, &g, h, a, b, &c, constants[start + 5] &+ schedule[start + 5])
                Self.round(c, d, e, &f, g, h, a, &b, constants[start + 6] &+ schedule[start + 6])
                Self.round(b, c, d, &e, f, g, h, &a, constants[start + 7] &+ schedule[start + 7])
            }
            self.a &+= a
            self.b &+= b
            self.c &+= c
            self.d &+= d
            self.e &+= e
            self.f &+= f
            self.g &+= g
            self.h &+= h
        }

        @inline(__always)
        private static func round(
            _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32, _ e: UInt32, _ f: UInt32, _ g: UInt32, _ h: inout UInt32,
            _ word: UInt32
        ) {
            let sum = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
            let first = h &+ sum &+ (g ^ (e & (f ^ g))) &+ word
            let other = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
            d &+= first
            h = first &+ other &+ ((a & b) | (c & (a | b)))
        }
    }

    @inline(__always)
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
