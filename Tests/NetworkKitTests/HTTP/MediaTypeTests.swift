import Testing

@testable import NetworkKit

@Suite("Media types")
struct MediaTypeTests {
    @Test(
        "Type, subtype and parameters",
        arguments: [
            ("application/json", "application/json", [:]), (" Text/HTML ; Charset=UTF-8 ", "text/html", ["charset": "UTF-8"]),
            ("a/b;c=\"d;e\\\"f\"; g=h", "a/b", ["c": "d;e\"f", "g": "h"]), ("a/b;c=1;c=2", "a/b", ["c": "1"]),
            ("a/b;;=x;no;ü=1;d=", "a/b", ["d": ""]), ("a/b;c=\"open", "a/b", ["c": "open"]),
            ("application/vnd.api+json;version=2", "application/vnd.api+json", ["version": "2"]),
        ] as [(String, String, [String: String])])
    func parsed(text: String, essence: String, parameters: [String: String]) {
        let type = MediaType(text)
        #expect(type?.essence == essence && type?.parameters == parameters)
    }

    @Test("What has no type and subtype is none", arguments: ["", "json", "a/", "/b", "a/b/c", "a b/c", "a/b c", ";charset=x", "a/ü"])
    func invalid(text: String) {
        #expect(MediaType(text) == nil)
    }

    @Test(
        "JSON by its type",
        arguments: [
            ("application/json", true), ("text/json", true), ("application/problem+JSON; a=b", true), ("application/jsonp", false),
            ("text/html", false), ("application/x-ndjson", false),
        ])
    func isJSON(text: String, expected: Bool) {
        #expect(MediaType(text)?.isJSON == expected)
    }

    @Test("A charset has no case")
    func charset() {
        #expect(MediaType("text/plain; charset=\"ISO-8859-1\"")?.charset == "iso-8859-1")
        #expect(MediaType("text/plain")?.charset == nil)
    }
}
