import PlatformBase
import Testing

@testable import NetworkKit

/// That of no bytes at all.
private let wholePin = "sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

@Suite("Pins")
struct PublicKeyPinTests {
    @Test("A pin is SHA-256 in Base64, and is written as it was read")
    func whole() throws {
        let pin = try PublicKeyPin(wholePin)
        #expect(pin.digest.count == 32 && pin.digest.first == 0xE3)
        #expect(pin.text == wholePin)
        #expect(try PublicKeyPin.all([wholePin, wholePin]).count == 2)
    }

    @Test(
        "B79: a pin that could never match is an error that says why, and what a pin looks like",
        arguments: [
            ("sha256//47DEQpj8HBSa", "9 bytes"), ("sha256//", "0 bytes"), ("sha256//not base64!", "no Base64"),
            ("sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU", "no Base64"),
            ("sha256//47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU=", "alphabet for URLs"),
            ("sha256//e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "hexadecimal"),
            ("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "hexadecimal"),
            ("E3:B0:C4:42:98:FC:1C:14:9A:FB:F4:C8:99:6F:B9:24:27:AE:41:E4:64:9B:93:4C:A4:95:99:1B:78:52:B8:55", "hexadecimal"),
            ("-----BEGIN PUBLIC KEY-----\nMFkwEwYH", "PEM"), ("/etc/ssl/pin.der", "path of a file"), ("pin.pem", "path of a file"),
            ("sha1/2jmj7l5rSw0yVb/vlWAYkK/YBwk=", "SHA-1"), ("sha1//2jmj7l5rSw0yVb/vlWAYkK/YBwk=", "SHA-1"),
            ("sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "one slash"), ("SHA256//47DE", "small letters"),
            ("\(wholePin);\(wholePin)", "more than one pin"), ("https://localhost", "names a host"), ("*.localhost", "names a host"),
            ("example.com=\(wholePin)", "names a host"), ("localhost", "seems to be a host"), ("127.0.0.1", "seems to be a host"),
            ("47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "doesn't begin with sha256//"), ("", "doesn't begin with sha256//"),
        ])
    func malformed(_ text: String, _ why: String) async throws {
        let failure = failure { () throws(RequestError) in try PublicKeyPin(text) }
        guard case .connection(let details) = failure else { return #expect(Bool(false)) }
        #expect(details.kind == .tls)
        #expect(details.reason.contains(why), "\(details.reason)")
        #expect(details.reason.contains("A pin looks like \(wholePin)"))
    }

    @Test("A key that was pasted for a pin isn't shown; an empty list of pins is an error")
    func pasted() {
        let secret = "MHcCAQEEIBkg0123456789"
        let pasted = failure { () throws(RequestError) in try PublicKeyPin("-----BEGIN EC PRIVATE KEY-----\n\(secret)") }
        #expect(pasted?.description.contains(secret) == false)
        let none = failure { () throws(RequestError) in try PublicKeyPin.all([]) }
        #expect(none?.connectionKind == .tls)
    }
}
