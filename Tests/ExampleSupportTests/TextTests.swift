import Testing

@testable import ExampleSupport

@Suite struct TextTests {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("한글", 4), ("☀", 1), ("☀\u{FE0F}", 2), ("👩‍👩‍👧", 2), ("🇫🇷", 2),
        ("ｆｕｌｌ", 8), ("a\u{200B}b", 2), ("नमस्ते", 4), ("\u{1B}", 0), ("…", 1), ("█", 1),
    ])
    func `a text takes as many cells as terminals give it`(text: String, cells: Int) {
        #expect(TextWidth.cells(text) == cells)
    }

    @Test func `a text is cut between characters, and never wider than asked`() {
        #expect(TextLayout.truncated("abcdef", to: 6) == "abcdef")
        #expect(TextLayout.truncated("abcdef", to: 5) == "abcd…")
        #expect(TextLayout.truncated("日本語の題", to: 6) == "日本…")
        #expect(TextLayout.truncated("cafe\u{301}s", to: 5) == "cafe\u{301}s")
        #expect(TextLayout.truncated("a word", to: 3) == "a…")
        #expect(TextLayout.truncated("abc", to: 0) == "")
        for width in 0...12 { #expect(TextWidth.cells(TextLayout.truncated("日本 e\u{301}👩‍👩‍👧 abc", to: width)) <= width) }
    }

    @Test func `a text is padded by cells, not by characters`() {
        #expect(TextLayout.padded("日本", to: 6) == "日本  ")
        #expect(TextLayout.leftPadded("e\u{301}", to: 3) == "  e\u{301}")
        #expect(TextLayout.padded("long", to: 2) == "long")
    }

    @Test func `a text is wrapped at spaces, a long word is cut, an address is not`() {
        #expect(TextLayout.wrap("one two three", width: 8) == ["one two", "three"])
        #expect(TextLayout.wrap("one two three", width: 9, indent: 2) == ["one two", "  three"])
        #expect(TextLayout.wrap("", width: 8) == [""])
        #expect(TextLayout.wrap("abcdefghijkl", width: 8) == ["abcdefgh", "ijkl"])
        #expect(TextLayout.wrap("日本語の長い題", width: 8) == ["日本語の", "長い題"])
        #expect(TextLayout.wrap("see https://example.com/a/b", width: 10) == ["see", "https://example.com/a/b"])
    }

    @Test func `what a terminal would obey is taken out`() {
        #expect(TextLayout.printable("a\u{1B}[2Jb\nc\u{7}\u{9B}d") == "a [2Jb c  d")
        #expect(TextLayout.printable("safe\u{202E}gpj.exe") == "safegpj.exe")
        #expect(TextLayout.printable("日本 é") == "日本 é")
    }

    @Test func `numbers are written as a person reads them`() {
        #expect(DecimalText.fixed(-0.4) == "0")
        #expect(DecimalText.fixed(-0.5) == "-1")
        #expect(DecimalText.fixed(2.5) == "3")
        #expect(DecimalText.fixed(0.05, decimals: 1) == "0.1")
        #expect(DecimalText.fixed(8.7, decimals: 2) == "8.70")
        #expect(DecimalText.fixed(-12.345, decimals: 1) == "-12.3")
        #expect(DecimalText.fixed(.nan) == "–")
        #expect(DecimalText.fixed(1e300) == "–")
        #expect(DecimalText.grouped(25_411) == "25,411")
        #expect(DecimalText.grouped(-1_000_000) == "-1,000,000")
        #expect(DecimalText.grouped(999) == "999")
        #expect(DecimalText.grouped(.min) == "-9,223,372,036,854,775,808")
    }

    @Test func `styles are left out where there are no colours`() {
        #expect(Painter(isColored: false)("x", .red) == "x")
        #expect(Painter(isColored: true)("x", .red) == "\u{1B}[31mx\u{1B}[0m")
        #expect(Painter(isColored: true)("", .red) == "")
    }
}
