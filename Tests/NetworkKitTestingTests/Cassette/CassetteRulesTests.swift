import Foundation
import NetworkKit
import Testing

@testable import NetworkKitTesting

@Suite("Cassettes: what the rules name")
struct CassetteRulesTests {
    private let folder = ScratchFolder()

    private func recorded(_ answer: StubAnswer, _ call: Ask = Ask()) async throws -> HAR.Entry {
        let cassette = try Cassette(path: folder.path("\(UUID().uuidString).har"), transport: StubTransport(answer))
        _ = await cassette.client([.redirects(.manual)]).data(for: call)
        return try #require(try cassette.archive.entries.first)
    }

    @Test(
        "Members are found however they are spelled, and whatever the body is",
        arguments: [
            (
                "application/json", #"{"accessToken": "aaaaaaaa", "Refresh-Token":"b", "PASSWORD" : 12, "api_key": "c", "tokens": "d"}"#,
                #"{"accessToken": "***", "Refresh-Token":"***", "PASSWORD" : "***", "api_key": "***", "tokens": "d"}"#
            ),
            (
                "application/json", #"{"access\u005ftoken": "a", "a": ["password"], "b": "password"}"#,
                #"{"access\u005ftoken": "***", "a": ["password"], "b": "password"}"#
            ),
            ("text/event-stream", "data: {\"id_token\": \"a\"}\n\ndata: x\n\n", "data: {\"id_token\": \"***\"}\n\ndata: x\n\n"),
            ("application/x-ndjson", "{\"apiKey\":\"a\"}\n{\"apikey\":\"b\"}\n", "{\"apiKey\":\"***\"}\n{\"apikey\":\"***\"}\n"),
            (
                "text/html", #"A 5" disk <script>var c = {"password": "a"}</script>"#,
                #"A 5" disk <script>var c = {"password": "***"}</script>"#
            ),
            ("text/plain", #"say "password" or "password": no"#, #"say "password" or "password": no"#),
        ])
    func members(type: String, body: String, masked: String) async throws {
        let entry = try await recorded(.data(Data(body.utf8), contentType: type))
        #expect(entry.response.content.text == masked)
    }

    @Test(
        "Items of links are found behind any spelling of their separators",
        arguments: [
            (#"{"next": "/3?page=2\u0026api_key=aaaaaaaa\u0026x=1"}"#, #"{"next": "/3?page=2\u0026api_key=***\u0026x=1"}"#),
            (#"{"next": "\/3?page=2&apiKey\u003daaaa\/aaaa&x=1"}"#, #"{"next": "\/3?page=2&apiKey\u003d***&x=1"}"#),
            ("<a href='/3?page=2&amp;API-KEY=aaaaaaaa&amp;x=1'>", "<a href='/3?page=2&amp;API-KEY=***&amp;x=1'>"),
            ("</3?page=2&#38;access_token=aaaaaaaa>", "</3?page=2&#38;access_token=***>"),
            ("https://app.test/#accessToken=aaaaaaaa&state=1", "https://app.test/#accessToken=***&state=1"),
            ("?api%5Fkey=aaaaaaaa", "?api%5Fkey=***"), ("?api_key=", "?api_key=***"), ("?api_key&x=1", "?api_key&x=1"),
            (#"?a\n&b=1\u00"#, #"?a\n&b=1\u00"#),
            ("a\\", "a\\"), ("?", "?"),
        ])
    func links(text: String, masked: String) async throws {
        let entry = try await recorded(.text(text))
        #expect(entry.response.content.text == masked)
        let (bytes, _) = TapeItems.masking(RuleNames(CassetteMasking.standardQueryItems), inLinks: Array(text.utf8))
        #expect(String(decoding: bytes, as: UTF8.self) == masked)
    }

    @Test("A value that was escaped is known by what it means")
    func values() {
        let (_, values) = TapeItems.masking(RuleNames(["api_key"]), inLinks: Array(#"?api_key=a\/b\u003d\u0026x"#.utf8))
        #expect(values == ["a/b="])
    }

    @Test("Query items and forms are found however they are spelled")
    func items() async throws {
        let call = Ask(
            method: HTTPMethod.post, query: ["accessToken": "aaaaaaaa", "page": 1],
            body: .form(["Password": "bbbbbbbb", "id-token": "c", "d": "e"]))
        let entry = try await recorded(.text("aaaaaaaa bbbbbbbb"), call)
        #expect(entry.request.url == "https://films.test/3/ask?accessToken=***&page=1")
        #expect(entry.request.postData?.text == "Password=***&id-token=***&d=e")
        #expect(entry.response.content.text == "*** ***")
    }

    @Test("Parts of a multipart body are found by their names, and looked into by their types")
    func parts() async throws {
        func body(_ password: String, _ token: String) -> String {
            [
                "--b", "Content-Disposition: form-data; name=\"user\"", "", "jo--b",
                "--b", "content-disposition: form-data; name=\"Password\"", "Content-Type: text/plain", "", "\(password)",
                "--b", "Content-Disposition: form-data; name=meta", "Content-Type: application/json", "", "{\"accessToken\": \"\(token)\"}",
                "--b", "", "no head", "--b--", "",
            ].joined(separator: "\r\n")
        }
        let sent = body("pa55word--b-1", "t0ken-abcd")
        let call = Ask(method: HTTPMethod.post, body: .data(Data(sent.utf8), contentType: "multipart/form-data; boundary=b"))
        let entry = try await recorded(.text("pa55word--b-1 t0ken-abcd"), call)
        #expect(entry.request.postData?.text == body("***", "***"))
        #expect(entry.response.content.text == "*** ***")
        for broken in ["", "--b", "--b\r\n\r\n", "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nabc", "--b--"] {
            let parts = TapeParts.mapping(Array(broken.utf8), boundary: "b") { $0.name == "password" ? Array("***".utf8) : nil }
            #expect(String(decoding: parts, as: UTF8.self) == broken.replacing("abc", with: "***"))
        }
    }

    @Test("A text of nothing but quotes, or separators, takes no longer than its length asks for", .timeLimit(.minutes(1)))
    func quadratic() {
        for (unit, count) in [("\"\\", 60_000), ("\"", 60_000), ("?a", 60_000), ("&\\u0026", 60_000)] {
            let bytes = Array(String(repeating: unit, count: count).utf8)
            // Compared outside of the macro, which looks at every element.
            let asJSON = JSONMembers.masking(RuleNames(["password"]), in: bytes).masked == bytes
            let asLinks = TapeItems.masking(RuleNames(["password"]), inLinks: bytes).masked == bytes
            #expect(asJSON && asLinks)
        }
    }
}
