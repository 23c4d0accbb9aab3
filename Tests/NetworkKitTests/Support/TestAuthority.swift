import PlatformBase
import TestSupport

/// A throw-away certificate authority in a folder of its own, and what it has issued, by the openssl command.
final class TestAuthority: Sendable {
    let folder: URL
    /// The authority's own certificate, in PEM.
    var authorityFile: String { file("ca.pem") }

    struct Failure: Error { var text: String }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "networkkit-ca-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try openssl("req", "-x509", "-days", "2", "-out", "ca.pem", "-keyout", "ca.key", "-subj", "/CN=NetworkKitTestAuthority", key: true)
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    /// The path of a file in the folder.
    func file(_ name: String) -> String { folder.appending(path: name).path }

    func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: folder.appending(path: name))
        return file(name)
    }

    /// A certificate `NAME.pem` with its key `NAME.key`, for servers of the names given.
    func issue(_ name: String, names: String = "DNS:localhost,IP:127.0.0.1,IP:::1") throws {
        try openssl("req", "-out", "\(name).csr", "-keyout", "\(name).key", "-subj", "/CN=\(name)", key: true)
        _ = try write("subjectAltName=\(names)\n", to: "\(name).ext")
        try openssl(
            "x509", "-req", "-in", "\(name).csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-set_serial",
            "\(UInt32.random(in: 1...UInt32.max))", "-days", "2", "-out", "\(name).pem",
            "-extfile", "\(name).ext")
    }

    /// The same for a certificate whose time was over long ago.
    func issueExpired(_ name: String) throws {
        try openssl("req", "-out", "\(name).csr", "-keyout", "\(name).key", "-subj", "/CN=\(name)", key: true)
        let configuration = """
            [ca]
            default_ca = own
            [own]
            database = index.txt
            new_certs_dir = .
            serial = serial.txt
            default_md = sha256
            policy = any
            x509_extensions = names
            [any]
            commonName = supplied
            [names]
            subjectAltName = DNS:localhost,IP:127.0.0.1

            """
        _ = try write(configuration, to: "expired.conf")
        _ = try write("", to: "index.txt")
        _ = try write("77\n", to: "serial.txt")
        try openssl(
            "ca", "-batch", "-notext", "-config", "expired.conf", "-cert", "ca.pem", "-keyfile", "ca.key", "-in", "\(name).csr", "-out",
            "\(name).pem", "-startdate", "200101000000Z", "-enddate", "200102000000Z")
    }

    /// A certificate that vouches for itself.
    func signItself(_ name: String) throws {
        try openssl(
            "req", "-x509", "-days", "2", "-out", "\(name).pem", "-keyout", "\(name).key", "-subj", "/CN=localhost", "-addext",
            "subjectAltName=DNS:localhost", "-addext", "basicConstraints=critical,CA:FALSE", key: true)
    }

    /// The pin of a certificate's key.
    func pin(_ name: String) throws -> String {
        "sha256//" + (try publicKey(name, digest: true)).base64EncodedString()
    }

    /// The public key of a certificate, or its SHA-256.
    func publicKey(_ name: String, digest: Bool = false) throws -> Data {
        // Tests that run at once may ask for the same one.
        let own = "\(name)-\(UUID())"
        try openssl("x509", "-in", "\(name).pem", "-noout", "-pubkey", "-out", "\(own).pub")
        try openssl("pkey", "-pubin", "-in", "\(own).pub", "-outform", "der", "-out", "\(own).spki")
        if digest { try openssl("dgst", "-sha256", "-binary", "-out", "\(own).digest", "\(own).spki") }
        return try Data(contentsOf: folder.appending(path: "\(own).\(digest ? "digest" : "spki")"))
    }

    /// Runs a command in the folder.
    ///
    /// - Parameter key: whether it makes a key, of a kind that is made quickly.
    func openssl(_ arguments: String..., key: Bool = false) throws {
        let making = key ? ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"] : []
        let words = arguments.prefix(1) + making + arguments.dropFirst()
        guard try ChildProcess(Program.openssl, Array(words), folder: folder).wait() == 0 else {
            throw Failure(text: "openssl " + words.joined(separator: " "))
        }
    }
}
