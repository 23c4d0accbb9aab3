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

    @Test("Megabytes of bare CRs, and a long line byte by byte, take linear time")
    func linear() throws {
        var splitter = LineSplitter(limit: .max)
        splitter.append(Data(repeating: UInt8(ascii: "\r"), count: 1 << 20))
        while try splitter.next({ _ in }) != nil {}
        #expect(splitter.count == 1 << 20)
        for _ in 0..<1 << 18 {
            splitter.append(Data([UInt8(ascii: "y")]))
            #expect(try splitter.next { _ in } == nil)
        }
        #expect(try splitter.finish { $0.count } == 1 << 18)
    }
}
