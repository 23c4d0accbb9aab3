import ExampleSupport
import ExampleTestSupport
import NetworkKitTesting
import PlatformBase

@testable import WeatherExample

/// A Saturday at noon, UTC.
let noon = Date(timeIntervalSince1970: 1_773_489_600)

/// Runs the program in this process.
func weather(
    _ arguments: String..., environment: [String: String] = [:], width: Int? = nil, isColored: Bool = false
) async -> ProgramRun {
    await ProgramRun(
        Surroundings(
            arguments: arguments, environment: environment, terminal: Terminal(width: width, isColored: isColored), now: noon)
    ) { (surroundings) async throws(Failure) in try await WeatherProgram(surroundings).run() }
}

/// Runs the program in this process, without an environment.
func weather(_ arguments: [String]) async -> ProgramRun {
    await ProgramRun(Surroundings(arguments: arguments, now: noon)) { (surroundings) async throws(Failure) in
        try await WeatherProgram(surroundings).run()
    }
}

/// The key of the tests, which nothing may print.
let key = "k3y/with+signs"

/// Runs the program live against a server that answers as Clear Sky does.
func clearSky(_ server: LoopbackServer, _ arguments: String...) async -> ProgramRun {
    await ProgramRun(
        Surroundings(
            arguments: arguments,
            environment: ["CLEAR_SKY_API_KEY": key, "CLEAR_SKY_BASE_URL": server.url("/clearsky").absoluteString], now: noon)
    ) { (surroundings) async throws(Failure) in try await WeatherProgram(surroundings).run() }
}

/// Runs the program live against a server that answers as Pirate Weather does.
func darkSky(_ server: LoopbackServer, _ arguments: String...) async -> ProgramRun {
    await ProgramRun(
        Surroundings(
            arguments: arguments, environment: ["DARK_SKY_API_KEY": key, "DARK_SKY_BASE_URL": server.baseURL.absoluteString], now: noon)
    ) { (surroundings) async throws(Failure) in try await WeatherProgram(surroundings).run() }
}
