internal import PlatformBase

/// The public key of a certificate, as pins are made of it.
enum SubjectPublicKey {
    /// The SubjectPublicKeyInfo of a certificate in DER, tag and length included (RFC 5280 §4.1); `nil` when it is none.
    static func info(ofCertificate certificate: Data) -> Data? {
        var reader = DERReader(certificate)
        guard let whole = reader.next(), whole.tag == DERReader.sequence else { return nil }
        reader = DERReader(whole.content)
        guard let toBeSigned = reader.next(), toBeSigned.tag == DERReader.sequence else { return nil }
        reader = DERReader(toBeSigned.content)
        // The version is left out where it is 1; the key comes behind serial number, algorithm, issuer, validity and subject.
        guard let first = reader.next() else { return nil }
        for _ in 0..<(first.tag == DERReader.version ? 5 : 4) { guard reader.next() != nil else { return nil } }
        guard let key = reader.next(), key.tag == DERReader.sequence else { return nil }
        return key.whole
    }
}

/// The elements of a DER encoding one behind the other (X.690 §8.1).
private struct DERReader {
    struct Element {
        let tag: UInt8
        let content: Data
        /// With tag and length.
        let whole: Data
    }

    static let sequence: UInt8 = 0x30
    static let version: UInt8 = 0xA0

    private var rest: Data

    init(_ bytes: Data) { rest = bytes }

    /// The next element; `nil` at the end, and for what is cut off or of no known length.
    mutating func next() -> Element? {
        let start = rest.startIndex
        guard rest.count >= 2 else { return nil }
        let tag = rest[start]
        var length = Int(rest[start + 1])
        var contentStart = start + 2
        if length >= 0x80 {
            // So many bytes of length follow: 16 MiB are more than any certificate has, and an `Int` of 32 bits must hold them.
            let count = length & 0x7F
            guard (1...3).contains(count), rest.count >= 2 + count else { return nil }
            length = rest[contentStart..<contentStart + count].reduce(0) { $0 << 8 | Int($1) }
            contentStart += count
        }
        guard rest.endIndex - contentStart >= length else { return nil }
        let end = contentStart + length
        defer { rest = rest[end...] }
        return Element(tag: tag, content: rest[contentStart..<end], whole: rest[start..<end])
    }
}
