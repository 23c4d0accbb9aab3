import PlatformBase
import TestSupport

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
final class RunningServer: Sendable {
    let server: Server
    /// What it is, for the report.
    let name: String
    private let process: ChildProcess
    private let folder: URL?
    private let isStopped = Lock(false)

    init(server: Server, name: String, process: ChildProcess, folder: URL? = nil) {
        self.server = server
        self.name = name
        self.process = process
        self.folder = folder
    }

    /// nginx where it is installed, else this package's own server; `nil` where no scenario needs one.
    static func start(for options: Options) throws -> RunningServer? {
        let kinds = options.scenarios.map(\.kind)
        guard kinds.contains(where: { $0 != .inProcess }) else { return nil }
        guard !options.usesLoopback, InstalledProgram.path("nginx") != nil else { return try LoopbackChild.start() }
        return try NginxServer.start(needsTLS: kinds.contains(.tlsServer))
    }

    /// Ends it and takes its files away. Who comes second, as one does when a signal comes late, waits for the first to be done.
    func stop() {
        isStopped.withLock { isStopped in
            guard !isStopped else { return }
            isStopped = true
            process.terminate()
            process.wait()
            if let folder { try? FileManager.default.removeItem(at: folder) }
        }
    }
}
