import Foundation
import Testing

@testable import NetworkKit

@Suite("Events made from bytes, as WHATWG HTML §9.2.6 says")
struct ServerSentEventParserTests {
    private struct Outcome: Equatable {
        var events: [ServerSentEvent] = []
        var retry: Duration?
        var lastEventID = ""
    }

    private func parse(_ chunks: [Data], after id: String = "", limit: Int = .max) throws(RequestError) -> Outcome {
        var parser = ServerSentEventParser(lastEventID: id, limit: limit)
        var events: [ServerSentEvent] = []
        for chunk in chunks {
            parser.append(chunk)
            while let event = try parser.next() { events.append(event) }
        }
        return Outcome(events: events, retry: parser.retry, lastEventID: parser.lastEventID)
    }

    private static func event(_ data: String, type: String = "message", id: String = "") -> ServerSentEvent {
        ServerSentEvent(type: type, data: data, id: id)
    }

    private static let table: [(String, [ServerSentEvent], retry: Int?, id: String)] = [
        ("data: a\n\n", [event("a")], nil, ""),
        ("data:a\r\rdata:b\r\n\r\n", [event("a"), event("b")], nil, ""),
        ("data: A\r\ndata: B\r\n\r\n", [event("A\nB")], nil, ""),
        ("data:\n\n", [event("")], nil, ""),
        ("data\ndata\n\n", [event("\n")], nil, ""),
        ("data:  two\n\n", [event(" two")], nil, ""),
        ("data:\ttab\n\n", [event("\ttab")], nil, ""),
        ("data: a", [], nil, ""),
        ("data: a\n", [], nil, ""),
        (": ping\n\n:\n\n", [], nil, ""),
        ("\u{FEFF}data: a\n\n\u{FEFF}data: b\n\n", [event("a")], nil, ""),
        ("event: tick\ndata: 1\n\ndata: 2\n\n", [event("1", type: "tick"), event("2")], nil, ""),
        ("event: lost\n\ndata: x\n\n", [event("x")], nil, ""),
        ("event:a\nevent:\ndata:x\n\n", [event("x")], nil, ""),
        ("id: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\n", [event("a", id: "1"), event("b", id: "1"), event("c")], nil, ""),
        ("id: 7\n\n", [], nil, "7"),
        ("id: 8\ndata: never dispatched", [], nil, ""),
        ("id: 8\n", [], nil, ""),
        ("id: 1\n\nid: a\0b\ndata: x\n\n", [event("x", id: "1")], nil, "1"),
        ("retry: 300\n\n", [], 300, ""),
        ("retry:0\n", [], 0, ""),
        ("retry:1\nretry:2x\nretry: -3\nretry: 4.5\nretry:\nretry: 0x10\nretry: \u{663}\n", [], 1, ""),
        ("retry: 99999999999999999999999999\n", [], 1_000_000_000_000, ""),
        ("retry: 007\n", [], 7, ""),
        ("Data: a\nDATA: b\ndata : c\n data: d\ndat: e\ndata_: f\ndataa\nfoo: g\n\n", [], nil, ""),
        ("data: €豆腐🧵é\n\n", [event("€豆腐🧵é")], nil, ""),
        ("data: a\u{2028}b\u{85}c\u{B}d\n\n", [event("a\u{2028}b\u{85}c\u{B}d")], nil, ""),
        ("data:\0\n\n", [event("\0")], nil, ""),
        ("data: a:b: c\n\n", [event("a:b: c")], nil, ""),
    ]

    @Test("Fields and events, at every cut of the bytes", arguments: table)
    func everyCut(stream: String, events: [ServerSentEvent], retry: Int?, id: String) throws {
        let expected = Outcome(events: events, retry: retry.map { .milliseconds($0) }, lastEventID: id)
        for cut in Cuts.all(of: Data(stream.utf8)) {
            #expect(try parse(cut) == expected, "\(stream.debugDescription) as \(cut.map(\.count))")
        }
    }

    @Test("Bytes that are no UTF-8 are replaced, and spoil nothing behind them")
    func badText() throws {
        let bytes =
            Data("data: a".utf8) + Data([0xFF]) + Data("b\n\ndata: c".utf8) + Data([0xE2, 0x82]) + Data("\n\nid: ".utf8) + Data([0xC3])
            + Data("\ndata: d\n\n".utf8)
        for cut in Cuts.all(of: bytes) {
            let expected = [Self.event("a\u{FFFD}b"), Self.event("c\u{FFFD}"), Self.event("d", id: "\u{FFFD}")]
            #expect(try parse(cut).events == expected)
        }
    }

    @Test("The collected streams of browsers' and libraries' tests, at every cut")
    func suite() throws {
        struct Case: Decodable {
            struct Event: Decodable { var event, data, lastEventId: String }
            var id, stream_b64, reconnect_last_event_id: String
            var events: [Event]
            var retry: String?
        }
        guard let data = SharedSuite.data("streams.json", of: "sse") else {
            print("streams.json isn't there; the table above stands for it")
            return
        }
        let cases = try JSONDecoder().decode([Case].self, from: data)
        #expect(!cases.isEmpty)
        for test in cases {
            let expected = Outcome(
                events: test.events.map { ServerSentEvent(type: $0.event, data: $0.data, id: $0.lastEventId) },
                retry: test.retry.flatMap { Int($0) }.map { .milliseconds($0) }, lastEventID: test.reconnect_last_event_id)
            for cut in Cuts.all(of: try #require(Data(base64Encoded: test.stream_b64))) {
                #expect(try parse(cut) == expected, "\(test.id) as \(cut.map(\.count))")
            }
        }
    }

    @Test("An ID from before stands until the server says another")
    func earlierID() throws {
        let outcome = try parse([Data("data: a\n\nid: 5\ndata: b\n\n".utf8)], after: "4")
        #expect(outcome.events == [Self.event("a", id: "4"), Self.event("b", id: "5")])
        #expect(try parse([Data("id: 9\ndata: b\n".utf8)], after: "4").lastEventID == "4")
    }

    @Test("An event without end stops at the limit, and so does a line")
    func endlessEvent() throws {
        let line = Data(("data: " + String(repeating: "x", count: 1000) + "\n").utf8)
        var parser = ServerSentEventParser(limit: 1 << 20)
        var count = 0
        let error = #expect(throws: RequestError.self) {
            while count < 1 << 30 {
                parser.append(line)
                _ = try parser.next()
                count += line.count
            }
        }
        #expect(count <= 1 << 20 + 1 << 16)
        guard case .stream(let details) = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(details.position == 1)
        #expect(throws: RequestError.self) { try parse([Data(repeating: UInt8(ascii: ":"), count: 20)], limit: 19) }
        #expect(try parse([Data("data:12345\n\n".utf8)], limit: 10).events == [Self.event("12345")])
    }
}
