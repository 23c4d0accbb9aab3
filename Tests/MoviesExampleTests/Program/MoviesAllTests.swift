import ExampleSupport
import ExampleTestSupport
import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

@testable import MoviesExample

/// What `--all` shows of several pages.
@Suite struct MoviesAllTests {
    /// A server with five pages of two movies.
    private func server() async throws -> LoopbackServer {
        try await LoopbackServer.start { routes in
            routes.any("*") { request in
                let page = request.query("page") ?? ""
                return .json(
                    Twins.page.replacing(#""page": 1, "total_pages": 58321"#, with: #""page": \#(page), "total_pages": 5"#)
                        .replacing("The Observatory", with: "\(page) The Observatory"))
            }
        }
    }

    @Test func `all pages are asked for, one after another, and no more than are needed`() async throws {
        let server = try await server()
        let all = await movies(at: server, "--all")
        #expect(all.status == .success)
        #expect(server.requests.map { $0.target } == (1...5).map { "/3/movie/top_rated?page=\($0)" })
        #expect(server.requests.allSatisfy { $0.headers[.authorization] == "Bearer \(token)" })
        #expect(all.lines[0] == "Top rated · 10 movies")
        #expect(all.lines[2].hasPrefix(" 1  Bare") && all.lines[11].hasPrefix("10  5 The Observatory of Night"))
        let some = await movies(at: server, "--all", "--limit", "3", "--search", "x")
        #expect(server.requestCount == 7)
        #expect(some.lines[0] == "Movies like “x” · 3 movies")
        await server.stop()
    }

    @Test func `the sample has two pages`() async throws {
        let run = await movies(["--all", "--limit", "200", "--json"])
        #expect(run.status == .success)
        let page = try JSONDecoder().decode(Page<Movie>.self, from: Data(run.output.utf8))
        #expect(page.results.count > 20 && page.results.count == page.totalResults)
        #expect(Set(page.results.map(\.id)).count == page.results.count)
    }

    @Test func `a page that can't be had ends it with one line, and nothing is shown`() async throws {
        try await LoopbackServer.with { routes in
            routes.any("*") { request in request.query("page") == "1" ? .json(Twins.page) : .status(503) }
        } perform: { server in
            let run = await movies(at: server, "--all")
            #expect(run.status == .server && run.output.isEmpty && run.errorLines.count == 1)
        }
    }
}
