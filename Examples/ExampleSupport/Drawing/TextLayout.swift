/// Lays text out in cells of a terminal.
public enum TextLayout {
    /// The text without what a terminal would obey: control characters become spaces, and the marks that turn the direction of
    /// writing are left out. Everything that a server wrote passes through here.
    public static func printable(_ text: some StringProtocol) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029: result.append(" ")
            case 0x202A...0x202E, 0x2066...0x2069, 0x200E, 0x200F: continue
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    /// So many spaces.
    public static func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

    /// The text with spaces behind it up to a width. A wider one stays as it is.
    public static func padded(_ text: String, to width: Int) -> String { text + spaces(width - TextWidth.cells(text)) }

    /// The text with spaces before it up to a width. A wider one stays as it is.
    public static func leftPadded(_ text: String, to width: Int) -> String { spaces(width - TextWidth.cells(text)) + text }

    /// The text cut to a width, its last cell an ellipsis where something is missing.
    public static func truncated(_ text: String, to width: Int) -> String {
        guard TextWidth.cells(text) > width else { return text }
        guard width > 0 else { return "" }
        var result = ""
        var used = 0
        for character in text {
            let cells = TextWidth.cells(character)
            if used + cells > width - 1 { break }
            result.append(character)
            used += cells
        }
        while result.last == " " { result.removeLast() }
        return result + "…"
    }

    /// The text in lines no wider than `width`, broken at spaces; a longer word stands alone and is cut into pieces, but for
    /// addresses, which would be of no use in pieces.
    ///
    /// - Parameter indent: cells left free at the start of all lines but the first.
    public static func wrap(_ text: String, width: Int, indent: Int = 0) -> [String] {
        let width = max(width, indent + 8)
        var lines: [String] = []
        var line = ""
        var used = 0
        func end() {
            lines.append(line)
            line = spaces(indent)
            used = indent
        }
        for word in text.split(separator: " ") {
            var word = word
            var cells = TextWidth.cells(word)
            let isStart = used == (lines.isEmpty ? 0 : indent)
            if !isStart, used + 1 + cells > width { end() }
            if used > (lines.isEmpty ? 0 : indent) {
                line += " "
                used += 1
            }
            while used + cells > width, !word.contains("://") {
                let head = fitting(word, cells: width - used)
                line += head
                word = word.dropFirst(head.count)
                cells = TextWidth.cells(word)
                end()
            }
            line += word
            used += cells
        }
        if used > (lines.isEmpty ? 0 : indent) { lines.append(line) }
        return lines.isEmpty ? [""] : lines
    }

    /// The longest beginning that fits, and at least one character.
    private static func fitting(_ word: Substring, cells: Int) -> Substring {
        var used = 0
        var count = 0
        for character in word {
            used += TextWidth.cells(character)
            if used > cells { break }
            count += 1
        }
        return word.prefix(max(1, count))
    }
}
