/// Reads the text of an `.env` file: `NAME=value` a line, with or without `export`, quotes and comments.
enum EnvironmentFile {
    /// The names and values; of a name that is there twice the last. A line that is no assignment is passed over.
    static func values(in text: String) -> [String: String] {
        var values: [String: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            var line = trimmed(line)
            if line.hasPrefix("export ") { line = trimmed(line.dropFirst("export ".count)) }
            guard !line.hasPrefix("#"), let equals = line.firstIndex(of: "=") else { continue }
            let name = trimmed(line[..<equals])
            guard !name.isEmpty, name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) else { continue }
            values[String(name)] = value(trimmed(line[line.index(after: equals)...]))
        }
        return values
    }

    /// What stands between quotes as it is, else what stands before a comment.
    private static func value(_ text: Substring) -> String {
        if let quote = text.first, quote == "\"" || quote == "'", let end = text.dropFirst().firstIndex(of: quote) {
            return String(text[text.index(after: text.startIndex)..<end])
        }
        if text.hasPrefix("#") { return "" }
        var end = text.startIndex
        while let hash = text[end...].firstIndex(of: "#") {
            // A number sign within a value belongs to it; one behind a space begins a comment.
            if text[text.index(before: hash)].isWhitespace { return String(trimmed(text[..<hash])) }
            end = text.index(after: hash)
        }
        return String(text)
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
