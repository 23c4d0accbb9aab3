/// The hash functions of HTTP Digest (RFC 7616 §6.1), the strongest last.
enum DigestAlgorithm: Int, Comparable, Sendable {
    case md5, sha256, sha512_256

    /// - Parameter name: as a challenge has it, without `-sess`.
    init?(_ name: String) {
        switch name.lowercased() {
        case "md5": self = .md5
        case "sha-256": self = .sha256
        case "sha-512-256": self = .sha512_256
        default: return nil
        }
    }

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// `H` of RFC 7616 §3.4: the hash in lower-case hexadecimal digits.
    func hash(_ parts: String...) -> String {
        let bytes = Array(parts.joined(separator: ":").utf8)
        return switch self {
        case .md5: Hexadecimal.text(MD5.hash(bytes))
        case .sha256: Hexadecimal.text(SHA256.hash(bytes))
        case .sha512_256: Hexadecimal.text(SHA512_256.hash(bytes))
        }
    }
}
