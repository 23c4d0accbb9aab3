import NetworkKit
import PlatformBase
import TestSupport
import Testing

/// nginx with TLS and HTTP/2 on loopback ports, with a certificate authority of its own, for tests of what our own server doesn't
/// speak. Only where nginx and openssl are installed.
final class NginxServer: Sendable {
    static let isInstalled = Program.nginx != nil && Program.openssl != nil

    /// Servers in one: each has a port of its own.
    enum Site: String, CaseIterable {
        /// A certificate as it should be.
        case good
        /// It answers 400 to who shows no certificate of the authority.
        case asksForCertificate
        case expired
        case selfSigned
        /// Its certificate is for another name.
        case otherName
        case tls12Only
        case tls11Only

        fileprivate var certificate: String {
            switch self {
            case .expired, .selfSigned, .otherName: rawValue
            default: "server"
            }
        }
        fileprivate var directives: String {
            switch self {
            case .asksForCertificate:
                "ssl_protocols TLSv1.2 TLSv1.3; ssl_verify_client on; ssl_client_certificate ca.pem; ssl_session_cache off; ssl_session_tickets off;"
            case .tls12Only: "ssl_protocols TLSv1.2;"
            case .tls11Only: "ssl_protocols TLSv1.1; ssl_ciphers DEFAULT@SECLEVEL=0;"
            default: "ssl_protocols TLSv1.2 TLSv1.3;"
            }
        }
    }

    let authority: TestAuthority
    var folder: URL { authority.folder }
    let httpPort: Int
    let ports: [Site: Int]
    private let process: ChildProcess

    /// The port of the site whose certificate is as it should be.
    var httpsPort: Int { port(.good) }
    /// The file of the authority that the servers' certificates are from.
    var authorityFile: String { authority.authorityFile }
    /// The socket that it listens at, too.
    var unixSocket: String { authority.file("nginx.sock") }

    init() throws {
        authority = try TestAuthority()
        let folder = authority.folder
        try FileManager.default.createDirectory(at: folder.appending(path: "www"), withIntermediateDirectories: true)
        try authority.issue("server")
        try authority.issue(Site.otherName.certificate, names: "DNS:elsewhere.example")
        try authority.issueExpired(Site.expired.certificate)
        try authority.signItself(Site.selfSigned.certificate)
        try Data("hello over TLS".utf8).write(to: folder.appending(path: "www/hello"))
        httpPort = try LoopbackSocket.freePort()
        var ports: [Site: Int] = [:]
        for site in Site.allCases { ports[site] = try LoopbackSocket.freePort() }
        self.ports = ports
        _ = try authority.write(Self.configuration(in: folder, httpPort: httpPort, ports: ports), to: "nginx.conf")
        process = try ChildProcess(
            Program.nginx, ["-p", folder.path, "-c", folder.appending(path: "nginx.conf").path, "-e", "error.log"])
        try LoopbackSocket.waitForListener(at: httpsPort)
    }

    func stop() {
        process.terminate()
        process.wait()
        authority.remove()
    }

    func port(_ site: Site) -> Int { ports[site] ?? 0 }

    /// The lines of its record of requests that have this text in them, once a request that came later stands in it. It has one thread, and
    /// writes when it has answered.
    func requests(with text: String) throws -> [String] {
        let mark = "mark-\(UUID().uuidString)"
        guard let descriptor = LoopbackSocket.connected(to: httpPort) else { throw LoopbackSocket.Failure(text: "nginx is gone") }
        defer { close(descriptor) }
        let request = "GET /hello?\(mark) HTTP/1.0\r\n\r\n"
        _ = request.withCString { write(descriptor, $0, strlen($0)) }
        for _ in 0..<2000 {
            let lines = try String(contentsOf: folder.appending(path: "requests.log"), encoding: .utf8).split(separator: "\n").map(
                String.init)
            if lines.contains(where: { $0.contains(mark) }) { return lines.filter { $0.contains(text) } }
            poll(nil, 0, 5)
        }
        throw LoopbackSocket.Failure(text: "nginx doesn't answer")
    }

    private static func configuration(in folder: URL, httpPort: Int, ports: [Site: Int]) -> String {
        let sites = ports.map { site, port in
            """
            server {
                listen 127.0.0.1:\(port) ssl http2; root www;
                ssl_certificate \(site.certificate).pem; ssl_certificate_key \(site.certificate).key; \(site.directives)
            }
            """
        }
        return """
            daemon off; master_process off; pid nginx.pid; error_log error.log;
            events { worker_connections 512; }
            http {
                log_format seen '$server_port $ssl_protocol "$request" $status client="$ssl_client_s_dn" proxy="$http_proxy_authorization"';
                access_log requests.log seen;
                client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path f; uwsgi_temp_path u; scgi_temp_path s;
                keepalive_requests 100000;
                server { listen 127.0.0.1:\(httpPort); listen unix:\(folder.path)/nginx.sock; root www; }
                \(sites.joined(separator: "\n"))
            }
            """
    }
}

/// One nginx for all tests of a suite, which find it as `NginxServer.current`.
struct WithNginx: SuiteTrait, TestScoping {
    func provideScope(for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void) async throws {
        guard NginxServer.isInstalled else { return try await function() }
        let server = try NginxServer()
        defer { server.stop() }
        try await NginxServer.$shared.withValue(server) { try await function() }
    }
}

extension Trait where Self == WithNginx {
    /// Starts nginx for the suite.
    static var nginx: WithNginx { WithNginx() }
}

extension NginxServer {
    @TaskLocal fileprivate static var shared: NginxServer?

    /// The server of the suite that the test is in.
    static var current: NginxServer {
        get throws { try #require(shared) }
    }

    /// A call of one of its sites.
    func call(_ site: Site = .good, host: String = "localhost", _ query: Query = [:], options: RequestOptions = .init()) throws -> Call {
        Call(
            baseURL: try #require(URL(string: "https://\(host):\(port(site))")), path: "hello", query: query, options: options)
    }
}
