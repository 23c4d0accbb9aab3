import Foundation
import NetworkKitTesting
import PlatformBase
import Testing

@testable import NetworkKit

@Suite("HTTP archives")
struct HARTests {
    @Test("What is written is read again, binary bodies to the byte")
    func roundTrip() throws {
        let bytes = Data((0...255).map { UInt8($0) })
        var request = HAR.Request(method: "POST", url: "https://h.test/?a=b", headers: [.init(name: "A", value: "1")])
        request.postData = HAR.PostData(bytes, mimeType: "application/octet-stream")
        let response = HAR.Response(status: 200, content: HAR.Content(bytes), error: "cut off")
        let archive = HAR(entries: [HAR.Entry(started: Date(timeIntervalSince1970: 1.5), request: request, response: response)])
        let read = try HAR(json: archive.json)
        #expect(read == archive)
        #expect(read.entries.first?.request.postData?.data == bytes && read.entries.first?.response.content.data == bytes)
        #expect(read.entries.first?.started == Date(timeIntervalSince1970: 1.5))
        let text = String(decoding: archive.json, as: UTF8.self)
        #expect(
            text.contains(#""version" : "1.2""#) && text.contains(#""_encoding" : "base64""#) && text.contains(#""_error" : "cut off""#))
    }

    @Test("One that a browser made is read: more members than asked for, and fewer")
    func browser() throws {
        let json = """
            {"log": {"version": "1.2", "creator": {"name": "WebInspector", "version": "537.36"}, "pages": [], "entries": [{
              "_initiator": {"type": "script"}, "_priority": "High", "_resourceType": "fetch", "cache": {}, "connection": "443",
              "pageref": "page_1", "request": {"method": "GET", "url": "https://h.test/", "httpVersion": "http/2.0",
              "headers": [{"name": ":authority", "value": "h.test"}], "queryString": [], "cookies": [], "headersSize": -1, "bodySize": 0},
              "response": {"status": 200, "statusText": "", "httpVersion": "http/2.0", "headers": [], "cookies": [{"name": "a", "value": "b",
              "path": "/", "expires": "2026-01-01T00:00:00Z", "httpOnly": true}], "content": {"size": 2, "mimeType": "text/html", "text": "hi"},
              "redirectURL": "", "headersSize": -1, "bodySize": -1, "_transferSize": 100, "_error": null},
              "serverIPAddress": "[::1]", "startedDateTime": "2026-02-28T23:59:60.123+05:30", "time": 12.5,
              "timings": {"blocked": 1, "dns": -1, "ssl": -1, "connect": -1, "send": 0.1, "wait": 10, "receive": 1.4, "_queued": 1}},
              {"request": {"method": "GET", "url": "u"}, "response": {"status": 0}}]}}
            """
        let archive = try HAR(json: Data([0xEF, 0xBB, 0xBF]) + Data(json.utf8))
        #expect(archive.log.creator.name == "WebInspector" && archive.entries.count == 2)
        #expect(archive.entries[0].response.content.data == Data("hi".utf8) && archive.entries[0].timings.total == 12.5)
        #expect(archive.entries[1].timings.connect == -1 && archive.entries[1].started == nil)
    }

    @Test("A program that doesn't say its version, or its name, is one all the same", arguments: [#"{"name": "x"}"#, "{}", "null"])
    func creator(json: String) throws {
        let archive = try HAR(json: Data(#"{"log": {"creator": \#(json), "entries": []}}"#.utf8))
        #expect(archive.log.creator.version.isEmpty)
    }

    @Test("A status that is null is an answer that never came; Base64 may stand in lines")
    func lenient() throws {
        let json = #"""
            {"log": {"entries": [
              {"request": {"method": "GET", "url": "a"}, "response": {"status": null}},
              {"request": {"method": "GET", "url": "b"},
               "response": {"status": 200, "content": {"text": "AP8A\r\n /wD/\n", "encoding": "BASE64"}}}]}}
            """#
        let archive = try HAR(json: Data(json.utf8))
        #expect(archive.entries.map(\.response.status) == [0, 200])
        #expect(archive.entries[1].response.content.data == Data([0, 255, 0, 255, 0, 255]))
        let broken = HAR.Content.self
        let content = try JSONDecoder().decode(broken, from: Data(#"{"text": "AP8A!", "encoding": "base64"}"#.utf8))
        #expect(content.data == nil && content.size == 5)
    }

    @Test(
        "A damaged one is an error that says where",
        arguments: [
            ("", ""), ("[]", ""), (#"{"log":{}}"#, "log"), (#"{"log":{"entries":[{}]}}"#, "log.entries[0]"),
            (#"{"log":{"entries":[{"request":{"method":7,"url":""},"response":{"status":1}}]}}"#, "log.entries[0].request.method"),
            (#"{"log":{"entries":["#, ""),
        ])
    func damaged(json: String, place: String) throws {
        let error = try #require(failure { () throws(RequestError) in try HAR(json: Data(json.utf8)) })
        guard case .decode(let details) = error else { return #expect(Bool(false)) }
        #expect(details.codingPath == place && error.description.contains("no HTTP archive"))
    }
}

@Suite("Recording traffic")
struct TrafficRecorderTests {
    @Test("Each hop is an exchange: fields, bodies as they passed by, times; secrets masked, in Base64 too")
    func recorded() async throws {
        try await LoopbackServer.with { routes in
            routes.post("/a") { _ in .status(307, headers: ["Location": "/b?again=hunter22", "Set-Cookie": "sid=crumb5"]) }
            routes.post("/b") { request in .data(Data([0, 255]) + Data("hunter22".utf8), contentType: "application/octet-stream") }
        } perform: { server in
            let recorder = TrafficRecorder()
            let client = TestClient(interceptors: [.recording(recorder)])
            _ = try await client.data(
                for: server.call(
                    "a", .post, query: ["k": .secret("hunter22")],
                    body: .stream(contentType: "text/plain") { [Data("say hunter22".utf8)].async })
            ).get()
            let entries = recorder.archive.entries
            #expect(entries.map(\.response.status) == [307, 200] && entries.map(\.request.method) == ["POST", "POST"])
            #expect(entries[0].request.url.hasSuffix("/a?k=***") && entries[0].request.queryString == [.init(name: "k", value: "***")])
            #expect(entries[0].response.redirectURL == "/b?again=***" && entries[1].request.postData?.text == "say ***")
            #expect(entries[1].response.content.data == Data([0, 255]) + Data("***".utf8) && entries[1].response.content.size == 10)
            #expect(entries[1].response.httpVersion == "HTTP/1.1" && entries[1].time > 0 && entries[1].request.bodySize == 12)
            let text = String(decoding: recorder.archive.json, as: UTF8.self)
            #expect(!text.contains("hunter22") && !text.contains("crumb5"))
        }
    }

    @Test("Interim answers are kept, secrets in them masked, and read again")
    func interim() async throws {
        let recorder = TrafficRecorder()
        let answer = StubAnswer.text("ok").interim(103, ["Link": "</hunter22.css>"]).interim(102)
        let session = HTTPSession(transport: StubTransport(answer), interceptors: [.recording(recorder)])
        _ = try await NetworkClient(session: session).data(for: SampleEndpoint(query: ["k": .secret("hunter22")])).get()
        let known = [HAR.Interim(status: 103, headers: [.init(name: "Link", value: "</***.css>")]), HAR.Interim(status: 102)]
        #expect(try HAR(json: recorder.archive.json).entries.map(\.response.interim) == [known])
    }

    @Test("A body that was kept in part shows no secret's beginning; one that came as a whole is left as it is")
    func cutInSecret() async throws {
        let transport = StubTransport { request throws(RequestError) in
            HTTPResponse(head: ResponseHead(status: 200, url: request.url), body: ResponseBody(Data("got hunter22".utf8)))
        }
        for (limit, sent, came) in [(9, "say ***", "got ***"), (100, "say hunter2", "got ***")] {
            let recorder = TrafficRecorder(bodyLimit: limit)
            let client = NetworkClient(session: HTTPSession(transport: transport, interceptors: [.recording(recorder)]))
            _ = try await client.data(
                for: SampleEndpoint(
                    method: .post, headers: ["X-Key": .secret("hunter22")], body: .data(Data("say hunter2".utf8), contentType: "text/plain")
                )
            ).get()
            let entry = try #require(recorder.archive.entries.first)
            #expect(entry.request.postData?.text == sent && entry.response.content.text == came)
            #expect(entry.response.content.size == 12 && entry.request.bodySize == 11)
            #expect((entry.response.content.comment == nil) == (limit == 100) && (entry.request.postData?.comment == nil) == (limit == 100))
            #expect(entry.response.content.isPartial == (limit == 100 ? nil : true))
        }
    }

    @Test("Of a compressed body is kept what it was before, secrets masked; of one that can't be read nothing", arguments: [1000, 20])
    func compressed(limit: Int) async throws {
        let text = String(repeating: "key=hunter22;", count: 30)
        let recorder = TrafficRecorder(bodyLimit: limit)
        let session = HTTPSession(
            transport: StubTransport(.text("ok")), interceptors: [.requestCompression(over: 10), .recording(recorder)])
        let client = NetworkClient(session: session)
        func body(_ bytes: Data) -> RequestBody { .data(bytes, contentType: "text/plain").hiding("hunter22") }
        _ = try await client.data(for: SampleEndpoint(method: .post, body: body(Data(text.utf8)))).get()
        let foreign: HTTPFields = ["Content-Encoding": "br"]
        _ = try await client.data(for: SampleEndpoint(method: .post, headers: foreign, body: body(Data([0xFF]) + Data(text.utf8)))).get()
        let entries = recorder.archive.entries
        let kept = try #require(entries[0].request.postData)
        #expect(HTTPFields(entries[0].request.headers)[.contentEncoding] == "gzip" && kept.encoding == nil)
        #expect(limit == 20 || kept.text == text.replacing("hunter22", with: "***"))
        #expect(entries[1].request.postData?.text == "" && entries[1].request.postData?.comment?.contains("can't be decoded") == true)
        #expect(!String(decoding: recorder.archive.json, as: UTF8.self).contains("hunter22"))
    }

    @Test("Its dates are those of the session's clock")
    func dates() async throws {
        let recorder = TrafficRecorder()
        let clock = TestClock(date: Date(timeIntervalSince1970: 1_000_000_000))
        let session = HTTPSession(transport: StubTransport(.text("ok")), interceptors: [.recording(recorder)], clock: clock)
        _ = try await NetworkClient(session: session).data(for: SampleEndpoint()).get()
        #expect(recorder.archive.entries.first?.started == Date(timeIntervalSince1970: 1_000_000_000))
    }

    @Test("A call that fails is an exchange without an answer; what is too much is let go of")
    func failed() async throws {
        let recorder = TrafficRecorder(bodyLimit: 2, limit: 2)
        let transport = StubTransport { request throws(RequestError) in
            if request.url.path == "/down" { throw .connection(.init(.init(kind: .refused), reason: "nobody there")) }
            return HTTPResponse(head: ResponseHead(status: 200, url: request.url), body: ResponseBody(Data("abcd".utf8)))
        }
        let client = NetworkClient(session: HTTPSession(transport: transport, interceptors: [.recording(recorder)]))
        for path in ["one", "two", "down"] as [Path] { _ = await client.data(for: SampleEndpoint(path: path)) }
        let entries = recorder.archive.entries
        #expect(entries.map(\.request.url) == ["https://api.example.com/two", "https://api.example.com/down"])
        #expect(entries[0].response.content.text == "ab" && entries[0].response.content.comment == "the first 2 bytes")
        #expect(entries[1].response.status == 0 && entries[1].response.error == "connection (refused): nobody there")
        recorder.removeAll()
        #expect(recorder.archive.entries.isEmpty)
    }
}

extension Array where Element == Data {
    /// The chunks as a sequence that is awaited.
    fileprivate var async: AsyncStream<Data> {
        AsyncStream { stream in
            for chunk in self { stream.yield(chunk) }
            stream.finish()
        }
    }
}
