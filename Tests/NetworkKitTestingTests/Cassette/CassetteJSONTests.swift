import Foundation
import NetworkKit
import Testing

@testable import NetworkKitTesting

@Suite("Cassettes: masked JSON is JSON")
struct CassetteJSONTests {
    private let folder = ScratchFolder()

    @Test("A short cookie, user or key leaves words and numbers of JSON as they are, so that it plays")
    func short() async throws {
        let answer = #"{"adult": true, "none": null, "id": 12345, "pin": 7, "page": "7 of 17, test, true", "at": [1234, 7.5, -7]}"#
        let server = StubTransport { $0.get("ask", .json(answer)) }
        let path = folder.path("short.har")
        let basic = "Basic " + Data("test:pass".utf8).base64EncodedString()
        let calls = [
            Ask(headers: ["Cookie": "consent=true; uid=1234", "Authorization": "\(basic)"]), Ask(query: ["key": .secret(7)]),
            Ask(query: ["q": "none"]),
        ]
        let recording = try Cassette(path: path, transport: server)
        for call in calls { _ = try await recording.client().data(for: call).get() }
        let masked = #"{"adult": true, "none": null, "id": 12345, "pin": "***", "page": "*** of 1***, test, true", "at": [1234, 7.5, -7]}"#
        #expect(try recording.archive.entries.map(\.response.content.text) == Array(repeating: masked, count: 3))
        let playing = try Cassette(path: path, mode: .none)
        for call in calls {
            let data = try await playing.client().data(for: call).get()
            #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: data) }
        }
    }

    @Test("A long cookie and a long part of Basic are masked wherever they stand")
    func long() async throws {
        let basic = "Basic " + Data("jo:long-password".utf8).base64EncodedString()
        let server = StubTransport(.json(#"{"sid": "cookie-of-8", "p": "long-password"}"#))
        let cassette = try Cassette(path: folder.path("long.har"), transport: server)
        _ = await cassette.client().data(for: Ask(headers: ["Cookie": "sid=cookie-of-8", "Authorization": "\(basic)"]))
        #expect(try cassette.archive.entries.first?.response.content.text == #"{"sid": "***", "p": "***"}"#)
    }

    @Test(
        "Secrets are masked in texts, and a number that is one; what isn't JSON, or hides one across several texts, is masked all over",
        arguments: [
            (["7"], #"{"a": 7, "b": 77, "7": "x7"}"#, #"{"a": "***", "b": 77, "***": "x***"}"#), (["true"], "[true]", "[true]"),
            (["true"], #"["true", true]"#, #"["***", true]"#), (["12.5,7.25"], "[12.5,7.25]", "[***]"),
            (["a\",\"b"], #"["a","b"]"#, #"["***"]"#),
            (["line\nend"], #"{"a": "line\nend"}"#, #"{"a": "***"}"#), (["name"], #"["line\name", "name"]"#, #"["***", "***"]"#),
            (["né"], #"["n\u00e9", "né"]"#, #"["***", "***"]"#), (["12"], "{12 oops}", "{*** oops}"), (["abc"], #"["abc"#, #"["***"#),
            (["0xabc12345"], "{0xabc12345}", "{***}"), (["a"], "{\"b\": \"a\"}\n{\"b\": 1}\n", "{\"b\": \"***\"}\n{\"b\": 1}\n"),
            (["a"], "", ""), (["a"], #""a""#, #""***""#), (["a"], #"["","a",""]"#, #"["","***",""]"#),
            (["a"], "\u{FEFF}[\"a\"]", "\u{FEFF}[\"***\"]"),
        ])
    func table(secrets: [String], json: String, masked: String) {
        var values = SecretValues()
        for secret in secrets { values.insert(secret) }
        let result = JSONSecrets.masking(values, in: Array(json.utf8))
        #expect(String(decoding: result, as: UTF8.self) == masked)
        #expect(JSONSecrets.masking(values, in: result) == result)
    }

    @Test("The data of an event is JSON where it is JSON")
    func events() {
        var values = SecretValues()
        for secret in ["7", "two\nlines"] { values.insert(secret) }
        let text = "id: 7\ndata: {\"a\": 7, \"b\": 17}\r\n\ndata: two\nlines\ndata:[7, 70]\n\n"
        let masked = JSONSecrets.masking(values, inEvents: Array(text.utf8))
        #expect(
            String(decoding: masked, as: UTF8.self) == "id: ***\ndata: {\"a\": \"***\", \"b\": 17}\r\n\ndata: ***\ndata:[\"***\", 70]\n\n")
        for text in ["", "\n", "data: {", "a\nb"] {
            #expect(String(decoding: JSONSecrets.masking(values, inEvents: Array(text.utf8)), as: UTF8.self) == text)
        }
    }
}
