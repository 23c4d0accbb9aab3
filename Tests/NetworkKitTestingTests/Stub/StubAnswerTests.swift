import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

@Suite("StubTransport: answers")
struct StubAnswerTests {
    private func send(_ answer: StubAnswer) async throws(RequestError) -> HTTPResponse {
        try await StubTransport(answer).send(HTTPRequest(url: sampleURL("https://h.test/a")))
    }

    private func text(_ answer: StubAnswer) async throws -> String {
        String(decoding: try await send(answer).body.collect(upTo: 10_000), as: UTF8.self)
    }

    @Test("A value, a text, bytes and a status become an answer with the type that follows")
    func forms() async throws {
        #expect(try await text(.json(["id": 1])) == #"{"id":1}"#)
        #expect(try await send(.json(Film(id: 1))).headers[.contentType] == "application/json")
        #expect(try await text(.json("{not json")) == "{not json")
        #expect(try await send(.text("a")).headers[.contentType] == "text/plain; charset=utf-8")
        #expect(try await send(.data(Data([1]), headers: ["Content-Type": "a/b"])).headers[values: .contentType] == ["a/b"])
        let response = try await send(.status(404, headers: ["A": "1"]).adding(["A": "2"]).interim(103, ["Link": "x"]))
        #expect(response.status == 404 && response.headers[values: "A"] == ["1", "2"] && response.interim.map(\.status) == [103])
        #expect(response.body.expectedLength == 0)
        #expect(try await send(.redirect(to: "/b")).headers[.location] == "/b")
    }

    @Test("Chunks come one by one, the fields behind them at the end")
    func chunks() async throws {
        let response = try await send(.chunks(["a", "", "bc"]).trailers(["X-Sum": "1"]))
        var seen: [String] = []
        for try await chunk in response.body { seen.append(String(decoding: chunk, as: UTF8.self)) }
        #expect(seen == ["a", "bc"] && response.body.trailers["X-Sum"] == "1" && response.body.expectedLength == nil)
        #expect(response.body.metrics?.bodyBytesReceived == 3)
        let (stream, continuation) = AsyncStream<Data>.makeStream()
        continuation.yield(Data("x".utf8))
        continuation.finish()
        #expect(try await text(.stream(stream, length: 1)) == "x")
    }

    @Test("A failure stands in the place of an answer, and a value that doesn't encode is one")
    func failures() async throws {
        await #expect { try await send(.failure(.unauthorized())) } throws: {
            if case .unauthorized? = $0 as? RequestError { true } else { false }
        }
        await #expect { try await send(.connection(.refused)) } throws: { ($0 as? RequestError)?.kind == .refused }
        await #expect { try await send(.json(Double.infinity)) } throws: {
            if case .encode? = $0 as? RequestError { true } else { false }
        }
    }

    @Test("A body breaks at any byte, in any piece, in the way asked for", arguments: 0...6)
    func faults(at count: Int) async throws {
        let ways: [(StubAnswer, RequestError.Connection.Kind)] = [
            (.text("abcdef").cut(afterBodyBytes: count), .truncated),
            (.chunks(["ab", "cd", "ef"]).resetting(afterBodyBytes: count), .reset),
            (
                .text("abcdef").dripping(bytes: 4, every: .zero)
                    .failing(afterBodyBytes: count, with: .connection(.init(.init(kind: .malformed)))), .malformed
            ),
        ]
        for (answer, kind) in ways {
            var seen = Data()
            do {
                for try await chunk in try await send(answer).body { seen += chunk }
                Issue.record("the body ended well")
            } catch {
                #expect(error.kind == kind)
            }
            #expect(seen == Data("abcdef".utf8).prefix(count))
        }
    }

    @Test("An answer made by hand is given as it is")
    func byHand() async throws {
        let head = ResponseHead(status: 299, url: sampleURL("https://elsewhere.test"))
        let response = try await send(.response(HTTPResponse(head: head, body: ResponseBody(Data("own".utf8)))))
        #expect(response.status == 299 && response.url.host() == "elsewhere.test")
        #expect(try await response.body.collect(upTo: 3) == Data("own".utf8))
    }

    @Test("One line makes a session")
    func oneLine() async throws {
        let client = NetworkClient(session: .stubbed(.status(503), .json(Film(id: 7))))
        #expect(await client.send(GetFilm(id: 7)).error?.statusCode == 503)
        #expect(try await client.send(GetFilm(id: 7)).get() == Film(id: 7))
    }

    @Test("A request is checked, and its body read, also where it is a stream")
    func bodies() async throws {
        let stub = StubTransport(.status(200))
        let chunks = AsyncStream<Data> { continuation in
            for text in ["a", "b"] { continuation.yield(Data(text.utf8)) }
            continuation.finish()
        }
        let request = HTTPRequest(url: sampleURL("https://h.test/"), method: .post, body: .stream(chunks))
        _ = try await stub.send(request)
        #expect(stub.requests.first?.text == "ab")
        await #expect { try await stub.send(request) } throws: { if case .notReplayable? = $0 as? RequestError { true } else { false } }
        let bad = HTTPRequest(url: sampleURL("https://h.test/"), headers: ["A": "b\r\nc"])
        await #expect { try await stub.send(bad) } throws: { if case .encode? = $0 as? RequestError { true } else { false } }
        #expect(stub.requests.count == 2)
    }
}
