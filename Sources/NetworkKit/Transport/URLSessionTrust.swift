#if !canImport(CCurl) || URLSession
internal import Foundation
internal import PlatformBase

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif
#if canImport(Security)
internal import Security
#endif

/// How TLS is set up and challenges are answered. Servers are trusted as the options say. Credentials are sent above the transport, so that
/// other challenges are turned down and a 401 comes as an answer.
struct ServerTrust: Sendable {
    /// Takes the answer to a challenge. Called once, from anywhere.
    typealias Tell = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

    /// Trust in the system's authorities.
    init() {}

    #if canImport(Security)
    /// The certificates, in DER, of the authorities to trust instead of the system's.
    private var authorities: [Data]?
    private var pins: [PublicKeyPin]?
    private var client: ClientIdentity?
    private var minimumVersion = TLSOptions.Version.v1_2

    init(_ options: TLSOptions) throws(RequestError) {
        try options.check()
        minimumVersion = options.minimumVersion
        if let texts = options.pins { pins = try PublicKeyPin.all(texts) }
        if let certificate = options.clientCertificate { client = try ClientIdentity(certificate) }
        guard let file = options.authorityFile else { return }
        let certificates = try TLSOptions.authorities(in: file)
        guard Self.parsed(certificates).count == certificates.count else {
            throw .setUp(.tls, "the file of certificate authorities \(Token.quoted(file, limit: 200)) has a block that is no certificate")
        }
        authorities = certificates
    }

    private static func parsed(_ certificates: [Data]) -> [SecCertificate] {
        certificates.compactMap { SecCertificateCreateWithData(nil, $0 as CFData) }
    }

    func setUp(_ settings: URLSessionConfiguration) {
        settings.tlsMinimumSupportedProtocolVersion = minimumVersion == .v1_3 ? .TLSv13 : .TLSv12
    }

    func answer(to challenge: URLAuthenticationChallenge, _ tell: @escaping Tell) {
        let space = challenge.protectionSpace
        // The proxy is the system's, which knows its credentials; a 407 is no answer of the server's.
        guard !space.isProxy() else { return tell(.performDefaultHandling, nil) }
        switch space.authenticationMethod {
        case NSURLAuthenticationMethodServerTrust:
            let answer = answer(to: space.serverTrust)
            tell(answer.disposition, answer.credential)
        case NSURLAuthenticationMethodClientCertificate:
            guard let client else { return tell(.performDefaultHandling, nil) }
            // A file is read and deciphered, which must not hold up what the platform tells of other requests.
            FileWork.add { tell(.useCredential, client.credential) }
        default: tell(.rejectProtectionSpace, nil)
        }
    }

    private func answer(
        to trust: SecTrust?
    ) -> (disposition: URLSession.AuthChallengeDisposition, credential: URLCredential?) {
        guard authorities != nil || pins != nil else { return (.performDefaultHandling, nil) }
        guard let trust, isTrusted(trust) else { return (.cancelAuthenticationChallenge, nil) }
        return (.useCredential, URLCredential(trust: trust))
    }

    /// Whether the chain leads to an authority, for the name that was asked, and the server's own key is pinned where there are pins.
    private func isTrusted(_ trust: SecTrust) -> Bool {
        if let authorities {
            guard SecTrustSetAnchorCertificates(trust, Self.parsed(authorities) as CFArray) == errSecSuccess,
                SecTrustSetAnchorCertificatesOnly(trust, true) == errSecSuccess
            else { return false }
        }
        guard SecTrustEvaluateWithError(trust, nil) else { return false }
        guard let pins else { return true }
        guard let own = (SecTrustCopyCertificateChain(trust) as? [SecCertificate])?.first,
            let key = SubjectPublicKey.info(ofCertificate: SecCertificateCopyData(own) as Data)
        else { return false }
        let digest = Data(SHA256.hash([UInt8](key)))
        return pins.contains { $0.digest == digest }
    }
    #else
    init(_ options: TLSOptions) throws(RequestError) {
        guard options == TLSOptions() else {
            throw .setUp(.tls, "URLSession on Linux can honour no TLS options; CurlTransport does")
        }
    }

    func setUp(_ settings: URLSessionConfiguration) {}

    func answer(to challenge: URLAuthenticationChallenge, _ tell: @escaping Tell) { tell(.rejectProtectionSpace, nil) }
    #endif
}

#if canImport(Security)
/// The client's certificate and key, in the platform's form.
private struct ClientIdentity: Sendable {
    private let certificate: TLSOptions.ClientCertificate
    /// The file as it was at set-up. It counts where the file can't be used later, as in the moment in which it is replaced.
    private let first: Data

    /// - Throws: ``RequestError/connection(_:)`` of kind `tls` for what the platform can't read.
    init(_ certificate: TLSOptions.ClientCertificate) throws(RequestError) {
        let name = Self.name(of: certificate)
        guard certificate.format == .pkcs12 else {
            throw .setUp(
                .tls,
                "URLSession takes a client certificate in PKCS#12 only, and \(name) is PEM; openssl pkcs12 -export makes one of it, for "
                    + ".pkcs12(_:passphrase:)")
        }
        self.certificate = certificate
        first = try Self.bytes(of: certificate)
        guard credential(of: first) != nil else {
            throw .setUp(.tls, "the client certificate \(name) can't be used; is the passphrase right, and the file whole?")
        }
    }

    /// What is shown to a server: read anew, since the file may have been replaced.
    var credential: URLCredential? { (try? Self.bytes(of: certificate)).flatMap(credential(of:)) ?? credential(of: first) }

    private static func name(of certificate: TLSOptions.ClientCertificate) -> String { Token.quoted(certificate.file, limit: 200) }

    private static func bytes(of certificate: TLSOptions.ClientCertificate) throws(RequestError) -> Data {
        try TLSOptions.bytes(of: certificate.file, "the client certificate \(name(of: certificate))")
    }

    private func credential(of file: Data) -> URLCredential? {
        var items: CFArray?
        guard SecPKCS12Import(file as CFData, options as CFDictionary, &items) == errSecSuccess,
            let item = (items as? [[String: Any]])?.first,
            let identity = item[kSecImportItemIdentity as String] as CFTypeRef?,
            CFGetTypeID(identity) == SecIdentityGetTypeID()
        else { return nil }
        // The chain begins with the certificate itself, which the identity has. The others lead to its authority, and a server that
        // knows no more than that needs them (RFC 8446 §4.4.2).
        let chain = item[kSecImportItemCertChain as String] as? [SecCertificate] ?? []
        let intermediates = chain.count > 1 ? Array(chain.dropFirst()) : nil
        // A conditional cast knows nothing of types of Core Foundation; the guard has asked for it.
        return URLCredential(
            identity: unsafeDowncast(identity, to: SecIdentity.self), certificates: intermediates, persistence: .none)
    }

    private var options: [String: Any] {
        let passphrase = certificate.passphrase ?? ""
        #if os(macOS)
        // The only platform that would put it into a keychain.
        return [kSecImportExportPassphrase as String: passphrase, kSecImportToMemoryOnly as String: true]
        #else
        return [kSecImportExportPassphrase as String: passphrase]
        #endif
    }
}
#endif
#endif
