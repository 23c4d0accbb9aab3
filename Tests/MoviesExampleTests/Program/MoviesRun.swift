import ExampleSupport
import ExampleTestSupport
import NetworkKitTesting
import PlatformBase

@testable import MoviesExample

/// The token of the tests, which nothing may print.
let token = "t0ken.of-tests"

/// Runs the program in this process.
func movies(_ arguments: [String] = [], environment: [String: String] = [:], width: Int? = nil) async -> ProgramRun {
    await ProgramRun(
        Surroundings(
            arguments: arguments, environment: environment, terminal: Terminal(width: width),
            // Sun, 06 Nov 1994 08:49:37 GMT
            now: Date(timeIntervalSince1970: 784_111_777))
    ) { (surroundings) async throws(Failure) in try await MoviesProgram(surroundings).run() }
}

/// Runs the program live against a server that answers as TMDB does.
func movies(at server: LoopbackServer, _ arguments: String...) async -> ProgramRun {
    await movies(arguments, environment: ["TMDB_ACCESS_TOKEN": token, "TMDB_BASE_URL": server.url("/3").absoluteString])
}
