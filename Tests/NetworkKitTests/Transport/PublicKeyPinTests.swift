import PlatformBase
import Testing

@testable import NetworkKit

/// That of the words "sample key 12".
private let wholePin = "sha256//fI5iwM32uymhM1+UYyH/z56HMkjAOjJ3RXGWoJ9Iv0o="

@Suite("Pins")
struct PublicKeyPinTests {
    @Test("A pin is SHA-256 in Base64, and is written as it was read")
    func whole() throws {
        let pin = try PublicKeyPin(wholePin)
        #expect(pin.digest.count == 32 && pin.digest.first == 0x7C)
        #expect(pin.text == wholePin)
        #expect(try PublicKeyPin.all([wholePin, wholePin]).count == 2)
    }

    @Test(
        "B79: a pin that could never match is an error that says why, and what a pin looks like",
        arguments: [
            ("sha256//47DEQpj8HBSa", "9 bytes"), ("sha256//", "0 bytes"), ("sha256//not base64!", "no Base64"),
            ("sha256//fI5iwM32uymhM1+UYyH/z56HMkjAOjJ3RXGWoJ9Iv0o", "no Base64"),
            ("sha256//fI5iwM32uymhM1-UYyH_z56HMkjAOjJ3RXGWoJ9Iv0o=", "alphabet for URLs"),
            ("sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "the digest of nothing"),
            ("sha256//e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "hexadecimal"),
            ("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "hexadecimal"),
            ("E3:B0:C4:42:98:FC:1C:14:9A:FB:F4:C8:99:6F:B9:24:27:AE:41:E4:64:9B:93:4C:A4:95:99:1B:78:52:B8:55", "hexadecimal"),
            ("-----BEGIN PUBLIC KEY-----\nMFkwEwYH", "PEM"), ("/etc/ssl/pin.der", "path of a file"), ("pin.pem", "path of a file"),
            ("sha1/2jmj7l5rSw0yVb/vlWAYkK/YBwk=", "SHA-1"), ("sha1//2jmj7l5rSw0yVb/vlWAYkK/YBwk=", "SHA-1"),
            ("sha256/fI5iwM32uymhM1+UYyH/z56HMkjAOjJ3RXGWoJ9Iv0o=", "one slash"), ("SHA256//47DE", "small letters"),
            ("\(wholePin);\(wholePin)", "more than one pin"), ("https://localhost", "names a host"), ("*.localhost", "names a host"),
            ("example.com=\(wholePin)", "names a host"), ("localhost", "seems to be a host"), ("127.0.0.1", "seems to be a host"),
            ("fI5iwM32uymhM1+UYyH/z56HMkjAOjJ3RXGWoJ9Iv0o=", "doesn't begin with sha256//"), ("", "doesn't begin with sha256//"),
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
