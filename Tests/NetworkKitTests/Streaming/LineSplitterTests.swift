import Foundation
import Testing

@testable import NetworkKit

@Suite("Bytes split into lines")
struct LineSplitterTests {
    private func lines(_ chunks: [Data], limit: Int = .max, ending: LineSplitter.Ending = .any) throws(RequestError) -> [String] {
        var splitter = LineSplitter(limit: limit, ending: ending)
        var lines: [String] = []
        for chunk in chunks {
            splitter.append(chunk)
            while let line = try splitter.next({ String(decoding: $0, as: UTF8.self) }) { lines.append(line) }
        }
        if let last = try splitter.finish({ String(decoding: $0, as: UTF8.self) }) { lines.append(last) }
        #expect(splitter.count == lines.count)
        return lines
    }

    private static let table: [(String, [String])] = [
        ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\nb", ["a", "b"]), ("a\r\nb\r\n", ["a", "b"]), ("a\rb\r", ["a", "b"]),
        ("\n", [""]), ("\r", [""]), ("\r\n", [""]), ("\n\n", ["", ""]), ("\r\r", ["", ""]), ("\r\n\r\n", ["", ""]), ("\n\r", ["", ""]),
        ("a\n\nb\n", ["a", "", "b"]), ("a\r\n\nb", ["a", "", "b"]), ("a\r\r\nb", ["a", "", "b"]), ("a\n\r\nb", ["a", "", "b"]),
        ("\ra\n\rb\r\n", ["", "a", "", "b"]), ("a\r\nb\nc\rd", ["a", "b", "c", "d"]),
        ("€\n豆腐\r\n🧵é\r", ["€", "豆腐", "🧵é"]), ("a\u{2028}b\u{85}c\u{0B}d\u{0C}e\n", ["a\u{2028}b\u{85}c\u{0B}d\u{0C}e"]),
        ("a\0b\n\0\n", ["a\0b", "\0"]),
    ]

    @Test("Lines are the same wherever the chunks are cut, also inside of a character and of a CRLF", arguments: table)
    func everyCut(text: String, expected: [String]) throws {
        for cut in Cuts.all(of: Data(text.utf8)) { #expect(try lines(cut) == expected, "\(text.debugDescription) as \(cut.map(\.count))") }
    }

    @Test("A line that has ended is there at once, also when only its CR has come")
    func atOnce() throws {
        var splitter = LineSplitter()
        splitter.append(Data("a\r".utf8))
        #expect(try splitter.next { $0.count } == 1)
        splitter.append(Data("\nb\n".utf8))
        #expect(try splitter.next { $0.count } == 1)
        #expect(try splitter.next { $0.count } == nil)
    }

    @Test("Where only LF ends a line, a CR is part of it")
    func lineFeedOnly() throws {
        for cut in Cuts.all(of: Data("{\r1}\r\n\r\n2\r".utf8)) { #expect(try lines(cut, ending: .lineFeed) == ["{\r1}\r", "\r", "2\r"]) }
    }

    @Test("A slice of data is read from where it begins")
    func slice() throws {
        #expect(try lines([Data("xx\na\nb".utf8).dropFirst(3)]) == ["a", "b"])
    }

    @Test("A line may have as many bytes as the limit, and not one more, however it comes")
    func limit() throws {
        for cut in Cuts.all(of: Data("a\nbcde\nf".utf8)) {
            #expect(try lines(cut, limit: 4) == ["a", "bcde", "f"])
            let error = #expect(throws: RequestError.self) { try lines(cut, limit: 3) }
            guard case .stream(let details) = error else { Issue.record("\(String(describing: error))"); continue }
            #expect(details.position == 2)
            #expect("bcde".hasPrefix(details.excerpt) && !details.excerpt.isEmpty)
        }
    }

    @Test("An endless line ends at the limit, and what is quoted of it is short")
    func endlessLine() throws {
        var splitter = LineSplitter(limit: 1 << 20)
        let chunk = Data(repeating: UInt8(ascii: "x"), count: 64 << 10)
        var count = 0
        let error = #expect(throws: RequestError.self) {
            while count < 1 << 30 {
                splitter.append(chunk)
                _ = try splitter.next { $0.count }
                count += chunk.count
            }
        }
        #expect(count == 1 << 20)
        guard case .stream(let details) = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(details.position == 1)
        #expect(details.excerpt == String(repeating: "x", count: 200))
    }

    /// Each byte is copied in, may be moved once, and is looked at once for each line end: five times its number is more than all of it.
    @Test(
        "The work is linear in the bytes, whatever the lines and the cuts",
        arguments: [
            ("short lines", "a\n"), ("blank lines", "\n"), ("bare CRs", "\r"), ("both", "\r\n"), ("one line", "x"),
            ("lines of 1 KiB", String(repeating: "x", count: 1023) + "\n"), ("LFs before a CR far behind", "a\nb\n" + "c"),
            ("lines longer than the chunks", String(repeating: "y", count: 100_000) + "\r\n"),
        ])
    func linear(_ name: String, _ sample: String) throws {
        let unit = Data(sample.utf8)
        var bytes = Data()
        while bytes.count < 1 << 16 { bytes.append(unit) }
        bytes.append(UInt8(ascii: "\r"))
        var counts: Set<Int> = []
        for size in [1, 2, 3, 7, 64, 1000, 1 << 16, bytes.count] {
            var splitter = LineSplitter(limit: .max)
            for chunk in Cuts.pieces(of: bytes, size) {
                splitter.append(chunk)
                while try splitter.next({ _ in }) != nil {}
            }
            #expect(splitter.work >= bytes.count && splitter.work <= 5 * bytes.count, "\(name) in chunks of \(size)")
            counts.insert(splitter.count)
        }
        #expect(counts.count == 1)
    }

    @Test("The room that a long line took is let go of when the line has been given")
    func room() throws {
        var splitter = LineSplitter()
        splitter.append(Data(repeating: UInt8(ascii: "x"), count: 8 << 20) + Data("\nrest".utf8))
        #expect(splitter.room >= 8 << 20)
        #expect(try splitter.next { $0.count } == 8 << 20)
        #expect(try splitter.next { $0.count } == nil)
        #expect(splitter.room <= 64 << 10)
        splitter.append(Data("\n".utf8))
        #expect(try splitter.next { $0.count } == 4)
    }
}
