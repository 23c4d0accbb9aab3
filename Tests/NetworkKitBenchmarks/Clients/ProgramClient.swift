import PlatformBase
import TestSupport

/// A program that makes one request and ends, started again and again: from the start to the end of the process.
struct ProgramClient: BenchmarkClient {
    let name: String
    private let path: String
    private let arguments: [String]

    /// `StartupOneGet`, which stands beside this program.
    init(startupOneGetFor url: URL) throws {
        guard let path = ChildProcess.neighbour("StartupOneGet") else {
            throw Unavailable("StartupOneGet isn't built: swift build -c release --product StartupOneGet")
        }
        self.init(name: "networkkit", path: path, arguments: [url.absoluteString])
    }

    /// The curl tool, doing the same.
    init(curlFor url: URL) throws {
        guard let path = InstalledProgram.path("curl") else { throw Unavailable("the curl tool isn't installed") }
        self.init(name: "curl", path: path, arguments: ["-q", "-s", "-f", "--max-time", "10", "-o", "/dev/null", url.absoluteString])
    }

    private init(name: String, path: String, arguments: [String]) {
        self.name = name
        self.path = path
        self.arguments = arguments
    }

    func run(_ load: Load, within bounds: Bounds) async throws -> Round {
        let before = Self.childrensProcessor
        var round = try await Tickets.run(bounds) {
            let status = try ChildProcess(path, arguments).wait()
            guard status == 0 else { throw Unavailable("\(path) ended with status \(status)") }
            return 0
        }
        round.childrensProcessor = Self.childrensProcessor - before
        return round
    }

    private static var childrensProcessor: Double {
        var usage = rusage()
        #if canImport(Glibc)
        getrusage(RUSAGE_CHILDREN.rawValue, &usage)
        #else
        getrusage(RUSAGE_CHILDREN, &usage)
        #endif
        return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }
}
