internal import ExampleSupport
internal import NetworkKitTesting
internal import PlatformBase

/// MoviesExample: top rated movies, search, and one movie's details, from The Movie Database or made up.
@main
struct MoviesProgram {
    static func main() async {
        await RunningProgram.main { (surroundings) async throws(Failure) in try await MoviesProgram(surroundings).run() }
    }

    private let surroundings: Surroundings
    private var console: Console { surroundings.console }

    init(_ surroundings: Surroundings) { self.surroundings = surroundings }

    /// Reads the command line and does what it asks.
    func run() async throws(Failure) -> ExitCode {
        let options = try MoviesOptions(surroundings.arguments)
        guard !options.isHelp else {
            console.print(MoviesOptions.help.lines(width: surroundings.terminal.columns))
            return .success
        }
        let configuration = try Configuration(token: options.token, baseURL: options.baseURL, settings: surroundings.settings)
        if options.isVerbose { configuration.lines.forEach(console.note) }
        let log = options.isVerbose ? CallLog(console) : nil
        if let token = configuration.token {
            return try await show(options, from: MoviesService(baseURL: configuration.baseURL, token: token, log: log))
        }
        surroundings.notice(SampleServer.notice)
        return try await showSample(options, log)
    }

    private func show(_ options: MoviesOptions, from service: any MoviesServiceable) async throws(Failure) -> ExitCode {
        try await MoviesVisit(surroundings: surroundings, options: options, service: service).show()
    }

    /// Sends the requests to a server in this process, through the same transport as to any other.
    private func showSample(_ options: MoviesOptions, _ log: CallLog?) async throws(Failure) -> ExitCode {
        let server: LoopbackServer
        do {
            server = try await SampleServer.start()
        } catch {
            throw Failure(.failure, "The sample server could not start: \(error)")
        }
        do throws(Failure) {
            let service = MoviesService(baseURL: server.url("/3"), token: SampleServer.token, log: log)
            let status = try await show(options, from: service)
            await server.stop()
            return status
        } catch {
            await server.stop()
            throw error
        }
    }
}
