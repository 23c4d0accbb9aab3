import Foundation
import Testing

@testable import NetworkKit

@Suite("Bodies")
struct BodyTests {
    private func chunks(_ texts: String...) -> ChunkSequence { ChunkSequence(texts.map { Data($0.utf8) }) }

    @Test("A request's body knows its length when it can and whether it can be sent again")
    func requestBodies() throws {
        #expect(RequestBody.data(Data("ab".utf8)).length == 2 && RequestBody.data(Data()).isReplayable)
        #expect(RequestBody.json(1).length == nil && RequestBody.json(1).isReplayable)
        #expect(RequestBody.stream(chunks("a")).length == nil && !RequestBody.stream(chunks("a")).isReplayable)
        #expect(RequestBody.stream(chunks("a"), length: 1).length == 1)
        #expect(RequestBody.stream(length: 1) { chunks("a") }.isReplayable)
        let file = URL.temporaryDirectory.appending(path: "networkkit-\(UUID().uuidString)")
        try Data("hello".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(RequestBody.file(file).length == 5 && RequestBody.file(file).isReplayable)
    }

    @Test("A stream is opened once, and one that can be made again as often as it is sent")
    func opening() async throws {
        func open(_ body: RequestBody) async throws(RequestError) -> AsyncReader? {
            guard case .chunks(_, _, let open) = body.content else { return nil }
            return try await open()
        }
        let once = RequestBody.stream(chunks("a", "b"))
        let reader = try await open(once)
        #expect(try await reader?.next() == Data("a".utf8))
        let error = await failure { () async throws(RequestError) in try await open(once) != nil }
        guard case .notReplayable = error else { return #expect(error != nil, "expected notReplayable") }
        let again = RequestBody.stream { chunks("a") }
        for _ in 0..<3 {
            let reader = try await open(again)
            #expect(try await reader?.next() == Data("a".utf8))
            #expect(try await reader?.next() == nil)
        }
    }

    @Test("A body is read once; a second reader is told so")
    func readOnce() async throws {
        let body = ResponseBody(chunks("a", "", "b"))
        let copy = body
        #expect(try await body.collect(upTo: 10) == Data("ab".utf8))
        let collected = await failure { () async throws(RequestError) in try await copy.collect(upTo: 10) }
        guard case .stream = collected else { return #expect(collected != nil, "expected stream") }
        var iterator = body.makeAsyncIterator()
        let iterated = await failure { () async throws(RequestError) in try await iterator.next() }
        guard case .stream = iterated else { return #expect(iterated != nil, "expected stream") }
    }

    @Test("Chunks come in order and never empty")
    func chunked() async throws {
        var seen: [String] = []
        for try await chunk in ResponseBody(chunks("a", "", "", "bc")) { seen.append(String(decoding: chunk, as: UTF8.self)) }
        #expect(seen == ["a", "bc"])
        for try await _ in ResponseBody.empty { Issue.record("an empty body has no chunk") }
    }

    @Test("A declared length over the limit is refused before a byte is read, a longer body as soon as it is", arguments: [0, 1, 4])
    func limit(limit: Int) async throws {
        let declared = await failure { () async throws(RequestError) in try await ResponseBody(Data("hello".utf8)).collect(upTo: limit) }
        guard case .responseTooLarge(let details) = declared else { return #expect(declared != nil, "expected responseTooLarge") }
        #expect(details.limit == limit && details.declared == 5)
        let streamed = await failure { () async throws(RequestError) in
            try await ResponseBody(chunks("he", "llo", "never")).collect(upTo: limit)
        }
        guard case .responseTooLarge(let more) = streamed else { return #expect(streamed != nil, "expected responseTooLarge") }
        #expect(more.limit == limit && more.declared == nil)
        #expect(try await ResponseBody(Data("hello".utf8)).collect(upTo: 5).count == 5)
    }

    @Test("A stream with a limit fails once it is passed")
    func limitedStream() async throws {
        let head = ResponseHead(status: 200, url: url("https://h.test"))
        let response = HTTPResponse(head: head, body: ResponseBody(chunks("ab", "cd", "ef"))).limited(to: 4)
        var iterator = response.body.makeAsyncIterator()
        #expect(try await iterator.next() == Data("ab".utf8))
        #expect(try await iterator.next() == Data("cd".utf8))
        let error = await failure { () async throws(RequestError) in try await iterator.next() }
        guard case .responseTooLarge = error else { return #expect(error != nil, "expected responseTooLarge") }
    }

    @Test("Trailers stay with a body that is there as a whole")
    func trailers() {
        #expect(ResponseBody(Data("a".utf8), trailers: ["X": "1"]).trailers["X"] == "1")
    }

    @Test("Of a failed status at most 64 KiB are kept, and a body that breaks off doesn't hide it")
    func statusErrors() async throws {
        func failed(_ status: HTTPStatus, _ body: ResponseBody) async -> RequestError? {
            let response = HTTPResponse(head: ResponseHead(status: status, url: url("https://h.test")), body: body)
            return await failure { () async throws(RequestError) in try await response.successBody(upTo: 10).0 }
        }
        let long = await failed(500, ResponseBody(Data(repeating: 0x61, count: 100_000)))
        guard case .unexpectedStatusCode = long else { return #expect(long != nil, "expected unexpectedStatusCode") }
        #expect(long?.response?.body.count == 65_536 && long?.response?.isBodyTruncated == true)
        let unauthorized = await failed(401, ResponseBody(Data("no".utf8)))
        guard case .unauthorized = unauthorized else { return #expect(unauthorized != nil, "expected unauthorized") }
        #expect(unauthorized?.response?.text == "no" && unauthorized?.response?.isBodyTruncated == false)
        let broken = await failed(404, ResponseBody(ChunkSequence([Data("ab".utf8)], then: .connection())))
        #expect(broken?.statusCode == 404 && broken?.response?.text == "ab" && broken?.response?.isBodyTruncated == true)
    }
}

/// Chunks that are there, and what ends them.
struct ChunkSequence: AsyncSequence, Sendable {
    typealias Element = Data
    typealias Failure = RequestError

    let chunks: [Data]
    let ending: RequestError?

    init(_ chunks: [Data], then ending: RequestError? = nil) {
        self.chunks = chunks
        self.ending = ending
    }

    func makeAsyncIterator() -> Iterator { Iterator(rest: chunks[...], ending: ending) }

    struct Iterator: AsyncIteratorProtocol {
        var rest: ArraySlice<Data>
        let ending: RequestError?

        mutating func next() async throws(RequestError) -> Data? { try await next(isolation: nil) }

        mutating func next(isolation: isolated (any Actor)?) async throws(RequestError) -> Data? {
            if let ending, rest.isEmpty { throw ending }
            return rest.popFirst()
        }
    }
}
