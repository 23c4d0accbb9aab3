internal import ExampleSupport
internal import NetworkKit
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
        let stack = Stack(console, isVerbose: options.isVerbose, cacheDirectory: options.cache)
        if let token = configuration.token {
            return try await show(options, at: configuration.baseURL, token: token, hiding: configuration.secrets, stack)
        }
        surroundings.notice(SampleServer.notice)
        return try await showSample(options, stack)
    }

    private func show(
        _ options: MoviesOptions, at baseURL: URL, token: String, hiding secrets: SecretValues = .init(), _ stack: Stack
    ) async throws(Failure) -> ExitCode {
        let service = MoviesService(baseURL: baseURL, token: token, isRefresh: options.isRefresh, stack: stack)
        return try await MoviesVisit(surroundings: surroundings, options: options, service: service, secrets: secrets).show()
    }

    /// Sends the requests to a server in this process, through the same transport as to any other.
    private func showSample(_ options: MoviesOptions, _ stack: Stack) async throws(Failure) -> ExitCode {
        let server: LoopbackServer
        do {
            server = try await SampleServer.start()
        } catch {
            throw Failure(.failure, "The sample server could not start: \(error)")
        }
        do throws(Failure) {
            let sample = SampleAddress(path: "/3", server: server.baseURL)
            var stack = stack
            stack.sample = sample
            let status = try await show(options, at: sample.url, token: SampleServer.token, stack)
            await server.stop()
            return status
        } catch {
            await server.stop()
            throw error
        }
    }
}
