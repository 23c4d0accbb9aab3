#if !canImport(CCurl) || URLSession
internal import Foundation
internal import PlatformBase

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif
#if canImport(Security)
internal import Security
#endif

/// How TLS is set up and challenges are answered. Servers are trusted as the options say. Credentials are sent above the transport, so that other
/// challenges are turned down and a 401 comes as an answer.
struct ServerTrust {
    typealias Answer = (disposition: URLSession.AuthChallengeDisposition, credential: URLCredential?)

    /// Trust in the system's authorities.
    init() {}

    #if canImport(Security)
    /// The certificates, in DER, of the authorities to trust instead of the system's.
    private var authorities: [Data]?
    private var minimumVersion = TLSOptions.Version.v1_2

    init(_ options: TLSOptions) throws(RequestError) {
        minimumVersion = options.minimumVersion
        guard let file = options.authorityFile else { return }
        let text: String
        do {
            text = String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self)
        } catch {
            throw .file(.init(.init(path: file), reason: "can't read \(Token.quoted(file)): \(error)", underlying: error))
        }
        // PEM (RFC 7468 §5).
        let blocks = text.components(separatedBy: "-----BEGIN CERTIFICATE-----").dropFirst().map { block in
            block.components(separatedBy: "-----END CERTIFICATE-----")[0]
        }
        let certificates = blocks.compactMap { Data(base64Encoded: $0, options: .ignoreUnknownCharacters) }
        guard !blocks.isEmpty, Self.parsed(certificates).count == blocks.count else {
            throw .connection(.init(.init(kind: .tls), reason: "\(Token.quoted(file)) has no certificates in PEM, or one that is none"))
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
        guard challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust else {
            return (.rejectProtectionSpace, nil)
        }
        guard let authorities else { return (.performDefaultHandling, nil) }
        guard let trust = challenge.protectionSpace.serverTrust,
            SecTrustSetAnchorCertificates(trust, Self.parsed(authorities) as CFArray) == errSecSuccess,
            SecTrustSetAnchorCertificatesOnly(trust, true) == errSecSuccess, SecTrustEvaluateWithError(trust, nil)
        else { return (.cancelAuthenticationChallenge, nil) }
        return (.useCredential, URLCredential(trust: trust))
    }
    #else
    init(_ options: TLSOptions) throws(RequestError) {
        guard options == TLSOptions() else {
            throw .connection(.init(.init(kind: .tls), reason: "URLSession on Linux can honour no TLS options; CurlTransport does"))
        }
    }

    func setUp(_ settings: URLSessionConfiguration) {}

    func answer(to challenge: URLAuthenticationChallenge) -> Answer { (.rejectProtectionSpace, nil) }
    #endif
}
#endif
