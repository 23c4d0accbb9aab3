internal import PlatformBase

/// A pin as a caller writes it, `sha256//` and a digest in Base64, read and found whole. What could never match a key is refused here:
/// a pin that is passed over would switch pinning off without a word.
struct PublicKeyPin: Hashable, Sendable {
    /// SHA-256 of a public key, that is of its SubjectPublicKeyInfo in DER (RFC 7469 §2.4).
    let digest: Data

    /// The pin in the one form that it has.
    var text: String { Self.prefix + digest.base64EncodedString() }

    /// - Throws: ``RequestError/connection(_:)`` of kind `tls` that says what is wrong, and what a pin looks like.
    init(_ text: String) throws(RequestError) {
        guard text.hasPrefix(Self.prefix) else { throw Self.fault(text, Self.misreading(of: text)) }
        let code = text.dropFirst(Self.prefix.count)
        if code.contains(";") || code.contains(",") {
            throw Self.fault(text, "holds more than one pin; each is an element of its own")
        }
        if Self.isHex(code) { throw Self.fault(text, "has its digest in hexadecimal, not in Base64") }
        if code.contains("-") || code.contains("_") {
            throw Self.fault(text, "is in the alphabet for URLs; in a pin + and / stand for - and _")
        }
        guard let digest = Data(base64Encoded: String(code)) else { throw Self.fault(text, "has a digest that is no Base64 (RFC 4648 §4)") }
        guard digest.count == Self.digestLength else {
            throw Self.fault(text, "has a digest of \(digest.count) bytes; SHA-256 has \(Self.digestLength)")
        }
        guard digest != Self.digestOfNothing else {
            throw Self.fault(text, "is the digest of nothing: what it was made with had no key to read")
        }
        self.digest = digest
    }

    private static let digestOfNothing = Data(SHA256.hash([]))

    /// All pins of a list; an empty list is refused.
    static func all(_ texts: [String]) throws(RequestError) -> [PublicKeyPin] {
        guard !texts.isEmpty else {
            throw .setUp(.tls, "the list of pins is empty, so that nothing would be pinned; leave it nil where that is meant")
        }
        var pins: [PublicKeyPin] = []
        for text in texts { pins.append(try PublicKeyPin(text)) }
        return pins
    }

    private static let prefix = "sha256//"
    private static let digestLength = 32

    /// What a text that doesn't begin like a pin seems to be.
    private static func misreading(of text: String) -> String {
        let lowered = text.lowercased()
        if lowered.contains("-----begin") { return "is PEM; a pin is the digest of the public key" }
        if lowered.hasPrefix("sha1/") { return "is of SHA-1, which isn't taken any more" }
        if lowered.hasPrefix("sha256//") { return "begins in capitals; write \(prefix) in small letters" }
        if lowered.hasPrefix("sha256/") { return "has one slash; write \(prefix)" }
        if lowered.contains("sha256/") || lowered.contains("://") || lowered.hasPrefix("*") {
            return "names a host; pins have none and hold for every TLS server that the transport talks to"
        }
        if isHex(text) { return "is hexadecimal" }
        if text.hasPrefix("/") || text.hasPrefix(".") || [".pem", ".der", ".crt", ".cer", ".key"].contains(where: lowered.hasSuffix) {
            return "is the path of a file"
        }
        if lowered.contains(".") || lowered == "localhost" { return "seems to be a host; pins have none" }
        return "doesn't begin with \(prefix)"
    }

    private static func isHex(_ text: some StringProtocol) -> Bool {
        let digits = text.utf8.filter { $0 != UInt8(ascii: ":") }
        return digits.count == 2 * digestLength && digits.allSatisfy { PercentEncoding.hexValue($0) != nil }
    }

    private static func fault(_ text: String, _ what: String) -> RequestError {
        // Short: what was pasted here by mistake might be a key.
        let shown = text.lowercased().contains("-----begin") ? "a pin" : "the pin \(Token.quoted(text, limit: 60))"
        return .setUp(
            .tls,
            "\(shown) \(what). A pin looks like \(prefix)fI5iwM32uymhM1+UYyH/z56HMkjAOjJ3RXGWoJ9Iv0o=: SHA-256 of the server's public "
                + "key (SubjectPublicKeyInfo in DER), in Base64")
    }
}

extension RequestError {
    /// An option that can't be honoured: found before anything is connected.
    static func setUp(_ kind: Connection.Kind, _ reason: String, underlying: (any Error)? = nil) -> RequestError {
        .connection(.init(.init(kind: kind), reason: reason, underlying: underlying))
    }
}
