import Foundation
import NetworkKit
import NetworkKitTesting
import Testing

@Suite("Cassettes")
struct CassetteTests {
    private let folder = ScratchFolder()
    private let server = StubTransport {
        $0.get("film/:id") { .json(Film(id: Int($0.parameters["id"] ?? "") ?? 0, title: "take \($0.occurrence)")) }
        $0.get("bytes", .data(Data([0xFF, 0x00, 0xFE]), contentType: "image/x", headers: ["A": "1"]).adding(["A": "2"]))
        $0.any("ask") { .text("\($0.text) \($0.query ?? "")") }
        $0.get("moved", .redirect(to: "/3/film/7"))
        $0.get("cut", .text("abcdef").cut(afterBodyBytes: 3))
        $0.get("none", .connection(.refused))
    }

    private func cassette(
        _ name: String = "a.har", _ mode: Cassette.Mode = .once, _ options: Cassette.Options = .init()
    ) throws(RequestError) -> Cassette {
        try Cassette(path: folder.path(name), mode: mode, options: options, transport: server)
    }

    @Test("What was recorded once is played from then on, each exchange once and in order")
    func once() async throws {
        let recording = try cassette()
        for take in ["take 1", "take 2"] { #expect(try await recording.client().send(GetFilm(id: 7)).get().title == take) }
        #expect(server.requests.count == 2)
        let playing = try cassette()
        for take in ["take 1", "take 2"] { #expect(try await playing.client().send(GetFilm(id: 7)).get().title == take) }
        let error = try #require(await playing.client().send(GetFilm(id: 7)).error)
        #expect(error.description.contains("has 2 recordings of GET https://films.test/3/film/7, and all have been played"))
        #expect(server.requests.count == 2)
        let again = try cassette("a.har", .none, .init(repeats: true))
        for take in ["take 1", "take 2", "take 2"] { #expect(try await again.client().send(GetFilm(id: 7)).get().title == take) }
    }

    @Test("The modes: none records nothing, all replaces, new adds")
    func modes() async throws {
        #expect { try cassette("a.har", .none) } throws: { "\($0)".contains("run the test once with .once") }
        _ = await (try cassette("a.har", .once)).client().send(GetFilm(id: 1))
        #expect(await (try cassette("a.har", .once)).client().send(GetFilm(id: 2)).error != nil)
        let new = try cassette("a.har", .new)
        #expect(try await new.client().send(GetFilm(id: 1)).get().title == "take 1")
        #expect(try await new.client().send(GetFilm(id: 2)).get().title == "take 2")
        #expect(try new.archive.entries.map(\.request.url).map { $0.suffix(1) } == ["1", "2"])
        let all = try cassette("a.har", .all)
        #expect(try await all.client().send(GetFilm(id: 3)).get().title == "take 3")
        #expect(try all.archive.entries.count == 1)
    }

    @Test("Trailers and interim answers come back as they were, secrets in them masked", arguments: [true, false])
    func ends(isValue: Bool) async throws {
        let server = StubTransport {
            $0.get(
                "ask",
                .chunks(["a", "b"]).trailers(["X-Sum": "42", "X-Token": "trailing-secret"])
                    .interim(103, ["Link": "</a.css>"]).interim(103, ["X-Token": "hinted-secret"]))
        }
        var options = Cassette.Options()
        options.masking.fields.insert("X-Token")
        let path = folder.path("ends-\(isValue).har")
        for round in ["recorded", "played"] {
            let client = try Cassette(path: path, options: options, transport: server).client()
            if isValue {
                #expect(try await client.data(for: Ask()).get() == Data("ab".utf8))
            } else {
                let response = try await client.response(for: Ask()).get()
                #expect(try await response.body.collect(upTo: 10) == Data("ab".utf8))
                #expect(response.interim.map(\.status) == [103, 103] && response.interim.first?.headers["Link"] == "</a.css>", "\(round)")
                #expect(response.body.trailers["X-Sum"] == "42", "\(round)")
            }
        }
        #expect(server.requests.count == 1)
        let archive = try HAR(json: Data(contentsOf: URL(filePath: path)))
        let response = try #require(archive.entries.first?.response)
        #expect(response.trailers?.map(\.name) == ["X-Sum", "X-Token"] && response.interim?.map(\.status) == [103, 103])
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains("\"_trailers\"") && text.contains("\"_interim\"") && !text.contains("secret"))
    }

    @Test("Binary bodies, repeated fields, redirects and failures come back as they were")
    func faithful() async throws {
        let recording = try cassette()
        let calls: [Ask] = ["bytes", "moved", "cut", "ask"].map { Ask(path: Path($0)) }
        var recorded: [Result<Data, RequestError>] = []
        for call in calls { recorded.append(await recording.client().data(for: call)) }
        #expect(recorded[2].error?.kind == .truncated)
        let playing = try cassette("a.har", .none)
        for (call, known) in zip(calls, recorded) {
            let played = await playing.client().data(for: call)
            #expect(played.error?.kind == known.error?.kind)
            if case .success(let data) = known { #expect(try played.get() == data) }
        }
        let entry = try #require(try playing.archive.entries.first)
        #expect(entry.response.content.encoding == "base64" && entry.response.content.size == 3)
        #expect(entry.response.headers.filter { $0.name == "A" }.map(\.value) == ["1", "2"])
        #expect(try playing.archive.entries.map(\.response.status) == [200, 302, 200, 200, 200])
        #expect(await recording.client().data(for: Ask(path: "none")).error?.kind == .refused)
        #expect(try recording.archive.entries.count == 5)
    }

    @Test("A streamed answer comes in the pieces in which it came, and paced at its times by the session's clock")
    func streams() async throws {
        let clock = TestClock()
        let server = StubTransport(.chunks(["data: 1\n", "\n", "data: 2\n"]).pausing(.seconds(2)).delayed(by: .seconds(5)))
        let path = folder.path("s.har")
        let recording = try Cassette(path: path, transport: server)
        async let recorded = recording.client(clock: clock).response(for: GetFilm(id: 1))
        await clock.advance(through: .seconds(5))
        let body = try await recorded.get().body
        async let pieces = body.reduce(into: [Data]()) { $0.append($1) }
        for _ in 0..<2 { await clock.advance(through: .seconds(2)) }
        let known = try await pieces
        #expect(known.count == 3)
        #expect(try recording.archive.entries[0].response.content.chunks?.map(\.time) == [0, 2000, 4000])
        #expect(try recording.archive.entries[0].time == 9000)

        let atOnce = try await Cassette(path: path).client(clock: TestClock()).response(for: GetFilm(id: 1)).get().body
        #expect(try await atOnce.reduce(into: []) { $0.append($1) } == known)

        let slow = try Cassette(path: path, options: .init(isPaced: true))
        async let played = slow.client(clock: clock).response(for: GetFilm(id: 1))
        await clock.advance(through: .seconds(5))
        let paced = try await played.get().body
        async let again = paced.reduce(into: [Data]()) { $0.append($1) }
        for _ in 0..<2 { await clock.advance(through: .seconds(2)) }
        #expect(try await again == known)
    }

    @Test("An answer that has no body keeps the length of the one it tells of")
    func bodyless() async throws {
        let server = StubTransport {
            $0.any("head") { _ in .status(200, headers: ["Content-Length": "512"]) }
            $0.get("same", .status(304, headers: ["Content-Length": "99"]))
        }
        let path = folder.path("bodyless.har")
        for _ in 0..<2 {
            let client = try Cassette(path: path, transport: server).client()
            let head = try await client.response(for: Ask(path: "head", method: HTTPMethod.head)).get()
            #expect(try await head.body.collect(upTo: 10).isEmpty && head.headers[.contentLength] == "512")
            let same = try await client.response(for: Ask(path: "same", headers: ["If-None-Match": "\"1\""])).get()
            #expect(try await same.body.collect(upTo: 10).isEmpty)
            #expect(same.status == 304 && same.headers[.contentLength] == "99")
        }
        #expect(server.requests.count == 2)
    }

    @Test("Times that no clock can show are no times", arguments: ["1e300", "-1e300", "1e18"])
    func farTimes(time: String) async throws {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let text = #"""
            {"log": {"entries": [{"request": {"method": "GET", "url": "https://films.test/3/film/1"}, "timings": {"wait": TIME},
              "response": {"status": 200, "content": {"text": "abc", "_chunks": [{"size": 1, "time": 0}, {"size": 1, "time": TIME},
              {"size": 1, "time": -1e300}]}}}]}}
            """#
        try Data(text.replacing("TIME", with: time).utf8).write(to: URL(filePath: folder.path("far.har")))
        let clock = TestClock()
        let playing = try cassette("far.har", .none, .init(isPaced: true))
        let patient = HTTPSession(transport: playing, defaults: .init(timeout: .seconds(100 * 86_400)), clock: clock)
        async let played = NetworkClient(session: patient).response(for: GetFilm(id: 1))
        if !time.hasPrefix("-") { await clock.advance(through: .seconds(31 * 86_400)) }
        let body = try await played.get().body
        async let pieces = body.reduce(into: Data()) { $0 += $1 }
        if !time.hasPrefix("-") { await clock.advance(through: .seconds(31 * 86_400)) }
        #expect(try await pieces == Data("abc".utf8))
    }

    @Test("A body that its reader let go of is recorded as far as it was read, and never plays as a whole one")
    func letGo() async throws {
        let path = folder.path("s.har")
        let server = StubTransport(.chunks(["a", "b"]))
        var recording: Cassette? = try Cassette(path: path, transport: server)
        do {
            let response = try await #require(recording).client().response(for: GetFilm(id: 1)).get()
            for try await chunk in response.body {
                #expect(chunk == Data("a".utf8))
                break
            }
        }
        recording = nil
        while !FileManager.default.fileExists(atPath: path) { await Task.yield() }
        let error = await (try Cassette(path: path)).client().data(for: GetFilm(id: 1)).error
        #expect(error?.kind == .truncated)
    }

    @Test("Requests at once are all recorded, and all played")
    func concurrent() async throws {
        for mode in [Cassette.Mode.once, .none] {
            let client = (try cassette("c.har", mode)).client()
            let ids = try await withThrowingTaskGroup(of: Int.self) { group in
                for id in 0..<50 { group.addTask { try await client.send(GetFilm(id: id)).get().id } }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(ids == Set(0..<50))
        }
        #expect(try cassette("c.har").archive.entries.count == 50)
    }

    @Test("A damaged file, and one that can't be written, are named, with what to do")
    func badFiles() async throws {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        for text in ["", "{", "{}", #"{"log": {"entries": [{"request": {}}]}}"#, "[1]"] {
            try Data(text.utf8).write(to: URL(filePath: folder.path("bad.har")))
            #expect { try cassette("bad.har") } throws: {
                "\($0)".contains("bad.har") && "\($0)".contains("record it anew")
            }
        }
        let blocked = try Cassette(path: folder.path("bad.har/below.har"), transport: server)
        let error = try #require(await blocked.client().send(GetFilm(id: 1)).error)
        guard case .file(let details) = error else { return #expect(Bool(false), "expected file, got \(error)") }
        #expect(details.reason.contains("bad.har/below.har") && details.reason.contains("make it writable"))
    }

    @Test("An archive that a browser made is played: coded on the wire, decoded in the file, with pseudo fields")
    func browser() async throws {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let text = """
            \u{FEFF}{"log": {"version": "1.2", "creator": {"name": "WebInspector", "version": "537.36"}, "pages": [], "entries": [
             {"_initiator": {"type": "script"}, "_priority": "High", "cache": {}, "connection": "1", "pageref": "page_1",
              "request": {"method": "GET", "url": "https://films.test/3/film/7", "httpVersion": "http/2.0", "headersSize": -1,
               "bodySize": 0, "cookies": [], "queryString": [],
               "headers": [{"name": ":authority", "value": "films.test"}, {"name": "accept", "value": "*/*"}]},
              "response": {"status": 200, "statusText": "", "httpVersion": "http/2.0", "_error": null, "_transferSize": 60,
               "headers": [{"name": ":status", "value": "200"}, {"name": "content-encoding", "value": "gzip"},
                {"name": "content-length", "value": "9"}, {"name": "content-type", "value": "application/json"}],
               "cookies": [], "content": {"size": 27, "mimeType": "application/json", "text": "{\\"id\\":7,\\"title\\":\\"Browsed\\"}"},
               "redirectURL": "", "headersSize": -1, "bodySize": -1},
              "serverIPAddress": "192.0.2.1", "startedDateTime": "2026-01-01T00:00:00.000Z", "time": 12.5,
              "timings": {"blocked": 1, "dns": -1, "ssl": -1, "connect": -1, "send": 0.1, "wait": 11, "receive": 0.4}},
             {"request": {"method": "GET", "url": "https://films.test/3/film/8"}, "response": {"status": 0, "_error": "net::ERR_FAILED"}}
            ]}}
            """
        try Data(text.utf8).write(to: URL(filePath: folder.path("browser.har")))
        let client = try cassette("browser.har", .none).client()
        let reply = try await client.reply(to: GetFilm(id: 7)).get()
        #expect(reply.value.title == "Browsed" && !reply.head.headers.contains(.contentEncoding))
        #expect(!reply.head.headers.contains(":status") && !reply.head.headers.contains(.contentLength))
        #expect(await client.send(GetFilm(id: 8)).error?.kind == .other)
    }

    @Test("A recording by name is beside the source")
    func byName() {
        #expect { try Cassette("none-such", mode: .none) } throws: {
            "\($0)".contains("NetworkKitTestingTests/Cassette/Cassettes/none-such.har")
        }
    }
}
