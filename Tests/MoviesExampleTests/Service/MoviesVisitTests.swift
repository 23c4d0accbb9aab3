import ExampleSupport
import ExampleTestSupport
import NetworkKit
import PlatformBase
import Testing

@testable import MoviesExample

/// What the program does with a service, whoever that is.
@Suite struct MoviesVisitTests {
    private func run(_ service: MoviesServiceMock, _ arguments: String..., width: Int? = nil) async -> ProgramRun {
        await ProgramRun(Surroundings(arguments: arguments, terminal: Terminal(width: width))) {
            (surroundings) async throws(Failure) in
            try await MoviesVisit(surroundings: surroundings, options: try MoviesOptions(surroundings.arguments), service: service).show()
        }
    }

    @Test func `it asks for what the options say`() async {
        let service = MoviesServiceMock()
        _ = await run(service)
        _ = await run(service, "--page", "3", "--language", "de", "--region", "DE")
        _ = await run(service, "--search", "night", "--page=2")
        _ = await run(service, "--all", "--search", "night", "--limit", "7")
        #expect(service.calls == ["top 1 - -", "top 3 de DE", "search night 2", "all night 7"])
    }

    @Test func `details, people and image addresses are asked for together`() async {
        let service = MoviesServiceMock()
        let run = await run(service, "--details", "2", "-l", "fr")
        #expect(service.calls.sorted() == ["configuration", "credits 2", "detail 2 fr"])
        #expect(run.status == .success)
        #expect(run.output.contains("Poster: https://i.example/t/p/w500/p.jpg"))
        #expect(run.output.contains("Drama, Comedy · 2 h 19 min · released 2001-05-01"))
        #expect(run.output.contains("Directed by: Fen Oakmoor"))
        #expect(run.output.contains("  Ivo Tamarisk\n  Hana Abernox  A Voice\n"))
    }

    @Test(arguments: [
        (RequestError.unauthorized(), ExitCode.refusedKey), (.connection(.init(.init(kind: .refused))), .noNetwork),
        (.timedOut(), .noNetwork), (.decode(.init(.init(codingPath: "results[3].id"), reason: "there is no key")), .undecodable),
    ])
    func `a failure is one line and its own status`(error: RequestError, code: ExitCode) async {
        for arguments in [["--details", "2"], []] {
            let service = MoviesServiceMock(failure: error)
            let run = await ProgramRun(Surroundings(arguments: arguments)) { (surroundings) async throws(Failure) in
                try await MoviesVisit(surroundings: surroundings, options: try MoviesOptions(arguments), service: service).show()
            }
            #expect(run.status == code)
            #expect(run.errorLines.count == 1)
            #expect(run.output.isEmpty)
        }
    }

    @Test func `the attribution is printed, beside JSON on standard error`() async throws {
        let text = await run(MoviesServiceMock())
        #expect(text.lines.dropLast().last == TMDB.attribution)
        let json = await run(MoviesServiceMock(), "--json")
        #expect(json.errorLines == [TMDB.attribution])
        let page = try JSONDecoder().decode(Page<Movie>.self, from: Data(json.output.utf8))
        #expect(page.results.map(\.id) == [1, 2])
        #expect(page.totalPages == 500)
    }
}
