/// One row of a program's table of options: what the parser, the help and the list of near misses are made from.
public struct Option: Sendable {
    /// The name, without the two dashes.
    public let name: String
    /// The letter, without the dash, where there is a short form.
    public let letter: Character?
    /// What the help calls the value; `nil` for a switch, which takes none.
    public let value: String?
    /// What the option does, in one sentence.
    public let help: String

    /// A row.
    public init(_ name: String, _ letter: Character? = nil, value: String? = nil, help: String) {
        self.name = name
        self.letter = letter
        self.value = value
        self.help = help
    }
}

extension Option {
    /// `--help`, the same in every program.
    public static let help = Option("help", "h", help: "Shows this and ends.")
    /// `--verbose`, the same in every program.
    public static let verbose = Option(
        "verbose", "v", help: "Shows the configuration, and each request with its status and times, on standard error; secrets are masked.")
    /// `--cache`, the same in every program.
    public static let cache = Option(
        "cache", value: "DIR",
        help: "Keeps answers in this directory. What is still fresh in it is shown without asking the server; --verbose says for how long.")
    /// `--json`, the same in every program.
    public static let json = Option("json", help: "Prints JSON in place of text.")
}
