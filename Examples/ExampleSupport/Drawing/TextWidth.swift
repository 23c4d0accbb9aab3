/// How many cells of a terminal a text takes.
///
/// Terminals agree on the rules of `wcwidth`: combining marks take none, East Asian wide characters and emoji take two. The
/// standard library knows the marks and the emoji; the ranges of wide letters are those of Unicode's EastAsianWidth.txt, joined
/// where only unassigned code points lie between them.
public enum TextWidth {
    /// The cells of a text.
    public static func cells(_ text: some StringProtocol) -> Int {
        text.reduce(0) { $0 + cells($1) }
    }

    /// The cells of what a person sees as one character.
    ///
    /// Its parts count one by one, as in the joined letters of Devanagari, but for emoji: however many are joined, one is drawn.
    public static func cells(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        // The selector asks for the emoji form of a character that is narrow by itself.
        if scalars.first?.properties.isEmojiPresentation == true || scalars.contains("\u{FE0F}") { return 2 }
        return scalars.reduce(0) { $0 + cells($1) }
    }

    private static func cells(_ scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 { return scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar.value == 0xAD ? 0 : 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control, .lineSeparator, .paragraphSeparator: return 0
        default: break
        }
        // The vowels and final consonants of Hangul join the syllable before them.
        if (0x1160...0x11FF).contains(scalar.value) { return 0 }
        if scalar.properties.isEmojiPresentation { return 2 }
        return wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF, 0xA960...0xA97F,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18AFF,
        0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD,
    ]
}
