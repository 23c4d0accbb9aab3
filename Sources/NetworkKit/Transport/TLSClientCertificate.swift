extension TLSOptions {
    /// A certificate of the client's own, with its private key. The passphrase is a secret, which no description shows.
    ///
    /// The files are read for every new connection, so that they may be replaced while the program runs. ``URLSessionTransport`` goes on
    /// with what it read at first where it finds one that can't be used.
    public struct ClientCertificate: Sendable, Hashable {
        enum Format: String, Sendable, Hashable {
            case pem = "PEM"
            case pkcs12 = "PKCS#12"
        }

        let format: Format
        let file: String
        let keyFile: String?
        let passphrase: String?

        /// A certificate in PEM, the client's own first and then those that lead to its authority. ``URLSessionTransport`` takes none of
        /// these.
        ///
        /// - Parameters:
        ///   - file: the file of certificates.
        ///   - keyFile: the file of the private key; `nil` where it stands in the same file.
        ///   - passphrase: what the key is encrypted with; `nil` for a key that isn't.
        public static func pem(_ file: String, keyFile: String? = nil, passphrase: String? = nil) -> ClientCertificate {
            ClientCertificate(format: .pem, file: file, keyFile: keyFile, passphrase: passphrase)
        }

        /// A certificate and its key in one file of PKCS#12 (RFC 7292), as `.p12` and `.pfx` are.
        ///
        /// - Parameters:
        ///   - file: the file.
        ///   - passphrase: what it is encrypted with; `nil` for the empty one.
        public static func pkcs12(_ file: String, passphrase: String? = nil) -> ClientCertificate {
            ClientCertificate(format: .pkcs12, file: file, keyFile: nil, passphrase: passphrase)
        }
    }
}

extension TLSOptions.ClientCertificate: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Format and files, without the passphrase.
    public var description: String {
        let key = keyFile.map { " with the key in \($0)" } ?? ""
        return "\(format.rawValue) in \(file)\(key)\(passphrase == nil ? "" : ", passphrase \(SecretValues.mask)")"
    }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// What `dump` sees: the description.
    public var customMirror: Mirror { Mirror(self, children: ["certificate": description]) }
}
