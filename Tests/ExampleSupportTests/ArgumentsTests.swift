import ExampleSupport
import Testing

private enum Shade: String, CaseIterable { case light, dark }

@Suite struct ArgumentsTests {
    private let page = Option("page", "p", value: "NUMBER", help: "")
    private let shade = Option("shade", value: "NAME", help: "")
    private var table: [Option] { [page, shade, .verbose, .json] }

    private func message(_ arguments: String...) -> String? {
        do throws(Failure) {
            _ = try Arguments(arguments, options: table)
            return nil
        } catch {
            #expect(error.status == .usage)
            return error.message
        }
    }

    @Test func `an option takes its value from behind it or from behind an equals sign`() throws {
        for line in [["--page", "3"], ["--page=3"], ["-p", "3"], ["-p=3"]] {
            #expect(try Arguments(line, options: table).number(page, in: 1...9) == 3)
        }
    }

    @Test func `a coordinate south of the equator is no option`() throws {
        let arguments = try Arguments(["-33.92,18.42", "-.5,3", "--verbose", "--", "--page"], options: table)
        #expect(arguments.operands == ["-33.92,18.42", "-.5,3", "--page"])
        #expect(arguments.has(.verbose))
        #expect(!arguments.has(.json))
    }

    @Test func `an option that does not exist is told with the nearest one that does`() {
        #expect(message("--pgae", "3") == "There is no option --pgae. Did you mean --page?")
        #expect(message("--ver") == "There is no option --ver. Did you mean --verbose?")
        #expect(message("-page") == "There is no option -page. Did you mean --page?")
        #expect(message("--quetzal") == "There is no option --quetzal. --help lists them.")
        #expect(message("-x") == "There is no option -x. --help lists them.")
    }

    @Test func `a missing, surplus or empty value is told`() {
        #expect(message("--page") == "--page needs a value: --page NUMBER")
        #expect(message("--page", "--json") == "--page needs a value: --page NUMBER")
        #expect(message("--page=") == "--page needs a value: --page NUMBER")
        #expect(message("--json=yes") == "--json takes no value.")
    }

    @Test(arguments: ["0", "10", "-1", "x", "1.5", "99999999999999999999"])
    func `a number outside its bounds is told`(text: String) throws {
        let arguments = try Arguments(["--page=\(text)"], options: table)
        #expect(throws: Failure(.usage, "--page takes a whole number from 1 to 9, not “\(text)”.")) {
            try arguments.number(page, in: 1...9)
        }
    }

    @Test func `a word is taken from its list, whatever its case`() throws {
        #expect(try Arguments(["--shade", "DARK"], options: table).choice(shade, of: Shade.self) == .dark)
        let wrong = try Arguments(["--shade", "drak"], options: table)
        #expect(throws: Failure(.usage, "--shade can't be “drak”. Did you mean dark? It is one of: light, dark.")) {
            try wrong.choice(shade, of: Shade.self)
        }
    }

    @Test func `control characters of an argument don't reach the terminal`() {
        #expect(message("--\u{1B}[31mred") == "There is no option -- [31mred. --help lists them.")
    }

    @Test(arguments: [
        ("page", "page", "page"), ("PAEG", "page", "page"), ("parsi", "paris", "paris"), ("xyz", "paris", nil), ("", "paris", nil),
    ])
    func `the nearest word is found`(typed: String, word: String, expected: String?) {
        #expect(NearMiss.nearest(to: typed, among: [word, "something-else"]) == expected)
    }

    @Test func `help keeps to the width, also a narrow one`() {
        let help = HelpText(usage: "Program [options] something", about: "Does what it does, at some length.", options: table)
        for width in [20, 40, 80] {
            let lines = help.lines(width: width)
            #expect(lines.allSatisfy { TextWidth.cells($0) <= max(width, 24) })
            #expect(lines.contains { $0.contains("-p, --page NUMBER") })
            #expect(lines.contains("Exit status:"))
        }
    }
}
