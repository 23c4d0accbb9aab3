import Foundation
import Testing

@testable import NetworkKit

@Suite("Excerpts of JSON")
struct JSONExcerptTests {
    private enum Step: CodingKey {
        case key(String), index(Int), numericKey(String)
        var stringValue: String {
            switch self {
            case .key(let name), .numericKey(let name): name
            case .index(let position): "Index \(position)"
            }
        }
        var intValue: Int? {
            switch self {
            case .key: nil
            case .index(let position): position
            case .numericKey(let name): Int(name)
            }
        }
        init?(stringValue: String) { self = .key(stringValue) }
        init?(intValue: Int) { self = .index(intValue) }
    }

    private func excerpt(_ text: String, _ path: Step...) -> String { JSONExcerpt.text(in: Data(text.utf8), at: path) }

    @Test("An excerpt begins at the value that the path leads to")
    func place() {
        let text = #" { "a" : [ 1 , {"b]":"x,]}\"" , "c":true} , [[],{}] ] , "d":null } "#
        #expect(excerpt(text, .key("a"), .index(1), .key("c")) == #"true} , [[],{}] ] , "d":null } "#)
        #expect(excerpt(text, .key("a"), .index(2)) == #"[[],{}] ] , "d":null } "#)
        #expect(excerpt(text, .key("d")) == "null } ")
        #expect(excerpt(text) == text.trimmingCharacters(in: .whitespaces) + " ")
    }

    @Test("A path that the text doesn't have leads as near as it gets")
    func missing() {
        let text = #"{"a":{"b":[1,2]}}"#
        #expect(excerpt(text, .key("a"), .key("x")) == #"{"b":[1,2]}}"#)
        #expect(excerpt(text, .key("a"), .key("b"), .index(7)) == "[1,2]}}")
        #expect(excerpt(text, .index(0)) == text)
        #expect(excerpt(text, .key("a"), .index(0), .key("b")) == #"{"b":[1,2]}}"#)
    }

    @Test("A key that reads as a number is still a key")
    func numericKeys() {
        #expect(excerpt(#"{"5":{"x":1}}"#, .numericKey("5"), .key("x")) == "1}}")
    }

    @Test("A number that is no place in an array leads to the array")
    func negativeNumber() {
        #expect(excerpt(#"{"a":[0]}"#, .key("a"), .index(-1)) == "[0]}")
    }

    @Test("The name to the letter comes before one that is only similar")
    func similar() {
        #expect(excerpt(#"{"poster_path":1,"posterPath":2}"#, .key("posterPath")) == "2}")
        #expect(excerpt(#"{"x":0,"Poster_Path":1}"#, .key("posterPath")) == "1}")
    }

    @Test("Line ends and control characters don't go on into a log")
    func controls() {
        #expect(excerpt("a\r\nb\tc\u{1B}[31m\u{0}") == "a b c [31m ")
    }

    @Test("An excerpt is cut at its limit and says so")
    func limit() {
        let text = excerpt("[" + String(repeating: "1", count: 500) + "]")
        #expect(text.count == JSONExcerpt.limit + 1 && text.hasSuffix("1…"))
        #expect(!excerpt("[" + String(repeating: "1", count: JSONExcerpt.limit - 2) + "]").hasSuffix("…"))
    }

    @Test(
        "No text makes it fail",
        arguments: [
            "", " ", "{", "[", "\"", "{\"", "{\"a", "{\"a\"", "{\"a\":", "{\"a\\", "[[[[", "]]]]", "{]", "[1,", "{\"b\":1,", "\\",
            "{\"b\\\":1}",
        ])
    func broken(text: String) {
        for path: [Step] in [[], [.key("a")], [.index(1)], [.key("a"), .key("b")], [.index(1), .index(1)]] {
            #expect(JSONExcerpt.text(in: Data(text.utf8), at: path).count <= text.count)
        }
    }
}
