internal import PlatformBase

/// What TLS options name, looked at before anything is connected. A fault says which file it is about, what is wrong and what to do.
extension TLSOptions {
    /// - Throws: ``RequestError/connection(_:)`` of kind `tls`.
    func check() throws(RequestError) {
        if let pins { _ = try PublicKeyPin.all(pins) }
        if let authorityFile { _ = try Self.authorities(in: authorityFile) }
        try clientCertificate?.check()
    }

    /// The certificates of a file in PEM, in DER.
    static func authorities(in file: String) throws(RequestError) -> [Data] {
        let what = "the file of certificate authorities \(Token.quoted(file, limit: 200))"
        let blocks = try PEM(text(of: file, what)).certificates
        guard !blocks.isEmpty else {
            throw .setUp(
                .tls,
                "\(what) has no certificate in PEM, which begins with -----BEGIN CERTIFICATE-----; openssl x509 -inform der makes PEM of DER"
            )
        }
        var certificates: [Data] = []
        for (index, block) in blocks.enumerated() {
            guard let bytes = block.bytes else { throw .setUp(.tls, "certificate \(index + 1) in \(what) is damaged or cut off") }
            certificates.append(bytes)
        }
        return certificates
    }

    fileprivate static func text(of file: String, _ what: String) throws(RequestError) -> String {
        String(decoding: try bytes(of: file, what), as: UTF8.self)
    }

    /// The bytes of a small file.
    static func bytes(of file: String, _ what: String) throws(RequestError) -> Data {
        guard !file.isEmpty, !file.utf8.contains(0) else { throw .setUp(.tls, "\(what) has no name that a file can have") }
        guard access(file, R_OK) == 0 else {
            throw .setUp(
                .tls, "\(what) can't be read: \(String(cString: strerror(errno))); is the path right, and may this program read it?")
        }
        do {
            return try Data(contentsOf: URL(filePath: file))
        } catch {
            throw .setUp(.tls, "\(what) can't be read: it is no regular file, or was changed meanwhile", underlying: error)
        }
    }
}

extension TLSOptions.ClientCertificate {
    fileprivate func check() throws(RequestError) {
        let what = "the client certificate \(Token.quoted(file, limit: 200))"
        guard passphrase?.utf8.contains(0) != true else { throw .setUp(.tls, "the passphrase of \(what) has a NUL in it") }
        switch format {
        case .pkcs12:
            // A sequence in DER, which PEM isn't (RFC 7292 §4).
            guard try TLSOptions.bytes(of: file, what).first == 0x30 else {
                throw .setUp(.tls, "\(what) is no PKCS#12; for files in PEM there is .pem(_:keyFile:passphrase:)")
            }
        case .pem: try checkPEM(what)
        }
    }

    private func checkPEM(_ what: String) throws(RequestError) {
        let pem = PEM(try TLSOptions.text(of: file, what))
        guard let first = pem.certificates.first else {
            throw .setUp(
                .tls,
                "\(what) has no certificate in PEM, which begins with -----BEGIN CERTIFICATE-----; for PKCS#12 there is .pkcs12(_:passphrase:)"
            )
        }
        guard first.bytes != nil else { throw .setUp(.tls, "the certificate in \(what) is damaged or cut off") }
        let place = keyFile.map { "the key of the client certificate, \(Token.quoted($0, limit: 200))," } ?? what
        let keys = if let keyFile { PEM(try TLSOptions.text(of: keyFile, place)).keys } else { pem.keys }
        guard let key = keys.first else {
            throw .setUp(
                .tls,
                "\(place) has no private key in PEM, which begins with -----BEGIN PRIVATE KEY-----"
                    + (keyFile == nil ? "; name the file that has it as keyFile" : ""))
        }
        guard key.bytes != nil else { throw .setUp(.tls, "the private key in \(place) is damaged or cut off") }
        guard !key.isEncrypted || passphrase != nil else {
            throw .setUp(.tls, "the private key in \(place) is encrypted; give its passphrase")
        }
    }
}
