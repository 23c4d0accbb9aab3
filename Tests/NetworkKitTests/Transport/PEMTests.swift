import PlatformBase
import Testing

@testable import NetworkKit

@Suite("PEM")
struct PEMTests {
    @Test("Blocks are told apart, text around them is passed over, and bytes are read across lines")
    func blocks() {
        let pem = PEM(
            "a comment\r\n-----BEGIN CERTIFICATE-----\r\nAQID\r\nBA==\r\n-----END CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----\nAQ==\n-----END PRIVATE KEY-----"
        )
        #expect(pem.blocks.map(\.label) == ["CERTIFICATE", "PRIVATE KEY"])
        #expect(pem.certificates.map(\.bytes) == [Data([1, 2, 3, 4])])
        #expect(pem.keys.map(\.isEncrypted) == [false])
    }

    @Test("A block that is cut off, empty, damaged or closed by another's end has no bytes")
    func damaged() {
        for text in ["AQID", "\n-----END CERTIFICATE-----", "A!\n-----END CERTIFICATE-----", "AQID\n-----END PRIVATE KEY-----"] {
            let pem = PEM("-----BEGIN CERTIFICATE-----\n" + text)
            #expect(pem.certificates.count == 1 && pem.certificates[0].bytes == nil)
        }
        #expect(PEM("").blocks.isEmpty && PEM("-----END CERTIFICATE-----").blocks.isEmpty)
    }

    @Test("A key that takes a passphrase is known by its label, or by a field in front of its bytes")
    func encrypted() {
        let new = "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAQID\n-----END ENCRYPTED PRIVATE KEY-----"
        let old = "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00\n\nAQID\n-----END RSA PRIVATE KEY-----"
        for text in [new, old] {
            let key = PEM(text).keys.first
            #expect(key?.isEncrypted == true && key?.bytes == Data([1, 2, 3]))
        }
    }
}
