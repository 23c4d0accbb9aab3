import PlatformBase

/// Where the server is that clients are measured against.
struct Server: Sendable {
    var port: Int
    /// The port of TLS and HTTP/2; `nil` where the server doesn't speak it.
    var securePort: Int?
    /// The file of certificates that the server's own is from.
    var authorityFile: String?

    func url(_ path: String) -> URL { Self.url("http", port, path) }
    func secureURL(_ path: String) -> URL { Self.url("https", securePort ?? 0, path) }

    static func url(_ scheme: String, _ port: Int, _ path: String) -> URL {
        guard let url = URL(string: "\(scheme)://127.0.0.1:\(port)\(path)") else {
            preconditionFailure("a URL of letters, digits and dots is valid")
        }
        return url
    }

    /// The server as words for a process that measures on behalf of this one, and back.
    var words: String { "\(port),\(securePort.map { "\($0)" } ?? ""),\(authorityFile ?? "")" }

    init(port: Int, securePort: Int? = nil, authorityFile: String? = nil) {
        self.port = port
        self.securePort = securePort
        self.authorityFile = authorityFile
    }

    init?(words: String) {
        let parts = words.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let port = Int(parts[0]) else { return nil }
        self.init(port: port, securePort: Int(parts[1]), authorityFile: parts[2].isEmpty ? nil : String(parts[2]))
    }
}

/// A server that this program has started, in a process of its own.
struct RunningServer: Sendable {
    let server: Server
    /// What it is, for the report.
    let name: String
    let process: ChildProcess
    var folder: URL?

    /// nginx where it is installed, else this package's own server.
    static func start(needsTLS: Bool) throws -> RunningServer {
        if ChildProcess.installed("nginx") != nil { return try NginxServer.start(needsTLS: needsTLS) }
        return try LoopbackChild.start()
    }

    func stop() {
        process.terminate()
        process.wait()
        if let folder { try? FileManager.default.removeItem(at: folder) }
    }
}
