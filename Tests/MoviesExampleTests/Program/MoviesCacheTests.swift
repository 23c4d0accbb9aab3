import ExampleSupport
import ExampleTestSupport
import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

@testable import MoviesExample

/// What `--cache` keeps for the next run.
@Suite struct MoviesCacheTests {
    private func server() async throws -> LoopbackServer {
        try await LoopbackServer.start { routes in
            routes.any("*") { request in
                if request.headers[.ifNoneMatch] == "\"1\"" { return .status(304, headers: ["ETag": "\"1\""]) }
                let fields: HTTPFields = ["Cache-Control": "public, max-age=3551", "Vary": "Origin", "ETag": "\"1\""]
                return .json(Twins.page, headers: fields).gzipped()
            }
        }
    }

    @Test(.enabled(if: BuiltProgram("MoviesExample") != nil, "the program isn't beside the tests"))
    func `a second run within max-age sends nothing and says for how long what it shows is good`() async throws {
        let (server, folder) = (try await server(), TemporaryFolder())
        let program = try #require(BuiltProgram("MoviesExample"))
        let environment = ["TMDB_ACCESS_TOKEN": token, "TMDB_BASE_URL": server.url("/3").absoluteString]
        let arguments = ["--cache", folder.path, "--verbose"]
        let first = try await program.throughPipe(arguments, environment: environment)
        #expect(first.status == 0 && server.requestCount == 1)
        #expect(!first.errors.contains("cached"))
        let second = try await program.throughPipe(arguments, environment: environment)
        #expect(second.status == 0 && server.requestCount == 1)
        #expect(second.output == first.output)
        #expect(second.errors.contains(/\n  cached, 5\d min left\n/))
        #expect(folder.bytes.count > 500 && !folder.bytes.contains(Data(token.utf8)))
        await server.stop()
    }

    @Test func `refresh asks the server, which needn't send again what hasn't changed`() async throws {
        let (server, folder) = (try await server(), TemporaryFolder())
        let first = await movies(at: server, "--cache", folder.path)
        let second = await movies(at: server, "--cache", folder.path, "--refresh", "--verbose")
        #expect(server.requests.map { $0.headers[.ifNoneMatch] } == [nil, "\"1\""])
        #expect(second.status == .success && second.output == first.output)
        #expect(second.errors.contains("\n  cached, and still good by the server's word\n"))
        await server.stop()
    }

    @Test func `the sample is kept too, though its server has another port in every run`() async throws {
        let folder = TemporaryFolder()
        for arguments in [[], ["--details", "9001"]] {
            let arguments = arguments + ["--cache", folder.path, "--verbose"]
            let first = await movies(arguments)
            let second = await movies(arguments)
            #expect(first.status == .success && !first.errors.contains("cached"))
            #expect(second.errors.contains(/\n  cached, \d\d min left\n/))
            #expect(second.output == first.output)
        }
    }

    @Test func `without the option nothing is kept`() async throws {
        let server = try await server()
        for _ in 0..<2 { _ = await movies(at: server) }
        #expect(server.requestCount == 2)
        await server.stop()
    }
}
