import PlatformBase
import TestSupport

/// nginx on free loopback ports, with a configuration and a throw-away certificate of its own in a temporary folder.
enum NginxServer {
    /// - Parameter needsTLS: whether a certificate is to be made, which takes a while.
    static func start(needsTLS: Bool) throws -> RunningServer {
        guard let nginx = InstalledProgram.path("nginx") else { throw Unavailable("nginx isn't installed") }
        let folder = FileManager.default.temporaryDirectory.appending(path: "networkkit-benchmark-\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(at: folder.appending(path: "www"), withIntermediateDirectories: true)
            try writeFiles(to: folder.appending(path: "www"))
            let hasTLS = needsTLS && makeCertificates(in: folder)
            var server = Server(port: try Port.free())
            if hasTLS {
                server.securePort = try Port.free()
                server.authorityFile = folder.appending(path: "ca.pem").path
            }
            let file = folder.appending(path: "nginx.conf")
            try Data(configuration(server, folder.path).utf8).write(to: file)
            let process = try ChildProcess(nginx, ["-p", folder.path, "-c", file.path, "-e", "error.log"])
            let running = RunningServer(server: server, name: "nginx", process: process, folder: folder)
            guard Port.waitForListener(server.port) else {
                running.stop()
                throw Unavailable("nginx doesn't listen")
            }
            return running
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
    }

    private static func writeFiles(to folder: URL) throws {
        try Data(repeating: 0x61, count: 1024).write(to: folder.appending(path: "1k"))
        // Files of zeros that take no room on the disk and no time to write.
        for (name, size) in [("64m", Scenario.bigSize), ("1g", Scenario.largeSize)] {
            let big = folder.appending(path: name).path
            guard FileManager.default.createFile(atPath: big, contents: nil), truncate(big, off_t(size)) == 0 else {
                throw Unavailable("\(big) can't be made")
            }
        }
        try JSONEncoder().encode(MoviePage.synthetic).write(to: folder.appending(path: "json"))
    }

    /// Uploads are read to their end into memory before they are answered, which nginx does for what it passes on.
    private static func configuration(_ server: Server, _ folder: String) -> String {
        let tls = server.securePort.map {
            "listen 127.0.0.1:\($0) ssl http2 backlog=4096; ssl_certificate server.pem; ssl_certificate_key server.key;"
        }
        return """
            daemon off; master_process off; pid nginx.pid; error_log error.log; worker_rlimit_nofile 16384;
            events { worker_connections 8192; }
            http {
                access_log off; sendfile on; tcp_nopush on; keepalive_timeout 300s; keepalive_requests 1000000000;
                client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path f; uwsgi_temp_path u; scgi_temp_path s;
                client_max_body_size 0; open_file_cache max=16;
                server {
                    listen 127.0.0.1:\(server.port) backlog=4096;
                    \(tls ?? "")
                    root www;
                    location = /json { default_type application/json; }
                    location = /cached { alias www/1k; add_header Cache-Control "max-age=3600"; }
                    location = /ok { return 200 "ok"; }
                    location = /upload {
                        client_body_buffer_size 80m; proxy_method GET; proxy_pass_request_body off; proxy_set_header Content-Length "";
                        proxy_pass http://127.0.0.1:\(server.port)/ok;
                    }
                }
            }
            """
    }

    /// A throw-away authority and a certificate of it for 127.0.0.1; `false` where that can't be had.
    private static func makeCertificates(in folder: URL) -> Bool {
        guard let openssl = InstalledProgram.path("openssl") else { return false }
        func path(_ name: String) -> String { folder.appending(path: name).path }
        let commands = [
            ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", path("ca.key"), "-out", path("ca.pem")]
                + ["-subj", "/CN=NetworkKitBenchmarks"],
            ["req", "-newkey", "rsa:2048", "-nodes", "-keyout", path("server.key"), "-out", path("server.csr"), "-subj", "/CN=localhost"],
            ["x509", "-req", "-in", path("server.csr"), "-CA", path("ca.pem"), "-CAkey", path("ca.key"), "-CAcreateserial"]
                + ["-days", "2", "-out", path("server.pem"), "-extfile", path("names")],
        ]
        do {
            try Data("subjectAltName=DNS:localhost,IP:127.0.0.1\n".utf8).write(to: folder.appending(path: "names"))
            return try commands.allSatisfy { try ChildProcess(openssl, $0).wait() == 0 }
        } catch {
            return false
        }
    }
}
