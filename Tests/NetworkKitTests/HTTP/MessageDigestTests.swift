import Foundation
import Testing

@testable import NetworkKit

@Suite("MD5, SHA-256 and SHA-512/256")
struct MessageDigestTests {
    @Test(
        "MD5 gives what RFC 1321 §A.5 says",
        arguments: [
            ("", "d41d8cd98f00b204e9800998ecf8427e"), ("a", "0cc175b9c0f1b6a831c399e269772661"),
            ("abc", "900150983cd24fb0d6963f7d28e17f72"), ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
            ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
            ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", "d174ab98d277d9f5a5611c2c9f419d9f"),
            (String(repeating: "1234567890", count: 8), "57edf4a22be3c955ac49da2e2107b67a"),
        ])
    func md5(message: String, hash: String) { #expect(Hexadecimal.text(MD5.hash(Array(message.utf8))) == hash) }

    @Test(
        "SHA-256 gives what FIPS 180-4's examples say",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func sha256(message: String, hash: String) { #expect(Hexadecimal.text(SHA256.hash(Array(message.utf8))) == hash) }

    @Test(
        "SHA-512/256 gives what FIPS 180-4's examples say",
        arguments: [
            ("", "c672b8d1ef56ed28ab87c3622c5114069bdd3ad7b8f9737498d0c01ecef0967a"),
            ("abc", "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"),
            (
                "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
                "3928e184fb8690f840da3988121d31be65cb9d3ef83ee6146feac861e19b563a"
            ),
        ])
    func sha512_256(message: String, hash: String) { #expect(Hexadecimal.text(SHA512_256.hash(Array(message.utf8))) == hash) }

    @Test("A million letters, in pieces of any size, give the same hashes")
    func pieces() {
        let message = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
        func hash<Digest: MessageDigest>(_: Digest.Type, in size: Int) -> String {
            var digest = Digest()
            for start in stride(from: 0, to: message.count, by: size) {
                digest.update(Array(message[start..<min(start + size, message.count)]))
            }
            return Hexadecimal.text(digest.finalize())
        }
        for size in [63, 64, 65, 1000, 1_000_000] {
            #expect(hash(MD5.self, in: size) == "7707d6ae4e027c70eea2a935c2296f21")
            #expect(hash(SHA256.self, in: size) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
            #expect(hash(SHA512_256.self, in: size) == "9a59a052930187a97038cae692f30708aa6491923ef5194394dc68d56c74fb21")
        }
        var digest = SHA256()
        digest.update(Data(message).dropFirst(7))
        digest.update(Data(repeating: UInt8(ascii: "a"), count: 7))
        #expect(Hexadecimal.text(digest.finalize()) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test("Messages of every length around a block's end differ from their neighbours, whole or byte by byte")
    func everyLength() {
        var seen: Set<[UInt8]> = []
        for length in 0...260 {
            let message = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
            var (first, second) = (SHA256(), SHA512_256())
            for byte in message {
                first.update([byte])
                second.update([byte])
            }
            #expect(first.finalize() == SHA256.hash(message) && second.finalize() == SHA512_256.hash(message))
            seen.insert(SHA256.hash(message))
        }
        #expect(seen.count == 261)
    }

    @Test("The keyed hash is HMAC (RFC 4231 §4.3), and another key gives another")
    func keyed() {
        let message = Array("what do ya want for nothing?".utf8)
        #expect(
            Hexadecimal.text(KeyedHash(key: Array("Jefe".utf8)).hash(message))
                == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        #expect(KeyedHash(key: [1]).hash(message) != KeyedHash(key: [2]).hash(message))
        #expect(
            KeyedHash(key: [UInt8](repeating: 1, count: 65)).hash([])
                == KeyedHash(key: SHA256.hash([UInt8](repeating: 1, count: 65))).hash([]))
    }
}
