import ExampleSupport
import ExampleTestSupport
import Testing

@testable import WeatherExample

@Suite struct WeatherOptionsTests {
    @Test(arguments: [
        (["--dyas", "3"], ExitCode.usage, "There is no option --dyas. Did you mean --days?"),
        (["--days", "9"], .usage, "--days takes a whole number from 1 to 8, not “9”."),
        (["--units", "metric"], .usage, "It is one of: us, si, ca, uk2."),
        (["--provider", "darksy"], .usage, "Did you mean darksky?"),
        (["Parsi"], .notFound, "Did you mean Paris? They are: Berlin, "),
        (["100,0"], .notFound, "latitudes go from -90 to 90"),
        (["--base-url", "https//x"], .usage, "is no address such as https://cocoacasts.com/clearsky."),
    ])
    func `a bad command line is told in one line, and nothing is sent`(arguments: [String], code: ExitCode, words: String) async {
        let run = await program(arguments)
        #expect(run.status == code)
        #expect(run.output.isEmpty)
        #expect(run.errorLines.count == 1)
        #expect(run.errors.contains(words))
    }

    @Test func `help is printed, whatever else is wrong`() async {
        let run = await weather("--help", "Atlantis")
        #expect(run.status == .success)
        #expect(run.errors.isEmpty)
        for word in ["--provider", "CLEAR_SKY_API_KEY", "DARK_SKY_BASE_URL", "Cape Town", "Exit status:"] {
            #expect(run.output.contains(word))
        }
    }

    private func program(_ arguments: [String]) async -> ProgramRun {
        await ProgramRun(Surroundings(arguments: arguments)) { (surroundings) async throws(Failure) in
            try await WeatherProgram(surroundings).run()
        }
    }
}
