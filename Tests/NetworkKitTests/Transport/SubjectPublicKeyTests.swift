import PlatformBase
import TestSupport
import Testing

@testable import NetworkKit

@Suite("The public key of a certificate")
struct SubjectPublicKeyTests {
    @Test(
        "It is cut out of a certificate as openssl does it, for keys of every kind", .enabled(if: Program.openssl != nil, "needs openssl"))
    func sameAsOpenSSL() throws {
        let authority = try TestAuthority()
        defer { authority.remove() }
        try authority.issue("server")
        for (name, kind) in [
            ("rsa", ["rsa:2048"]), ("curve", ["ec", "-pkeyopt", "ec_paramgen_curve:secp384r1"]), ("edwards", ["ed25519"]),
        ] {
            let making = [
                "req", "-x509", "-nodes", "-days", "2", "-subj", "/CN=x", "-keyout", "\(name).key", "-out", "\(name).pem", "-newkey",
            ]
            #expect(try ChildProcess(Program.openssl, making + kind, folder: authority.folder).wait() == 0)
        }
        for name in ["ca", "server", "rsa", "curve", "edwards"] {
            let pem = PEM(try String(contentsOfFile: authority.file("\(name).pem"), encoding: .utf8))
            let certificate = try #require(pem.certificates.first?.bytes)
            let expected = try authority.publicKey(name)
            #expect(SubjectPublicKey.info(ofCertificate: certificate) == expected)
            // Cut off anywhere, it is no certificate.
            for length in 0..<certificate.count { #expect(SubjectPublicKey.info(ofCertificate: certificate.prefix(length)) == nil) }
        }
    }

    @Test("What is no certificate has none")
    func others() {
        for bytes in [
            [], [0x30], [0x30, 0x80], [0x30, 0x03, 0x30, 0x01, 0x00], [0x30, 0x85, 1, 1, 1, 1, 1],
            // Lengths that an Int of 32 bits doesn't hold.
            [0x30, 0x84, 0x80, 0, 0, 0, 0x30], [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF, 0x30], [0x30, 0x83, 0xFF, 0xFF, 0xFF, 0x30],
            Array(repeating: 0x30, count: 64),
        ] as [[UInt8]] {
            #expect(SubjectPublicKey.info(ofCertificate: Data(bytes)) == nil)
        }
    }
}
