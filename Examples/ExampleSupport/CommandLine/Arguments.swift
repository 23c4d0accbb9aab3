/// A command line, read by a table of options.
public struct Arguments: Sendable, Equatable {
    /// What stands for itself, in order.
    public private(set) var operands: [String] = []
    private var values: [String: String] = [:]
    private var switches: Set<String> = []

    /// Reads a command line.
    ///
    /// A value stands behind its option or after an equals sign. Behind `--` everything is an operand, and so is a negative
    /// number: `-33.92,18.42` is a place.
    ///
    /// - Parameters:
    ///   - arguments: without the program's name.
    ///   - options: the table.
    /// - Throws: ``Failure`` with ``ExitCode/usage``, which names the nearest right option.
    public init(_ arguments: [String], options: [Option]) throws(Failure) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                operands += rest
                return
            }
            guard argument.hasPrefix("-"), argument.count > 1, !Self.isNumber(argument) else {
                operands.append(argument)
                continue
            }
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let option = try Self.option(String(parts[0]), in: options)
            var given = parts.count > 1 ? String(parts[1]) : nil
            guard let placeholder = option.value else {
                if given != nil { throw .usage("--\(option.name) takes no value.") }
                switches.insert(option.name)
                continue
            }
            if given == nil, let next = rest.first, !next.hasPrefix("-") || Self.isNumber(next) { given = rest.popFirst() }
            guard let value = given, !value.isEmpty else { throw .usage("--\(option.name) needs a value: --\(option.name) \(placeholder)") }
            values[option.name] = value
        }
    }

    /// The value of an option, where it was given.
    public func value(_ option: Option) -> String? { values[option.name] }

    /// Whether a switch was given.
    public func has(_ option: Option) -> Bool { switches.contains(option.name) }

    /// The value of an option as a whole number within bounds.
    ///
    /// - Throws: ``Failure`` with ``ExitCode/usage`` for anything else.
    public func number(_ option: Option, in bounds: ClosedRange<Int>) throws(Failure) -> Int? {
        guard let text = value(option) else { return nil }
        guard let number = Int(text), bounds.contains(number) else {
            throw .usage("--\(option.name) takes a whole number from \(bounds.lowerBound) to \(bounds.upperBound), not “\(text)”.")
        }
        return number
    }

    /// The value of an option as one of a list of words.
    ///
    /// - Throws: ``Failure`` with ``ExitCode/usage``, which names the nearest word and the list.
    public func choice<Choice: RawRepresentable<String> & CaseIterable>(_ option: Option, of type: Choice.Type) throws(Failure) -> Choice? {
        guard let text = value(option) else { return nil }
        if let choice = Choice(rawValue: text.lowercased()) { return choice }
        let words = Choice.allCases.map(\.rawValue)
        let guess = NearMiss.nearest(to: text, among: words).map { " Did you mean \($0)?" } ?? ""
        throw .usage("--\(option.name) can't be “\(text)”.\(guess) It is one of: \(words.joined(separator: ", ")).")
    }

    private static func isNumber(_ text: String) -> Bool {
        text.dropFirst().first.map { $0.isNumber || $0 == "." } ?? false
    }

    private static func option(_ text: String, in options: [Option]) throws(Failure) -> Option {
        if text.hasPrefix("--") {
            let name = String(text.dropFirst(2))
            if let option = options.first(where: { $0.name == name }) { return option }
            let guess = NearMiss.nearest(to: name, among: options.map(\.name)).map { "Did you mean --\($0)?" }
            throw .usage("There is no option \(text). \(guess ?? "--help lists them.")")
        }
        let letter = text.dropFirst()
        if letter.count == 1, let option = options.first(where: { $0.letter == letter.first }) { return option }
        let guess = NearMiss.nearest(to: String(letter), among: options.map(\.name)).map { "Did you mean --\($0)?" }
        throw .usage("There is no option \(text). \(guess ?? "--help lists them.")")
    }
}
