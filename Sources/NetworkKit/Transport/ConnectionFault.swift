#if canImport(CCurl)
internal import CCurl
internal import PlatformBase

/// A connection that libcurl couldn't make, or that was refused at its other end: what that means, where it was, and what to do. Pure: all
/// that it takes is in it.
struct ConnectionFault {
    typealias Kind = RequestError.Connection.Kind

    /// libcurl's code.
    var code: Int
    /// libcurl's words.
    var words: String
    /// Whom the request is for.
    var origin: Origin
    /// What a proxy answered to CONNECT; 0 when none did.
    var proxyStatus = 0
    /// What the system said of the last connection.
    var systemError: Int32 = 0
    var options: CurlTransport.Options

    /// What is known better than by the code alone; `nil` when nothing is.
    var explanation: (kind: Kind, reason: String)? {
        if code == NK_E_COULDNT_RESOLVE_PROXY || code == NK_E_PROXY || words.hasPrefix("Unsupported proxy") { return proxyUnreachable }
        if code == NK_E_COULDNT_CONNECT { return notConnected }
        if proxyStatus != 0, proxyStatus / 100 != 2 { return (.proxy, proxyRefusal) }
        guard let meaning = tlsMeaning else { return nil }
        return (.tls, "TLS with \(peer) failed: \(meaning) (\(shownWords))")
    }

    // MARK: Connecting

    private var notConnected: (Kind, String) {
        if let path = options.unixSocket { return (socketKind, socketReason(path)) }
        // libcurl names whom it couldn't reach.
        guard !words.contains("Failed to connect to") || words.contains("to \(bareHost) port \(origin.port) ") else {
            return proxyUnreachable
        }
        let why = systemError == 0 ? shownWords : "\(shownWords): \(String(cString: strerror(systemError)))"
        let isNamed = options.addresses.keys.contains { $0.lowercased() == "\(origin.host):\(origin.port)" }
        let source = isNamed ? "; its address is that of CurlTransport.Options.addresses" : ""
        return (systemError == ECONNREFUSED ? .refused : .other, why + source)
    }

    private var socketKind: Kind { [ENOENT, ECONNREFUSED].contains(systemError) ? .refused : .other }

    private func socketReason(_ path: String) -> String {
        let socket = "the Unix socket \(Token.quoted(path, limit: 120))"
        return switch systemError {
        case ENOENT: "\(socket) isn't there; is the path right, and does the server run?"
        case ECONNREFUSED: "nobody listens at \(socket); does the server run?"
        case EACCES: "this program may not use \(socket); its user needs leave to read and write it"
        default: "\(socket) can't be connected to: \(systemError == 0 ? shownWords : String(cString: strerror(systemError)))"
        }
    }

    private var bareHost: String { origin.host.hasPrefix("[") ? String(origin.host.dropFirst().dropLast()) : origin.host }

    // MARK: Proxies

    private var proxyUnreachable: (Kind, String) {
        (.proxy, "\(proxy) can't be used: \(shownWords)\(systemError == ECONNREFUSED ? ": nobody listens there" : "")")
    }

    private var proxyRefusal: String {
        let refusal = "\(proxy) answered \(proxyStatus) to CONNECT \(origin.host):\(origin.port)"
        guard proxyStatus == 407 else { return "\(refusal): it doesn't let this request through" }
        return switch options.proxy.choice {
        case .url(let url, nil, nil, _) where !url.contains("@"):
            "\(refusal): it demands credentials; give them with .url(_:user:password:)"
        case .environment: "\(refusal): it demands credentials, or others than stand in the environment's URL of it"
        default: "\(refusal): it doesn't accept the credentials that it was given"
        }
    }

    private var proxy: String {
        if case .url = options.proxy.choice { "the proxy \(options.proxy)" } else { "the proxy that the environment names" }
    }

    /// libcurl quotes a proxy's URL that it doesn't understand, credentials and all.
    private var shownWords: String { Self.withoutUserInfo(words) }

    static func withoutUserInfo(_ text: String) -> String {
        guard let at = text.lastIndex(of: "@") else { return text }
        let start = text[..<at].firstIndex { $0 == "'" || $0 == "\"" }.map { text.index(after: $0) } ?? text.startIndex
        return text[..<start] + SecretValues.mask + text[at...]
    }

    // MARK: TLS

    /// Whom TLS is spoken with: a proxy, where the server is asked without it.
    private var peer: String {
        if let path = options.unixSocket { return "the Unix socket \(Token.quoted(path, limit: 120))" }
        if origin.scheme == "http" { return proxy }
        let server = "\(origin.host):\(origin.port)"
        guard case .url(let url, _, _, _) = options.proxy.choice, url.lowercased().hasPrefix("https:") else { return server }
        return "\(server) or \(proxy)"
    }

    private var tlsMeaning: String? {
        let said = words.lowercased()
        func says(_ phrases: String...) -> Bool { phrases.contains { said.contains($0) } }
        switch code {
        case NK_E_SSL_PINNEDPUBKEYNOTMATCH:
            let count = options.tls.pins?.count ?? 0
            return
                "the server's public key is \(count == 1 ? "not the one that is pinned" : "none of the \(count) that are pinned"); if it was "
                + "changed on purpose, pin the new one, else somebody stands in between"
        case NK_E_SSL_CACERT_BADFILE: return "the file of certificate authorities can't be used; see TLSOptions.authorityFile"
        case NK_E_SSL_CERTPROBLEM: return certificateProblem(says("does not match", "mismatch"))
        case NK_E_PEER_FAILED_VERIFICATION: return verification(says)
        case NK_E_SSL_CONNECT_ERROR, NK_E_SSL_CLIENTCERT: return handshake(says) ?? "the handshake broke off"
        // Of TLS 1.3 the server's verdict on a client comes behind the handshake, as an alert.
        case NK_E_SEND_ERROR, NK_E_RECV_ERROR: return says("ssl") && says("alert") ? handshake(says) : nil
        default: return nil
        }
    }

    private func certificateProblem(_ isForeignKey: Bool) -> String {
        guard let certificate = options.tls.clientCertificate else { return "a certificate can't be used" }
        let (file, key) = (Token.quoted(certificate.file, limit: 200), certificate.keyFile ?? certificate.file)
        if isForeignKey { return "the key in \(Token.quoted(key, limit: 200)) isn't that of the client certificate \(file)" }
        return
            "the client certificate \(file), or its key in \(Token.quoted(key, limit: 200)), can't be used; does the key belong to it, is the "
            + "passphrase right, and the file whole?"
    }

    private func verification(_ says: (String...) -> Bool) -> String {
        if says("expired") { return "the server's certificate has expired; it has to be renewed there, or the clock here is wrong" }
        if says("not yet valid") { return "the server's certificate isn't valid yet; is the clock here right?" }
        if says("subject name", "host name", "common name") {
            return
                "the server's certificate is for other names than \(bareHost); ask it by one of its own, or let its certificate name this one"
        }
        if says("in certificate chain", "local issuer", "issuer certificate") {
            return "no authority that is trusted here has issued the server's certificate; name the file of the one that has as "
                + "TLSOptions.authorityFile"
        }
        if says("self-signed", "self signed") {
            return "the server's certificate is self-signed; if it is the right one, name its file as TLSOptions.authorityFile"
        }
        return "the server's certificate isn't trusted"
    }

    private func handshake(_ says: (String...) -> Bool) -> String? {
        if says("alert protocol version", "unsupported protocol", "no protocols available", "version too low") {
            return
                "there is no version of TLS that the server speaks too; here it is \(options.tls.minimumVersion == .v1_3 ? "1.3" : "1.2") at "
                + "least, see TLSOptions.minimumVersion"
        }
        if says("wrong version number", "packet length too long", "http request") {
            return "what answers there doesn't speak TLS; is it http, or another port?"
        }
        if says("certificate required", "handshake failure"), options.tls.clientCertificate == nil {
            return says("certificate required")
                ? "the server demands a client certificate; see TLSOptions.clientCertificate"
                : "the server refused the handshake; it may demand a client certificate, see TLSOptions.clientCertificate"
        }
        if says("alert unknown ca", "alert bad certificate", "alert certificate", "alert unsupported certificate", "decrypt error") {
            return "the server doesn't accept the client certificate"
        }
        return nil
    }
}
#endif
