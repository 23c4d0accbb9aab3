/// A program's help, made from its table of options.
public struct HelpText: Sendable {
    private let usage: String
    private let about: String
    private let options: [Option]
    private let sections: [(title: String, rows: [(String, String)])]

    /// A help text.
    ///
    /// - Parameters:
    ///   - usage: the form of the command line, without the word "Usage".
    ///   - about: what the program does.
    ///   - options: the table.
    ///   - sections: further tables, such as the environment's variables.
    public init(usage: String, about: String, options: [Option], sections: [(title: String, rows: [(String, String)])] = []) {
        self.usage = usage
        self.about = about
        self.options = options
        self.sections = sections + [(title: "Exit status", rows: ExitCode.allCases.map { (String($0.rawValue), $0.meaning) })]
    }

    /// The lines, none wider than `width` cells where that can be helped.
    public func lines(width: Int) -> [String] {
        var lines = TextLayout.wrap("Usage: " + usage, width: width, indent: 7) + [""] + TextLayout.wrap(about, width: width)
        lines += table("Options", options.map { (Self.form(of: $0), $0.help) }, width: width)
        for section in sections { lines += table(section.title, section.rows, width: width) }
        return lines
    }

    private static func form(of option: Option) -> String {
        (option.letter.map { "-\($0), " } ?? "") + "--\(option.name)" + (option.value.map { " \($0)" } ?? "")
    }

    private func table(_ title: String, _ rows: [(String, String)], width: Int) -> [String] {
        let longest = rows.map { TextWidth.cells($0.0) }.max() ?? 0
        var lines = ["", title + ":"]
        // In a narrow terminal what an option does stands below it.
        let column = longest + 4 + 24 <= width ? longest + 4 : nil
        for (name, meaning) in rows {
            if let column {
                let wrapped = TextLayout.wrap(meaning, width: width - column)
                lines.append("  " + TextLayout.padded(name, to: column - 2) + (wrapped.first ?? ""))
                lines += wrapped.dropFirst().map { TextLayout.spaces(column) + $0 }
            } else {
                lines.append("  " + name)
                lines += TextLayout.wrap(meaning, width: width - 6).map { TextLayout.spaces(6) + $0 }
            }
        }
        return lines
    }
}
