import Foundation
import NetworkKit
import Testing

@testable import NetworkKitTesting

@Suite("Cassettes: archives that others made")
struct CassetteArchiveTests {
    private let folder = ScratchFolder()

    /// A cassette on a file with these answers to GETs of `film/1`, `film/2` and so on.
    private func playing(_ answers: String...) throws -> Cassette {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let entries = answers.enumerated().map {
            #"{"request": {"method": "GET", "url": "https://films.test/3/film/\#($0 + 1)"}, "response": \#($1)}"#
        }
        let file = folder.path("\(UUID().uuidString).har")
        try Data(#"{"log": {"entries": [\#(entries.joined(separator: ","))]}}"#.utf8).write(to: URL(filePath: file))
        return try Cassette(path: file, mode: .none)
    }

    @Test(
        "A body that wasn't kept, or isn't what it says it is, fails and names the entry",
        arguments: [
            (#"{"status": 200, "content": {"size": 27, "comment": "too large"}}"#, "its body of 27 bytes wasn't kept (too large)"),
            (#"{"status": 200, "content": {"text": "AP8A!", "encoding": "base64"}}"#, "its body isn't the Base64"),
        ])
    func unplayable(answer: String, reason: String) async throws {
        let cassette = try playing(#"{"status": 204}"#, answer)
        #expect(await cassette.client().data(for: GetFilm(id: 1)).error == nil)
        let error = try #require(await cassette.client().data(for: GetFilm(id: 2)).error)
        #expect(error.description.contains("entry 2, GET https://films.test/3/film/2, can't be played: \(reason)"))
        #expect(!error.isRetryable)
    }

    @Test("Base64 may stand in lines, an empty body needs no text, and one that has none may tell of its size")
    func playable() async throws {
        let cassette = try playing(
            #"{"status": 200, "content": {"size": 3, "text": "AP\r\n8A\n", "encoding": "base64"}}"#,
            #"{"status": 200, "content": {"size": 0}}"#,
            #"{"status": 304, "content": {"size": 9}}"#)
        #expect(try await cassette.client().data(for: GetFilm(id: 1)).get() == Data([0, 255, 0]))
        #expect(try await cassette.client().data(for: GetFilm(id: 2)).get().isEmpty)
        #expect(try await cassette.client().response(for: GetFilm(id: 3)).get().status == 304)
    }

    @Test("An entry without an answer fails when it is asked for, and spoils no other", arguments: ["null", "0"])
    func unanswered(status: String) async throws {
        let cassette = try playing(#"{"status": \#(status)}"#, #"{"status": 200, "content": {"text": "x"}}"#)
        #expect(try await cassette.client().data(for: GetFilm(id: 2)).get() == Data("x".utf8))
        let error = try #require(await cassette.client().data(for: GetFilm(id: 1)).error)
        #expect(error.description.contains("the recording has no answer"))
    }

    @Test("What a recorder cut at its limit, or nobody read to its end, never plays as a whole body", arguments: [4, 100])
    func partial(limit: Int) async throws {
        let recorder = TrafficRecorder(bodyLimit: limit)
        let session = HTTPSession(transport: StubTransport(.text("abcdefgh")), interceptors: [.recording(recorder)])
        _ = try await NetworkClient(session: session).data(for: GetFilm(id: 1)).get()
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let path = folder.path("recorded.har")
        try recorder.archive.json.write(to: URL(filePath: path))
        let played = await (try Cassette(path: path, mode: .none)).client().data(for: GetFilm(id: 1))
        if limit == 100 {
            #expect(try played.get() == Data("abcdefgh".utf8))
        } else {
            #expect(played.error?.kind == .truncated && played.error?.description.contains("only the first 4 bytes were kept") == true)
        }
    }

    @Test("The environment names a mode, none, or is an error that lists them")
    func environment() throws {
        #expect(try Cassette.Mode.named("all") == .all && Cassette.Mode.named(nil) == nil && Cassette.Mode.named("") == nil)
        #expect { try Cassette.Mode.named("record") } throws: {
            "\($0)".contains("NETWORKKIT_CASSETTES in the environment is \"record\", and can be none, once, all, new")
        }
    }
}
