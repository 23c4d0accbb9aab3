import Foundation
import NetworkKit
import NetworkKitTesting
import Testing

@Suite("Cassettes: which recording is whose")
struct CassetteMatchingTests {
    private let folder = ScratchFolder()

    /// Whether a request is played the recording of another.
    private func plays(_ request: Ask, recordingOf recorded: Ask, _ matching: CassetteMatching = .init()) async throws -> Bool {
        let path = folder.path("\(UUID().uuidString).har")
        _ = try await Cassette(path: path, transport: StubTransport(.text("x"))).client().data(for: recorded).get()
        let playing = try Cassette(path: path, mode: .none, options: .init(matching: matching))
        return await playing.client().data(for: request).error == nil
    }

    private func json(_ text: String) -> Ask {
        Ask(method: HTTPMethod.post, headers: ["Content-Type": "application/json"], body: .data(Data(text.utf8), contentType: nil))
    }

    @Test("Method, path, query and body must be the same; the order of items and members needn't")
    func parts() async throws {
        let ask = Ask(query: ["a": 1, "b": "x y"])
        #expect(try await plays(ask, recordingOf: Ask(query: ["b": "x y", "a": 1])))
        #expect(try await !plays(ask, recordingOf: Ask(query: ["a": 1])))
        #expect(try await !plays(ask, recordingOf: Ask(query: ["a": 1, "b": "x z"])))
        #expect(try await !plays(Ask(path: "other"), recordingOf: Ask()))
        #expect(try await !plays(Ask(method: HTTPMethod.put), recordingOf: Ask()))
        #expect(try await plays(json(#"{"a": 1, "b": [1, "x"]}"#), recordingOf: json(#"{"b":[1.0,"x"],"a":1}"#)))
        #expect(try await !plays(json(#"{"b": [1, 2]}"#), recordingOf: json(#"{"b":[2,1]}"#)))
        let form = Ask(method: HTTPMethod.post, body: .form(["a": 1, "b": 2]))
        #expect(try await plays(form, recordingOf: Ask(method: HTTPMethod.post, body: .form(["b": 2, "a": 1]))))
        #expect(try await !plays(form, recordingOf: Ask(method: HTTPMethod.post)))
    }

    @Test("Ignored items, members and bodies don't count, named fields do")
    func ignored() async throws {
        #expect(try await plays(Ask(query: ["ts": 2]), recordingOf: Ask(query: ["ts": 1]), .init(ignoredQueryItems: ["ts"])))
        #expect(try await plays(Ask(query: ["ts": 2]), recordingOf: Ask(), .init(ignoredQueryItems: ["ts"])))
        let (new, old) = (json(#"{"o":{"nonce":2,"a":1}}"#), json(#"{"o":{"nonce":1,"a":1}}"#))
        #expect(try await !plays(new, recordingOf: old))
        #expect(try await plays(new, recordingOf: old, .init(ignoredBodyKeys: ["nonce"])))
        #expect(try await plays(new, recordingOf: old, .init(comparesBody: false)))
        let (de, fr) = (Ask(headers: ["Accept-Language": "de"]), Ask(headers: ["Accept-Language": "fr"]))
        #expect(try await plays(de, recordingOf: fr))
        #expect(try await !plays(de, recordingOf: fr, .init(fields: [.acceptLanguage])))
    }

    @Test(
        "Numbers are compared exactly, however they are written",
        arguments: [
            ("9007199254740992", "9007199254740993", false), ("18446744073709551615", "18446744073709551614", false),
            ("-9007199254740993", "-9007199254740992", false), ("0.1", "0.10000000000000001", false), ("1", "1.0", true),
            ("100", "1e2", true),
            ("18446744073709551615", "18446744073709551615.0", true), ("1e300", "1e300", true), ("1e300", "2e300", false),
            ("-0", "0", true),
        ])
    func numbers(one: String, other: String, areEqual: Bool) async throws {
        #expect(try await plays(json(#"{"id": [\#(one)]}"#), recordingOf: json(#"{"id": [\#(other)]}"#)) == areEqual)
    }

    @Test("The boundary of a multipart body doesn't count")
    func boundary() async throws {
        func multipart(_ boundary: String) -> Ask {
            let text = "--\(boundary)\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--\(boundary)--\r\n"
            return Ask(
                method: HTTPMethod.post, body: .data(Data(text.utf8), contentType: "multipart/form-data; boundary=\(boundary)"))
        }
        #expect(try await plays(multipart("one"), recordingOf: multipart("two")))
    }

    @Test("Nor does that of one with a binary part")
    func binaryBoundary() async throws {
        func multipart(_ boundary: String, _ bytes: [UInt8]) -> Ask {
            let head = "--\(boundary)\r\nContent-Disposition: form-data; name=\"a\"; filename=\"a\"\r\n\r\n"
            let data = Data(head.utf8) + Data(bytes) + Data("\r\n--\(boundary)--\r\n".utf8)
            return Ask(method: HTTPMethod.post, body: .data(data, contentType: "multipart/form-data; boundary=\"\(boundary)\""))
        }
        #expect(try await plays(multipart("one", [0, 0xFF, 0xD8]), recordingOf: multipart("two", [0, 0xFF, 0xD8])))
        #expect(try await !plays(multipart("one", [0, 0xFF, 0xD8]), recordingOf: multipart("two", [0, 0xFF, 0xD9])))
    }

    @Test("Where nothing fits, the nearest recordings are named with what differs")
    func nearest() async throws {
        let path = folder.path("n.har")
        let recording = try Cassette(path: path, transport: StubTransport(.text("x")))
        for call in [Ask(query: ["page": 1]), json(#"{"o":{"a":[1,2]}}"#)] { _ = await recording.client().data(for: call) }
        let playing = try Cassette(path: path, mode: .none)
        let query = await playing.client().data(for: Ask(query: ["page": 2])).error
        #expect(
            query?.description.contains(
                "GET https://films.test/3/ask?page=1: its query lacks page=1; its query also has page=2") == true)
        #expect(query?.description.contains("record it with the mode .new (this is .none)") == true)
        let body = await playing.client().data(for: json(#"{"o":{"a":[1,3]}}"#)).error
        #expect(body?.description.contains("its body differs at o.a[1]") == true)
        #expect(query?.isRetryable == false)
    }
}
