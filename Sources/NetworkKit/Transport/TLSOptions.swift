/// How TLS connections are made and trusted. Certificates are always verified, and so are the names in them.
///
/// ```swift
/// let tls = TLSOptions(
///     authorityFile: "/etc/ssl/corporate.pem",
///     pins: ["sha256//fI5iwM32uymhM1+UYyH/z56HMkjAOjJ3RXGWoJ9Iv0o="],
///     clientCertificate: .pem("client.pem", keyFile: "client.key"))
/// ```
///
/// What can't be honoured, a pin that could never match or a file that isn't there, is an error before anything is connected: see the
/// transport that takes the options.
public struct TLSOptions: Sendable, Hashable {
    /// Versions of TLS.
    public enum Version: Sendable, Hashable {
        /// TLS 1.2 (RFC 5246).
        case v1_2
        /// TLS 1.3 (RFC 8446).
        case v1_3
    }

    /// A file of certificates in PEM to trust instead of the system's, for servers with a certificate authority of their own.
    /// ``CurlTransport`` trusts them for a proxy that is spoken to by TLS, too.
    public var authorityFile: String?
    /// Public keys of which the server must have one, besides a certificate that is trusted; `nil`, the default, for any. An empty list
    /// is an error.
    ///
    /// Each is `sha256//` and the SHA-256 of the key's SubjectPublicKeyInfo in Base64. Pins name no host: they hold for every server that
    /// the transport speaks TLS with, those that a redirect leads to included, but not for a proxy. Plain `http` has no keys. The key is
    /// that of the server's own certificate, not of an authority's. Give two, so that the key can be changed. For a certificate in PEM:
    ///
    /// ```sh
    /// openssl x509 -in server.pem -noout -pubkey | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64
    /// ```
    public var pins: [String]?
    /// What the client shows to every server that asks who it is. Default: nothing.
    public var clientCertificate: ClientCertificate?
    /// The lowest version that is spoken. Default: 1.2.
    public var minimumVersion: Version

    /// How TLS connections are made.
    public init(
        authorityFile: String? = nil, pins: [String]? = nil, clientCertificate: ClientCertificate? = nil, minimumVersion: Version = .v1_2
    ) {
        self.authorityFile = authorityFile
        self.pins = pins
        self.clientCertificate = clientCertificate
        self.minimumVersion = minimumVersion
    }
}
