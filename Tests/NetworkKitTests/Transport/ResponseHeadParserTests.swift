#if canImport(CCurl)
import Foundation
import Testing

@testable import NetworkKit

@Suite("Reading an answer's head")
struct ResponseHeadParserTests {
    /// A parser that has taken these lines, each with its line end.
    private func parsed(_ lines: String..., end: String = "\r\n") throws(RequestError) -> ResponseHeadParser {
        try parsed(lines.map { Data(($0 + end).utf8) })
    }

    private func parsed(_ lines: [Data]) throws(RequestError) -> ResponseHeadParser {
        var parser = ResponseHeadParser()
        for line in lines { try take(line, by: &parser) }
        return parser
    }

    private func take(_ line: Data, by parser: inout ResponseHeadParser) throws(RequestError) {
        let outcome = line.withUnsafeBytes { bytes in Result { () throws(RequestError) in try parser.take(bytes) } }
        try outcome.get()
    }

    private func isMalformed(_ lines: String...) -> Bool {
        failure { () throws(RequestError) in try parsed(lines.map { Data(($0 + "\r\n").utf8) }) }?.connectionKind == .malformed
    }

    @Test("Status and fields in their order, repeated ones apart")
    func plain() throws {
        let parser = try parsed("HTTP/1.1 200 OK", "Set-Cookie: a=1; Expires=Sun, 16 Aug 2026", "X: 1", "set-cookie:b=2", "Empty:", "")
        #expect(parser.isComplete && parser.status == 200)
        #expect(parser.headers[values: .setCookie] == ["a=1; Expires=Sun, 16 Aug 2026", "b=2"])
        #expect(parser.headers.map(\.name.rawName) == ["Set-Cookie", "X", "set-cookie", "Empty"])
        #expect(parser.headers["Empty"] == "")
        #expect(try !parsed("HTTP/1.1 200 OK", "X: 1").isComplete)
    }

    @Test("Bare line feeds end lines too")
    func lineFeeds() throws {
        let parser = try parsed("HTTP/1.1 200 OK", "X: 1", "", end: "\n")
        #expect(parser.isComplete && parser.headers["X"] == "1")
    }

    @Test(
        "Odd status lines are read where they have a status",
        arguments: [
            ("HTTP/2 204", 204), ("HTTP/1.1 404 ", 404), ("HTTP/1.0 299 Odd: phrase", 299), ("HTTP/1.1  200 OK", 200), ("ICY 200 OK", 200),
            ("HTTP/1.1 999 x", 999),
        ])
    func statusLines(line: String, code: Int) throws {
        #expect(try parsed(line, "").status.code == code)
    }

    @Test(
        "A status line without a status is malformed",
        arguments: [
            "garbage", "HTTP/1.1", "HTTP/1.1 ", "HTTP/1.1 20 OK", "HTTP/1.1 2000 OK", "HTTP/1.1 +20 OK", "HTTP/1.1 099 x", "HTTP/1.1 20x",
            "HTTP/1.1 OK 200",
        ])
    func badStatusLines(line: String) {
        #expect(isMalformed(line))
    }

    @Test("White space around values goes; a name's goes as well")
    func whiteSpace() throws {
        let parser = try parsed("HTTP/1.1 200 OK", "A: \t x y \t", "X-A : 1", "")
        #expect(parser.headers["A"] == "x y" && parser.headers["X-A"] == "1")
    }

    @Test("A line that is no field is passed over, and its neighbours stay")
    func garbage() throws {
        let parser = try parsed("HTTP/1.1 200 OK", "A: 1", "garbage", ": no name", "na me: x", "GET / HTTP/1.1", "ü: x", "B: 2", "")
        #expect(parser.headers.map(\.description) == ["A: 1", "B: 2"])
    }

    @Test("A folded line belongs to the one before it")
    func folded() throws {
        let parser = try parsed("HTTP/1.1 200 OK", " first", "A: 1", "  2", "\t3 ", "   ", "B:", " 4", "")
        #expect(parser.headers.map(\.description) == ["A: 1 2 3", "B: 4"])
    }

    @Test("What could begin another line becomes a space (RFC 9110 §5.5)")
    func lineBreaks() throws {
        let parser = try parsed("HTTP/1.1 200 OK", "A: 1\rB: 2\u{0}3", "C: 4\n5", "")
        #expect(parser.headers.map(\.description) == ["A: 1 B: 2 3", "C: 4 5"])
        #expect(throws: Never.self) { try HTTPRequest(url: url("https://h.test"), headers: parser.headers).checked() }
    }

    @Test("Bytes that are no UTF-8 are read as Latin-1, each value for itself")
    func latin1() throws {
        let lines = [
            Data("HTTP/1.1 200 \u{FC}\r\n".utf8), Data("A: f=".utf8) + [0xE6, 0xB2, 0x99, 0x0D, 0x0A],
            Data("B: ".utf8) + [0xFC, 0x0D, 0x0A], Data("\r\n".utf8),
        ]
        let parser = try parsed(lines)
        #expect(parser.headers["A"] == "f=沙" && parser.headers["B"] == "ü")
    }

    @Test("Answers before the final one are kept apart from it")
    func interim() throws {
        let parser = try parsed(
            "HTTP/1.1 103 Early Hints", "Link: </a>", "", "HTTP/1.1 100 Continue", "", "", "HTTP/1.1 102 Processing", "X: 1", "",
            "HTTP/1.1 200 OK", "Y: 2", "")
        #expect(parser.interim.map(\.status.code) == [103, 100, 102])
        #expect(parser.interim[0].headers[.link] == "</a>")
        #expect(parser.headers.map(\.description) == ["Y: 2"] && parser.isComplete)
    }

    @Test("101 answers what nobody asked")
    func switchingProtocols() {
        #expect(isMalformed("HTTP/1.1 101 Switching Protocols"))
    }

    @Test("Trailers are those of the body's end, with a blank line or without")
    func trailers() throws {
        var parser = try parsed("HTTP/1.1 200 OK", "X: 1", "", "Digest: abc", "Y: 2")
        #expect(parser.trailers.isEmpty)
        parser.endTrailers()
        #expect(parser.trailers.map(\.description) == ["Digest: abc", "Y: 2"])
        #expect(parser.headers.map(\.description) == ["X: 1"])
        #expect(try parsed("HTTP/1.1 200 OK", "", "Digest: abc", "").trailers["Digest"] == "abc")
    }

    @Test(
        "An answer that contradicts itself about its end can't be read",
        arguments: [
            ["Content-Length: 5", "Content-Length: 6"], ["Content-Length: 5, 6"], ["Content-Length: x"], ["Content-Length: -1"],
            ["Content-Length: 5", " 0"], ["Transfer-Encoding: gzip, chunked"],
            ["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"],
            ["Transfer-Encoding: gzip"], ["Transfer-Encoding: chunked, identity"], ["Transfer-Encoding: identity", "Content-Length: x"],
        ])
    func framing(lines: [String]) {
        let error = failure { () throws(RequestError) in
            try parsed((["HTTP/1.1 200 OK"] + lines + [""]).map { Data(($0 + "\r\n").utf8) })
        }
        #expect(error?.connectionKind == .malformed)
    }

    @Test("A length beside chunks doesn't count, and one said twice is one")
    func harmlessFraming() throws {
        #expect(try parsed("HTTP/1.1 200 OK", "Transfer-Encoding: Chunked", "Content-Length: x", "").isComplete)
        #expect(try parsed("HTTP/1.1 200 OK", "Content-Length: 5", "Content-Length: 5", "").isComplete)
    }

    @Test("A transfer coding that has no meaning leaves the body as it is, to the end of the connection")
    func meaninglessCoding() throws {
        let parser = try parsed("HTTP/1.1 200 OK", "Transfer-Encoding: arizq", "Content-Length: 5", "")
        #expect(parser.isComplete && parser.contentLength == nil)
    }

    @Test("Fields without end are cut off, in the head, before it and behind the body")
    func bounds() throws {
        let long = Data(("A: " + String(repeating: "x", count: 16_000) + "\r\n").utf8)
        for start in [["HTTP/1.1 200 OK\r\n"], ["HTTP/1.1 100 Continue\r\n"], ["HTTP/1.1 200 OK\r\n", "\r\n"]] {
            var parser = try parsed(start.map { Data($0.utf8) })
            let error = failure { () throws(RequestError) in for _ in 0..<20 { try take(long, by: &parser) } }
            #expect(error?.connectionKind == .malformed && parser.byteCount <= ResponseHeadParser.byteLimit + long.count)
        }
    }
}
#endif
