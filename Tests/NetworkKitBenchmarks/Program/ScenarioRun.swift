import PlatformBase
import TestSupport

/// Why a scenario can't be measured here, which is no failure.
struct Skipped: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// One scenario with its clients.
struct ScenarioRun {
    static let peakOption = "--peak-of"

    private let scenario: Scenario
    private let server: Server
    private let options: Options
    private let load: Load
    private let subject: any BenchmarkClient
    private var baselines: [any BenchmarkClient] = []

    init(_ scenario: Scenario, _ server: Server, _ options: Options) throws {
        if scenario.kind == .tlsServer && server.securePort == nil { throw Skipped("it needs nginx and openssl") }
        self.scenario = scenario
        self.server = server
        self.options = options
        load = scenario.load(server)
        subject = try Self.subject(load, server)
        if !options.isAlone { baselines = try Self.baselines(scenario, load, server) }
    }

    private static func subject(_ load: Load, _ server: Server) throws -> any BenchmarkClient {
        switch load {
        case .stub(0): return StubClient(interceptors: 0)
        case .stub(let count): return StackClient(interceptors: count)
        case .observed: return StackClient(stock: StubClient.observed)
        case .resilience: return StackClient(stock: StubClient.resilience)
        case .streamed(let kind): return StreamClient(kind)
        case .program(let url): return try ProgramClient(startupOneGetFor: url)
        case .cached(_, let kind): return CacheClient(server: server, kind)
        case .download: return try DownloadClient(isByHand: false)
        case .getOnLoop:
            let client = NetworkKitClient(server: server)
            guard client.hasLoopExecutor else { throw Skipped("sessions have no executor to prefer yet") }
            return client
        default: return NetworkKitClient(server: server)
        }
    }

    private static func baselines(_ scenario: Scenario, _ load: Load, _ server: Server) throws -> [any BenchmarkClient] {
        switch load {
        case .stub(0), .streamed: return []
        case .stub: return [StubClient("no-interceptors", interceptors: 0)]
        case .observed, .resilience: return [StubClient("no-interceptors", stock: [])]
        case .cached(_, let kind): return [CacheClient(withoutCache: server, kind)]
        case .program(let url): return [try ProgramClient(curlFor: url)]
        default: break
        }
        var clients: [any BenchmarkClient] = []
        #if os(Linux)
        clients.append(try CurlBaselineClient(server: server, load: load))
        #endif
        // What reading alone takes, for comparison.
        if case .download = load { return clients + [try DownloadClient(isByHand: true)] }
        #if URLSession
        // It can't be told to trust the server's certificate.
        if scenario.kind != .tlsServer { clients.append(URLSessionClient()) }
        #endif
        return clients
    }

    func measure() async throws -> Measurement {
        var measurement = try await Comparison.measure(
            scenario, subject, against: baselines, load, rounds: options.rounds, within: options.bounds(scenario))
        measurement.peakMegabytes = try peak()
        return measurement
    }

    /// The most memory that the scenario takes, measured in a process that does nothing else.
    private func peak() throws -> Double {
        let (process, line): (ChildProcess, String)
        if case .program(let url) = load {
            guard let path = ChildProcess.neighbour("StartupOneGet") else { return 0 }
            (process, line) = try ChildProcess.reading(path, [url.absoluteString, "--peak"])
        } else {
            (process, line) = try ChildProcess.reading(ChildProcess.own, [Self.peakOption, scenario.name, server.words])
        }
        guard process.wait() == 0, let kilobytes = Double(line) else { throw Unavailable("no figure of the memory") }
        return kilobytes * 1024 / 1e6
    }

    /// That process's side: the figure in kB.
    static func ownPeak(_ scenario: Scenario, _ server: Server) async throws -> Int {
        let load = scenario.load(server)
        let bounds = Bounds(requests: min(scenario.requests / 25, 2000), seconds: 10)
        _ = try await subject(load, server).run(load, within: bounds)
        return Meter.peakKilobytes
    }
}
