import ExampleSupport
import ExampleTestSupport
import Testing

@testable import MoviesExample

@Suite struct MoviesOptionsTests {
    @Test(arguments: [
        (["--pgae", "2"], "There is no option --pgae. Did you mean --page?"),
        (["--page", "501"], "--page takes a whole number from 1 to 500, not “501”."),
        (["--page", "0"], "not “0”."), (["--details", "x"], "--details takes a whole number from 1 to "),
        (["--details", "1", "--search", "x"], "--details and --search don't go together."),
        (["--all", "--details", "1"], "--details and --all don't go together."),
        (["--limit", "5"], "--limit needs --all."), (["--all", "--page", "2"], "--page and --all don't go together."),
        (["--all", "--limit", "0"], "--limit takes a whole number from 1 to 10000, not “0”."),
        (["fight", "club"], "There is nothing to do with “fight”. To look for a title: --search “fight club”"),
        (["--search"], "--search needs a value: --search TEXT"), (["--base-url", "localhost:80"], "is no address such as https://"),
    ])
    func `a bad command line is told in one line, and nothing is sent`(arguments: [String], words: String) async {
        let run = await movies(arguments)
        #expect(run.status == .usage)
        #expect(run.output.isEmpty)
        #expect(run.errorLines.count == 1)
        #expect(run.errors.contains(words))
    }

    @Test func `help is printed`() async {
        let run = await movies(["--help"])
        #expect(run.status == .success)
        for word in ["--details ID", "TMDB_ACCESS_TOKEN", "Exit status:"] { #expect(run.output.contains(word)) }
    }
}
