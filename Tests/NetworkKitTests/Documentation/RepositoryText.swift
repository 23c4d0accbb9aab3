import Foundation

/// The repository's own files, for tests that hold the documents to the code.
enum RepositoryText {
    static let root = URL(filePath: #filePath).appending(path: "../../../..").standardized

    /// The text of a file.
    static func file(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The text of all Swift files below a folder, one behind the other.
    static func swift(below path: String) throws -> String {
        let folder = root.appending(path: path)
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
        return try files.sorted().map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }.joined(separator: "\n")
    }

    /// The text with every white space as one space, so that indentation and line ends don't count.
    static func normalised(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// The rows of the table under a heading of a document, cells trimmed, without the head of the table.
    static func table(under heading: String, in document: String) -> [[String]] {
        let lines = document.split(separator: "\n", omittingEmptySubsequences: false)
        guard let start = lines.firstIndex(where: { $0.hasPrefix("#") && $0.hasSuffix(" " + heading) }) else { return [] }
        return lines[(start + 1)...].drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }.dropFirst(2).map { row in
            row.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }
}
