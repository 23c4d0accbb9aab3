import PlatformBase
import TestSupport

/// The scripted server of HTTP/2 in Servers/http2_faults.py, which breaks off as it is asked to. One for all tests: it ends with this
/// process. Only where openssl is installed, and a Python with the package `h2`.
struct HTTP2FaultServer: Sendable {
    let port: Int
    /// The file of the authority that the server's certificate is from.
    let authorityFile: String

    static let shared: HTTP2FaultServer? = try? HTTP2FaultServer()
    static let isInstalled = python != nil && openssl != nil

    struct Failure: Error { let text: String }

    /// What became of a request, as the server saw it.
    struct Told: Codable, Sendable {
        /// How often its head arrived.
        var sent: Int
        /// How often it was received whole, and acted on.
        var executed: Int
        /// The connections that it came on, by their numbers.
        var connections: [Int]
        /// The bytes of its body, each time that it was executed.
        var bodies: [Int]
    }

    private init() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "networkkit-http2-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // What is in it has been read by then.
        defer { try? FileManager.default.removeItem(at: folder.appending(path: "server.key")) }
        let certificate = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1"
        let files = ["-keyout", folder.appending(path: "server.key").path, "-out", folder.appending(path: "server.pem").path]
        guard try ChildProcess(Self.openssl, certificate.split(separator: " ").map(String.init) + files).wait() == 0 else {
            throw Failure(text: "openssl makes no certificate")
        }
        port = try PythonServer.start("http2_faults.py", with: Self.python, in: folder)
        authorityFile = folder.appending(path: "server.pem").path
    }

    private static let python = PythonServer.python(with: "h2")

    private static let openssl: URL? = ["/usr/bin/openssl", "/usr/local/bin/openssl", "/opt/homebrew/bin/openssl"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }.map { URL(filePath: $0) }
}
