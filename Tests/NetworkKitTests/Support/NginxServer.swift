import PlatformBase

/// nginx with TLS and HTTP/2 on a loopback port, with a certificate authority of its own, for tests of what our own server doesn't
/// speak. Only where nginx and openssl are installed.
final class NginxServer {
    static let isInstalled = find("nginx") != nil && find("openssl") != nil

    let folder: URL
    let httpsPort: Int
    let httpPort: Int
    private let process: ChildProcess

    /// The file of the authority that the server's certificate is from.
    var authorityFile: String { folder.appending(path: "ca.pem").path }

    struct Failure: Error { var text: String }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "networkkit-nginx-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder.appending(path: "www"), withIntermediateDirectories: true)
        httpsPort = try Self.freePort()
        httpPort = try Self.freePort()
        try Self.makeCertificates(in: folder)
        try Data("hello over TLS".utf8).write(to: folder.appending(path: "www/hello"))
        try Data(Self.configuration(httpPort: httpPort, httpsPort: httpsPort).utf8).write(to: folder.appending(path: "nginx.conf"))
        process = try ChildProcess(
            Self.find("nginx"), ["-p", folder.path, "-c", folder.appending(path: "nginx.conf").path, "-e", "error.log"])
        for _ in 0..<2000 where !Self.accepts(httpsPort) { poll(nil, 0, 5) }
    }

    func stop() {
        process.terminate()
        process.wait()
        try? FileManager.default.removeItem(at: folder)
    }

    private static func configuration(httpPort: Int, httpsPort: Int) -> String {
        """
        daemon off; master_process off; pid nginx.pid; error_log error.log;
        events { worker_connections 512; }
        http {
            access_log off; client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path f; uwsgi_temp_path u; scgi_temp_path s;
            keepalive_requests 100000;
            server {
                listen 127.0.0.1:\(httpPort);
                listen 127.0.0.1:\(httpsPort) ssl http2;
                ssl_certificate server.pem; ssl_certificate_key server.key;
                root www;
            }
        }
        """
    }

    /// A throw-away authority and a certificate of it for localhost and 127.0.0.1.
    private static func makeCertificates(in folder: URL) throws {
        try openssl(in: folder, "req -x509 -newkey rsa:2048 -nodes -days 2 -keyout ca.key -out ca.pem -subj /CN=NetworkKitTestAuthority")
        try openssl(in: folder, "req -newkey rsa:2048 -nodes -keyout server.key -out server.csr -subj /CN=localhost")
        try Data("subjectAltName=DNS:localhost,IP:127.0.0.1\n".utf8).write(to: folder.appending(path: "names"))
        try openssl(in: folder, "x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -out server.pem -extfile names")
    }

    private static func openssl(in folder: URL, _ arguments: String) throws {
        let words = arguments.split(separator: " ").map { word in
            word.contains(".") || word == "names" ? folder.appending(path: String(word)).path : String(word)
        }
        guard try ChildProcess(find("openssl"), words).wait() == 0 else { throw Failure(text: "openssl \(arguments)") }
    }

    private static func find(_ name: String) -> URL? {
        ["/usr/sbin/", "/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"].map { URL(filePath: $0 + name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    private static func freePort() throws -> Int {
        let (descriptor, port) = try bound()
        close(descriptor)
        return port
    }

    private static func bound() throws -> (Int32, Int) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else { throw Failure(text: "no free port") }
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }

    private static func accepts(_ port: Int) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        return withUnsafePointer(to: loopback(port: UInt16(port))) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
