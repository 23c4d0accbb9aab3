import PlatformBase
import Testing

@testable import NetworkKit

@Suite("Checksums and hashes of the disk store")
struct ChecksumTests {
    @Test(
        "XXH64 gives the published values",
        arguments: [
            ("", 0xEF46_DB37_51D8_E999), ("a", 0xD24E_C4F1_A98C_6E5B), ("abc", 0x44BC_2CF5_AD77_0999), ("xxhash", 0x32DD_3895_2C4B_C720),
            ("Nobody inspects the spammish repetition", 0xFBCE_A83C_8A37_8BF1),
        ] as [(String, UInt64)])
    func xxh64(text: String, checksum: UInt64) { #expect(Checksum.of(Array(text.utf8), seed: 0) == checksum) }

    @Test("XXH64 depends on its seed, on every byte and on the length, whatever that is")
    func everyByteCounts() {
        for count in 0..<80 {
            let bytes = Array(sampleBytes(count))
            let checksum = Checksum.of(bytes, seed: 7)
            #expect(Checksum.of(bytes, seed: 8) != checksum)
            #expect(Checksum.of(bytes + [0], seed: 7) != checksum)
            for place in bytes.indices {
                var changed = bytes
                changed[place] ^= 1
                #expect(Checksum.of(changed, seed: 7) != checksum)
            }
        }
    }

    @Test(
        "SipHash-2-4 with 128 bits gives the published values",
        arguments: [
            (0, 0xE6A8_25BA_047F_81A3, 0x9302_55C7_1472_F66D), (1, 0x44AF_996B_D8C1_87DA, 0x45FC_229B_1159_7634),
        ] as [(Int, UInt64, UInt64)])
    func sipHash(count: Int, low: UInt64, high: UInt64) {
        let hash = SipHash(key: 0x0706_0504_0302_0100, 0x0F0E_0D0C_0B0A_0908)
        let bytes = (0..<count).map { UInt8($0) }
        #expect(bytes.withUnsafeBytes { hash.hash($0) } == SipHash.Value(low: low, high: high))
    }

    @Test("Another key gives another hash, and so does each other text")
    func keys() {
        let hash = SipHash(key: 1, 2)
        #expect(hash.hash("text") != SipHash(key: 1, 3).hash("text"))
        let texts = (0..<1000).map { String(repeating: "x", count: $0 % 50) + "\($0)" }
        #expect(Set(texts.map { hash.hash($0) }).count == texts.count)
    }
}
