internal import ExampleSupport
internal import NetworkKit
internal import NetworkKitTesting
internal import PlatformBase

/// WeatherExample: the weather of places, from Clear Sky, from an API in Dark Sky's shape, or made up.
@main
struct WeatherProgram {
    static func main() async {
        await RunningProgram.main { (surroundings) async throws(Failure) in try await WeatherProgram(surroundings).run() }
    }

    private let surroundings: Surroundings
    private var console: Console { surroundings.console }

    init(_ surroundings: Surroundings) { self.surroundings = surroundings }

    /// Reads the command line and does what it asks.
    func run() async throws(Failure) -> ExitCode {
        let options = try WeatherOptions(surroundings.arguments)
        guard !options.isHelp else {
            console.print(WeatherOptions.help.lines(width: surroundings.terminal.columns))
            return .success
        }
        let configuration = try Configuration(
            provider: options.provider, apiKey: options.apiKey, baseURL: options.baseURL, settings: surroundings.settings)
        if options.isVerbose { configuration.lines.forEach(console.note) }
        let stack = Stack(console, isVerbose: options.isVerbose, cacheDirectory: options.cache)
        let visit = WeatherVisit(surroundings: surroundings, options: options, configuration: configuration, stack: stack)
        if let key = configuration.apiKey { return try await visit.show(at: configuration.baseURL, apiKey: key) }
        surroundings.notice(SampleServer.notice(for: configuration.provider))
        if configuration.provider == .preview { return try await visit.show(at: configuration.baseURL, apiKey: "") }
        return try await showSample(visit, configuration.provider)
    }

    /// Sends the requests to a server in this process, through the same transport as to any other.
    private func showSample(_ visit: WeatherVisit, _ provider: Provider) async throws(Failure) -> ExitCode {
        let server: LoopbackServer
        do {
            server = try await SampleServer.start(now: surroundings.now)
        } catch {
            throw Failure(.failure, "The sample server could not start: \(error)")
        }
        do throws(Failure) {
            let sample = SampleAddress(path: provider == .clearsky ? "/clearsky" : "", server: server.baseURL)
            var visit = visit
            visit.stack.sample = sample
            let status = try await visit.show(at: sample.url, apiKey: SampleServer.apiKey)
            await server.stop()
            return status
        } catch {
            await server.stop()
            throw error
        }
    }
}
