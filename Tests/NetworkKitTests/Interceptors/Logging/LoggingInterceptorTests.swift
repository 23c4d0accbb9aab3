import Foundation
import NetworkKitTesting
import PlatformBase
import Testing

@testable import NetworkKit

@Suite("Logging")
struct LoggingInterceptorTests {
    private let entries = Recorder<LogEntry>()
    private var sink: LogSink { LogSink { [entries] in entries.add($0) } }

    /// A client whose transport answers by a function, on a clock that stands still unless it is turned.
    private func client(
        _ sink: LogSink, level: LogLevel = .line, further: [any Interceptor] = [], clock: TestClock = TestClock(),
        _ answer: @escaping @Sendable (HTTPRequest) throws(RequestError) -> HTTPResponse
    ) -> NetworkClient {
        NetworkClient(
            session: HTTPSession(
                transport: StubTransport(answer), interceptors: [.logging(level: level, sink: sink)] + further, clock: clock))
    }

    private func ok(_ request: HTTPRequest, _ body: String = "", _ headers: HTTPFields = [:], status: HTTPStatus = 200) -> HTTPResponse {
        HTTPResponse(head: ResponseHead(status: status, headers: headers, url: request.url), body: ResponseBody(Data(body.utf8)))
    }

    @Test("A call is a line: method, URL, status, size, time; and the name where the endpoint has one")
    func line() async throws {
        let clock = TestClock()
        let sink = sink
        let client = client(sink, clock: clock) { request throws(RequestError) in
            clock.advance(by: .milliseconds(12))
            return ok(request, "hello")
        }
        _ = await client.data(for: SampleEndpoint(path: "a", query: ["key": .secret("hunter22")]))
        _ = await client.data(for: SampleEndpoint(options: .init(name: "root")))
        await sink.flush()
        #expect(
            entries.values.map(\.text) == [
                "GET https://api.example.com/a?key=*** → 200 OK, 5 bytes, 12.0 ms",
                "root: GET https://api.example.com → 200 OK, 5 bytes, 12.0 ms",
            ])
        #expect(entries.values.first?.duration == .milliseconds(12) && entries.values.first?.isFailure == false)
    }

    @Test("An entry's date is that of the session's clock")
    func date() async {
        let clock = TestClock(date: Date(timeIntervalSince1970: 1_000_000_000))
        let sink = sink
        let client = client(sink, clock: clock) { request throws(RequestError) in ok(request) }
        _ = await client.data(for: SampleEndpoint())
        await sink.flush()
        #expect(entries.values.map(\.date) == [Date(timeIntervalSince1970: 1_000_000_000)])
    }

    @Test("A redirect's hops are counted, and a cache that says something is quoted (RFC 9211)")
    func attempts() async {
        let sink = sink
        let client = client(sink) { request throws(RequestError) in
            if request.url.path == "/a" { return ok(request, "", ["Location": "/b"], status: 302) }
            return ok(request, "x", ["Cache-Status": "Origin; hit", "cache-status": "Edge; fwd=miss; stored, Near; hit; ttl=30"])
        }
        _ = await client.data(for: SampleEndpoint(path: "a"))
        await sink.flush()
        #expect(entries.values.first?.text.hasSuffix("200 OK, 1 bytes, 0.0 ms, 2 attempts, cache hit") == true)
        #expect(entries.values.first?.attempts.map(\.status) == [302, 200])
        #expect(entries.values.first?.cacheTimeToLive == .seconds(30))
    }

    @Test("An answer with hundreds of cookies is logged with none of them, and what must be known to mask them is found out once")
    func manyCookies() async {
        let sink = sink
        let count = 500
        let cookies = HTTPFields((0..<count).map { HTTPField(name: .setCookie, value: "c=\($0)-s3cret") })
        let client = client(sink, level: .bodies(limit: 1 << 20)) { request throws(RequestError) in
            ok(request, (0..<count).map { "\($0)-s3cret" }.joined(separator: "\n"), cookies)
        }
        _ = await client.data(for: SampleEndpoint(path: "7-s3cret"))
        await sink.flush()
        let lines = entries.values.first?.text.split(separator: "\n") ?? []
        #expect(lines.first?.contains("https://api.example.com/*** → 200") == true)
        #expect(lines.filter { $0 == "  < Set-Cookie: ***" }.count == count && lines.filter { $0 == "  < ***" }.count == count)
    }

    @Test("A call that fails says why, without its secrets; an error of another type too")
    func failures() async {
        struct Foreign: Error, CustomStringConvertible { let description: String }
        let sink = sink
        let client = client(sink) { request throws(RequestError) in
            if request.url.path == "/foreign" { throw .interceptor(Foreign(description: "no hunter22\nhere")) }
            if request.url.path == "/status" { return ok(request, "gone", status: 410) }
            throw .connection(.init(.init(kind: .refused), reason: "nobody there for hunter22"))
        }
        for path in ["x", "foreign", "status"] as [Path] {
            _ = await client.data(for: SampleEndpoint(path: path, headers: ["X-Key": .secret("hunter22")]))
        }
        await sink.flush()
        #expect(
            entries.values.map(\.text) == [
                "GET https://api.example.com/x failed after 0.0 ms: connection (refused): nobody there for ***",
                "GET https://api.example.com/foreign failed after 0.0 ms: interceptor: no *** here",
                "GET https://api.example.com/status → 410 Gone, 4 bytes, 0.0 ms",
            ])
        #expect(entries.values.map(\.isFailure) == [true, true, true])
    }

    @Test("A body that isn't the model has a second line, though the stack doesn't see it")
    func decoding() async {
        let sink = sink
        let client = client(sink) { request throws(RequestError) in ok(request, #"{"id":"hunter22"}"#) }
        _ = await client.sendRequest(endpoint: SampleEndpoint(headers: ["X-Key": .secret("hunter22")]), responseModel: Item.self)
        await sink.flush()
        #expect(entries.values.count == 2)
        #expect(entries.values.last?.text.contains("was answered, but not read: decode at id expecting Int") == true)
        #expect(entries.values.allSatisfy { !everythingShown(of: $0).contains("hunter22") })
    }

    @Test("Only failures, where only they are asked for")
    func onlyFailures() async {
        let sink = sink
        let client = client(sink, level: .failures) { request throws(RequestError) in
            ok(request, status: request.url.path == "/bad" ? 500 : 200)
        }
        for path in ["", "bad"] as [Path] { _ = await client.data(for: SampleEndpoint(path: path)) }
        await sink.flush()
        #expect(entries.values.map(\.status) == [500])
    }

    @Test("Fields and bodies are below the line: masked, bounded, and nothing in them that a terminal obeys")
    func bodies() async {
        let sink = sink
        let client = client(sink, level: .bodies(limit: 13)) { request throws(RequestError) in
            ok(request, "one\n\u{1B}[2Jhunter22 and more", ["Set-Cookie": "sid=crumb5", "X-Echo": "hunter22"])
        }
        _ = await client.data(
            for: SampleEndpoint(
                method: .post, headers: ["X-Key": .secret("hunter22")], body: .data(Data("say hunter22".utf8), contentType: "text/plain")))
        await sink.flush()
        let text = entries.values.first?.text ?? ""
        #expect(text.contains("\n  > X-Key: ***\n") && text.contains("\n  > say ***\n"))
        #expect(text.contains("\n  < Set-Cookie: ***\n  < X-Echo: ***\n  < one\n  <  [2J***\n  < … (12 bytes more)"))
        #expect(text.contains("bytes more)") && !text.contains("\u{1B}") && !text.contains("hunt"))
    }

    @Test("A secret of several lines, or with control characters, is masked as a whole", arguments: ["\n", "\r\n", "\t\u{1B}"])
    func manyLines(end: String) async {
        let pem = ["-----BEGIN KEY-----", "c3VwZXJzZWNyZXQ", "-----END KEY-----"].joined(separator: end)
        let sink = sink
        let client = client(sink, level: .bodies(limit: 1000)) { request throws(RequestError) in ok(request, "first\nkey=\(pem);\nlast") }
        _ = await client.data(
            for: SampleEndpoint(method: .post, body: .data(Data("a \(pem) b".utf8), contentType: "text/plain").hiding(pem)))
        await sink.flush()
        let text = entries.values.first?.text ?? ""
        #expect(text.contains("\n  > a *** b\n") && text.hasSuffix("\n  < first\n  < key=***;\n  < last"), "\(text)")
    }

    @Test("A body whose end isn't known to have come shows no secret's beginning", arguments: [true, false])
    func cutOff(isUpload: Bool) async {
        let sink = sink
        let client = client(sink, level: .bodies(limit: 100)) { request throws(RequestError) in
            let broken = BrokenChunks(first: Data("and hunt".utf8))
            return HTTPResponse(head: ResponseHead(status: 200, url: request.url), body: ResponseBody(broken))
        }
        let upload = RequestBody.stream(contentType: "text/plain") { BrokenChunks(first: Data("say hunt".utf8)) }
        let response = await client.response(
            for: SampleEndpoint(method: .post, headers: ["X-Key": .secret("hunter22")], body: isUpload ? upload : nil))
        if case .success(let response) = response {
            do { for try await _ in response.body {} } catch {}
        }
        await sink.flush()
        let text = entries.values.first?.text ?? ""
        #expect(text.contains(isUpload ? "\n  > say ***" : "\n  < and ***") && !text.contains("hunt"), "\(text)")
    }

    @Test("A stream's line is written when its body ends, and the log reads nothing that the caller hasn't")
    func stream() async throws {
        let asked = Recorder<Int>()
        let sink = sink
        let client = client(sink, level: .bodies(limit: 100)) { request throws(RequestError) in
            HTTPResponse(head: ResponseHead(status: 200, url: request.url), body: ResponseBody(CountedChunks(count: 3, asked: asked)))
        }
        let response = try await client.response(for: SampleEndpoint()).get()
        await sink.flush()
        #expect(asked.values.isEmpty && entries.values.isEmpty)
        for try await _ in response.body {}
        await sink.flush()
        #expect(entries.values.count == 1 && entries.values.first?.bodySize == 3)
    }

    @Test("A stream that is let go of has its line then")
    func letGo() async throws {
        let sink = sink
        let client = client(sink) { request throws(RequestError) in
            HTTPResponse(head: ResponseHead(status: 200, url: request.url), body: ResponseBody(CountedChunks(count: 3, asked: Recorder())))
        }
        for reads in 0...1 {
            var iterator = try await client.response(for: SampleEndpoint()).get().body.makeAsyncIterator()
            for _ in 0..<reads { _ = try await iterator.next() }
        }
        let discarded = try await client.response(for: SampleEndpoint()).get()
        discarded.body.discard()
        await sink.flush()
        #expect(entries.values.map(\.bodySize) == [0, 1, 0])
        #expect(entries.values.allSatisfy { $0.text.contains("and the rest let go of") })
    }

    @Test("A sink that blocks or throws harms no request, and what it can't take is counted")
    func badSinks() async throws {
        let gate = Recorder<Int>()
        let isOpen = Lock(false)
        let blocked = LogSink { _ in
            gate.add(1)
            while !isOpen.withLock({ $0 }) { usleep(1000) }
        }
        let throwing = LogSink { _ in throw CancellationError() }
        let client = NetworkClient(
            session: HTTPSession(
                transport: StubTransport { request throws(RequestError) in ok(request, "x") },
                interceptors: [.logging(sink: blocked), .logging(sink: throwing)]))
        for _ in 0..<5000 { #expect(try await client.data(for: SampleEndpoint()).get().count == 1) }
        #expect(blocked.lostEntries > 0)
        isOpen.withLock { $0 = true }
        await blocked.flush()
        await throwing.flush()
        #expect(throwing.lostEntries == 0)
    }

    @Test("Logging needs no task for a deadline, and says what it does")
    func stock() {
        let interceptor: any Interceptor = .logging(sink: .none)
        #expect(interceptor is any StockInterceptor)
        #expect(interceptor.describe(HTTPRequest(url: url("https://h.test"))) == "writes a line")
    }
}

/// Chunks of one byte, which remembers how many were asked for.
struct CountedChunks: AsyncSequence, Sendable {
    let count: Int
    let asked: Recorder<Int>
    func makeAsyncIterator() -> Iterator { Iterator(left: count, asked: asked) }
    struct Iterator: AsyncIteratorProtocol {
        var left: Int
        let asked: Recorder<Int>
        mutating func next() async throws(RequestError) -> Data? { try await next(isolation: nil) }
        mutating func next(isolation actor: isolated (any Actor)?) async throws(RequestError) -> Data? {
            guard left > 0 else { return nil }
            asked.add(left)
            left -= 1
            return Data([0x61])
        }
    }
}

/// A chunk, and then a connection that breaks.
private struct BrokenChunks: AsyncSequence, Sendable {
    let first: Data
    func makeAsyncIterator() -> Iterator { Iterator(first: first) }
    struct Iterator: AsyncIteratorProtocol {
        var first: Data?
        mutating func next() async throws(RequestError) -> Data? { try await next(isolation: nil) }
        mutating func next(isolation actor: isolated (any Actor)?) async throws(RequestError) -> Data? {
            guard let chunk = first.take() else { throw .connection(.init(.init(kind: .truncated))) }
            return chunk
        }
    }
}
