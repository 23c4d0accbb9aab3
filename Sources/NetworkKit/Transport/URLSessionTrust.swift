#if !canImport(CCurl) || URLSession
internal import Foundation
internal import PlatformBase

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif
#if canImport(Security)
internal import CryptoKit
internal import Security
#endif

/// How TLS is set up and challenges are answered. Servers are trusted as the options say. Credentials are sent above the transport, so that
/// other challenges are turned down and a 401 comes as an answer.
struct ServerTrust: Sendable {
    typealias Answer = (disposition: URLSession.AuthChallengeDisposition, credential: URLCredential?)

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

    func answer(to challenge: URLAuthenticationChallenge) -> Answer {
        switch challenge.protectionSpace.authenticationMethod {
        case NSURLAuthenticationMethodServerTrust: answer(to: challenge.protectionSpace.serverTrust)
        case NSURLAuthenticationMethodClientCertificate: client.map { (.useCredential, $0.credential) } ?? (.performDefaultHandling, nil)
        default: (.rejectProtectionSpace, nil)
        }
    }

    private func answer(to trust: SecTrust?) -> Answer {
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
        let digest = Data(SHA256.hash(data: key))
        return pins.contains { $0.digest == digest }
    }
    #else
    init(_ options: TLSOptions) throws(RequestError) {
        guard options == TLSOptions() else {
            throw .setUp(.tls, "URLSession on Linux can honour no TLS options; CurlTransport does")
        }
    }

    func setUp(_ settings: URLSessionConfiguration) {}

    func answer(to challenge: URLAuthenticationChallenge) -> Answer { (.rejectProtectionSpace, nil) }
    #endif
}

#if canImport(Security)
/// The client's certificate and key, in the platform's form.
private struct ClientIdentity: Sendable {
    private let file: Data
    private let passphrase: String

    /// - Throws: ``RequestError/connection(_:)`` of kind `tls` for what the platform can't read.
    init(_ certificate: TLSOptions.ClientCertificate) throws(RequestError) {
        let name = Token.quoted(certificate.file, limit: 200)
        guard certificate.format == .pkcs12 else {
            throw .setUp(
                .tls,
                "URLSession takes a client certificate in PKCS#12 only, and \(name) is PEM; openssl pkcs12 -export makes one of it, for "
                    + ".pkcs12(_:passphrase:)")
        }
        file = try TLSOptions.bytes(of: certificate.file, "the client certificate \(name)")
        passphrase = certificate.passphrase ?? ""
        guard identity != nil else {
            throw .setUp(.tls, "the client certificate \(name) can't be used; is the passphrase right, and the file whole?")
        }
    }

    var credential: URLCredential? { identity.map { URLCredential(identity: $0, certificates: nil, persistence: .none) } }

    private var identity: SecIdentity? {
        var options = [kSecImportExportPassphrase as String: passphrase as Any]
        #if os(macOS)
        // The only platform that would put it into a keychain.
        options[kSecImportToMemoryOnly as String] = true
        #endif
        var items: CFArray?
        guard SecPKCS12Import(file as CFData, options as CFDictionary, &items) == errSecSuccess,
            let identity = (items as? [[String: Any]])?.first?[kSecImportItemIdentity as String] as CFTypeRef?,
            CFGetTypeID(identity) == SecIdentityGetTypeID()
        else { return nil }
        // A conditional cast knows nothing of types of Core Foundation; the line above has asked for it.
        return unsafeDowncast(identity, to: SecIdentity.self)
    }
}
#endif
#endif
