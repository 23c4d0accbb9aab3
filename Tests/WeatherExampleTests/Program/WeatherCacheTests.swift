import ExampleSupport
import ExampleTestSupport
import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

@testable import WeatherExample

/// What `--cache` keeps for the next run.
@Suite struct WeatherCacheTests {
    private func server() async throws -> LoopbackServer {
        try await LoopbackServer.start { routes in
            routes.any("*") { _ in .json(Twins.clearSky, headers: ["Cache-Control": "max-age=3600"]).gzipped() }
        }
    }

    @Test(
        .enabled(if: BuiltProgram("WeatherExample") != nil, "the program isn't beside the tests"),
        arguments: [["CLEAR_SKY_API_KEY", "CLEAR_SKY_BASE_URL"], ["DARK_SKY_API_KEY", "DARK_SKY_BASE_URL"]])
    func `a second run within max-age sends nothing and says for how long what it shows is good`(names: [String]) async throws {
        let (server, folder) = (try await server(), TemporaryFolder())
        let program = try #require(BuiltProgram("WeatherExample"))
        let environment = [names[0]: key, names[1]: server.url("/clearsky").absoluteString]
        let arguments = ["--cache", folder.path, "--verbose", "paris", "tokyo"]
        let first = try await program.throughPipe(arguments, environment: environment)
        #expect(first.status == 0 && server.requestCount == 2)
        #expect(!first.errors.contains("cached"))
        let second = try await program.throughPipe(arguments, environment: environment)
        #expect(second.status == 0 && server.requestCount == 2)
        #expect(second.output == first.output)
        #expect(second.errors.split(separator: "\n").filter { $0.wholeMatch(of: #/  cached, 5\d min left/#) != nil }.count == 2)
        // Another key is another account's.
        _ = try await program.throughPipe(arguments, environment: environment.merging([names[0]: "other"]) { $1 })
        #expect(server.requestCount == 4)
        #expect(folder.bytes.count > 1000 && !folder.bytes.contains(Data(key.utf8)))
        await server.stop()
    }

    @Test func `refresh asks the server, and its answer is the one that is kept`() async throws {
        let (server, folder) = (try await server(), TemporaryFolder())
        _ = await clearSky(server, "--cache", folder.path)
        let run = await clearSky(server, "--cache", folder.path, "--refresh", "--verbose")
        #expect(run.status == .success && server.requestCount == 2)
        #expect(server.requests[1].headers[.cacheControl] == "max-age=0")
        #expect(!run.errors.contains("cached, "))
        #expect(await clearSky(server, "--cache", folder.path, "--verbose").errors.contains("  cached, 5"))
        #expect(server.requestCount == 2)
        await server.stop()
    }

    @Test func `the sample is kept too, though its server has another port in every run`() async throws {
        let folder = TemporaryFolder()
        for arguments in [["paris"], ["--provider", "darksky"]] {
            let arguments = arguments + ["--cache", folder.path, "--verbose"]
            let first = await weather(arguments)
            let second = await weather(arguments)
            #expect(first.status == .success && !first.errors.contains("cached"))
            #expect(second.errors.contains(/\n  cached, 1\d min left\n/))
            #expect(second.output == first.output)
        }
    }

    @Test func `a folder that can't be used is told of, and the weather shown all the same`() async throws {
        let run = await weather("--cache", "/dev/null/cache")
        #expect(run.status == .success)
        #expect(run.lines[0].hasPrefix("Paris, France · "))
        #expect(run.errors.contains("\nCache: "))
    }
}
