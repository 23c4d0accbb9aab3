/// How TLS connections are made and trusted. Certificates are always verified, and so are the names in them.
public struct TLSOptions: Sendable, Hashable {
    /// Versions of TLS.
    public enum Version: Sendable, Hashable {
        /// TLS 1.2 (RFC 5246).
        case v1_2
        /// TLS 1.3 (RFC 8446).
        case v1_3
    }

    /// A file of certificates in PEM to trust instead of the system's, for servers with a certificate authority of their own.
    public var authorityFile: String?
    /// The lowest version that is spoken. Default: 1.2.
    public var minimumVersion: Version

    /// How TLS connections are made.
    public init(authorityFile: String? = nil, minimumVersion: Version = .v1_2) {
        self.authorityFile = authorityFile
        self.minimumVersion = minimumVersion
    }
}
