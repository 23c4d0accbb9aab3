import NetworkKitTesting
import PlatformBase
import TestSupport
import Testing

@testable import NetworkKit

@Suite("Compression of requests", .timeLimit(.minutes(1)))
struct RequestCompressionTests {
    private static let text = String(repeating: "The quick brown fox jumps over the lazy dog. ", count: 200)
    private let client = TestClient(interceptors: [.requestCompression(), .retry(RetryPolicy(backoff: .constant(.zero)))])

    private struct Order: Encodable { var note: String }

    /// What the system's gzip makes of it.
    private func unzipped(_ data: Data) throws -> Data {
        let (input, output) = (try TemporaryFile(data), try TemporaryFile(Data()))
        let gzip = try #require(Program.gzip)
        let status = try ChildProcess(URL(filePath: "/bin/sh"), ["-c", "'\(gzip.path)' -dc < '\(input.url.path)'"], output: output.url)
            .wait()
        #expect(status == 0)
        return try Data(contentsOf: output.url)
    }

    private func sent(_ body: RequestBody?, _ headers: HTTPFields = [:], by client: TestClient? = nil) async throws -> RecordedRequest {
        try await LoopbackServer.with { routes in
            routes.on(.put, "/") { _ in .text("ok") }
        } perform: { server in
            _ = try await (client ?? self.client).data(for: server.call("/", .put, headers: headers, body: body)).get()
            return try #require(server.requests.first)
        }
    }

    @Test(
        "The system's gzip reads what was sent: bytes and values with a length, files and streams chunked",
        .enabled(if: Program.gzip != nil))
    func wire() async throws {
        let data = Data(Self.text.utf8)
        let file = try TemporaryFile(data)
        let pieces = stride(from: 0, to: data.count, by: 7).map { data.dropFirst($0).prefix(7) }
        let bodies: [(RequestBody, hasLength: Bool)] = [
            (.data(data), true), (.file(file.url), false), (.stream(pieces.stream, length: Int64(data.count)), false),
            (.stream(pieces.stream), false), (.stream { pieces.stream }, false),
        ]
        for (body, hasLength) in bodies {
            let sent = try await sent(body)
            #expect(sent.headers[values: .contentEncoding] == ["gzip"] && sent.headers[.contentType] == "application/octet-stream")
            #expect(sent.headers[values: .contentLength] == (hasLength ? ["\(sent.body.count)"] : []))
            #expect(sent.headers[values: .transferEncoding] == (hasLength ? [] : ["chunked"]))
            #expect(sent.body.count < data.count / 10)
            #expect(try unzipped(sent.body) == data)
        }
        let json = try await sent(.json(Order(note: Self.text)))
        #expect(json.headers[.contentType] == "application/json" && json.headers[.contentEncoding] == "gzip")
        let encoded = try JSONEncoder().encode(Order(note: Self.text))
        #expect(try unzipped(json.body) == encoded)
        let form = try await sent(.multipart(.init([.text("note", Self.text), .file("f", file.url, contentType: "text/plain")])))
        let parts = String(decoding: try unzipped(form.body), as: UTF8.self)
        #expect(parts.components(separatedBy: Self.text).count == 3)
    }

    @Test(
        "A server that isn't ours gets it whole",
        .enabled(if: HTTPBinServer.isInstalled && Program.gzip != nil, "httpbin or gzip isn't installed"))
    func otherServer() async throws {
        struct Echo: Decodable {
            var data: String
            var headers: [String: String]
        }
        let server = try #require(HTTPBinServer.shared)
        let body = RequestBody.data(Data(Self.text.utf8), contentType: "text/plain")
        let call = Call(baseURL: server.baseURL, path: "put", method: HTTPMethod.put, body: body)
        let echo = try await client.sendRequest(endpoint: call, responseModel: Echo.self).get()
        #expect(echo.headers["Content-Encoding"] == "gzip")
        // What isn't text comes back as a data URL.
        let coded = try #require(echo.data.split(separator: ",").last.flatMap { Data(base64Encoded: String($0)) })
        #expect(try unzipped(coded) == Data(Self.text.utf8))
    }

    @Test("What is small, coded, digested, a part, or compressed by its type stays as it is; so does what wouldn't get shorter")
    func left() async throws {
        var noise = SeededRandom(seed: 7)
        let (data, random) = (Data(Self.text.utf8), Data((0..<4096).map { _ in UInt8.random(in: .min ... .max, using: &noise) }))
        let cases: [(RequestBody?, HTTPFields)] = [
            (nil, [:]), (.data(Data()), [:]), (.data(Data(count: 1024)), [:]), (.stream(HeardChunks("small"), length: 5), [:]),
            (.data(data), ["Content-Encoding": "br"]), (.data(data), ["Content-Range": "bytes 0-8999/9000"]),
            (.data(data), ["Content-Digest": "sha-256=:x:"]), (.data(data, contentType: "image/jpeg"), [:]),
            (.data(data), ["Content-Type": "application/zip"]), (.data(random), [:]),
        ]
        for (body, headers) in cases {
            let sent = try await sent(body, headers)
            #expect(sent.headers[.contentEncoding] == headers[.contentEncoding], "\(body as Any) \(headers)")
            if let body { #expect(sent.headers[.contentLength] == body.length.map { "\($0)" }) }
        }
        let choosy = TestClient(interceptors: [.requestCompression(where: { $0.url.host() == "api.test" })])
        #expect(try await sent(.data(data), by: choosy).headers[.contentEncoding] == nil)
        let eager = TestClient(interceptors: [.requestCompression(over: 0)])
        #expect(try await sent(.data(Data(count: 100)), by: eager).headers[.contentEncoding] == "gzip")
    }

    @Test(
        "Media types that are compressed by themselves",
        arguments: [
            ("image/png", true), ("image/svg+xml", false), ("image/bmp", false), ("audio/mpeg", true), ("audio/wav", false),
            ("video/mp4", true),
            ("font/woff2", true), ("font/ttf", false), ("application/pdf", true), ("application/epub+zip", true),
            ("application/gzip", true),
            ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", true), ("application/vnd.ms-excel", false),
            ("application/json", false), ("application/problem+json; charset=utf-8", false), ("text/html", false),
            ("multipart/form-data; boundary=x", false), ("application/octet-stream", false), ("Application/ZIP", true),
        ])
    func types(_ type: String, _ isCompressed: Bool) throws {
        #expect(RequestCompressionInterceptor.isCompressed(try #require(MediaType(type))) == isCompressed)
    }

    @Test("What could be sent again still can, with the same bytes; a stream that is read once can't")
    func replays() async throws {
        let file = try TemporaryFile(Data(Self.text.utf8))
        try await LoopbackServer.with { routes in
            routes.on(.put, "/") { $0.occurrence % 2 == 1 ? .status(503) : .text("ok") }
            routes.on(.put, "/once") { _ in .status(503) }
        } perform: { server in
            for body in [RequestBody.data(Data(Self.text.utf8)), .file(file.url)] {
                let answer = try await client.text(server.call("/", .put, body: body))
                #expect(answer == "ok")
                let bodies = server.requests.suffix(2).map(\.body)
                #expect(bodies[0] == bodies[1] && bodies[0].count > 20)
            }
            let once = RequestBody.stream([Data(Self.text.utf8)].stream)
            #expect(await client.data(for: server.call("once", .put, body: once)).failure?.statusCode == 503)
            #expect(server.requests.filter { $0.path == "/once" }.count == 1)
        }
    }

    @Test("A redirect that drops the body drops its coding too; one that keeps it sends the same")
    func redirects() async throws {
        let stub = StubTransport {
            $0.post("see", .redirect(to: "/other", status: 303))
            $0.post("moved", .redirect(to: "/other", status: 307))
            $0.any("other", .text("ok"))
        }
        let client = NetworkClient(session: HTTPSession(transport: stub, interceptors: [.requestCompression()]))
        for path in ["see", "moved"] {
            let body = RequestBody.data(Data(Self.text.utf8))
            _ = try await client.data(for: SampleEndpoint(path: Path(path), method: .post, body: body)).get()
        }
        let sent = stub.requests
        #expect(sent.map { $0.headers[.contentEncoding] } == ["gzip", nil, "gzip", "gzip"])
        #expect(sent.map(\.body.isEmpty) == [false, true, false, false] && sent[2].body == sent[3].body)
    }

    @Test(
        "A stream with fewer or more bytes than it promised, or one that fails, is an error and no whole request",
        arguments: [5000, 20_000])
    func broken(_ promised: Int64) async throws {
        try await LoopbackServer.with { routes in
            routes.on(.put, "/") { _ in .text("ok") }
        } perform: { server in
            let body = RequestBody.stream([Data(Self.text.utf8)].stream, length: promised)
            let error = await client.data(for: server.call("/", .put, body: body)).failure
            #expect(error?.encodePart == .framing, "\(error as Any)")
            struct Fault: Error {}
            let failing = RequestBody.stream(AsyncThrowingStream<Data, any Error> { $0.finish(throwing: Fault()) })
            #expect(await client.data(for: server.call("/", .put, body: failing)).failure?.encodePart != nil)
            #expect(server.requests.allSatisfy { !$0.isComplete })
        }
    }

    @Test("A file that changes is still found out, and secrets in a body stay secrets")
    func facts() async throws {
        let file = try TemporaryFile(Data(Self.text.utf8))
        let body = RequestBody.file(file.url)
        try file.resize(to: 10)
        try await LoopbackServer.with { routes in
            routes.fallback { _ in .text("ok") }
        } perform: { server in
            guard case .file = await client.data(for: server.call("/", .put, body: body)).failure else { return #expect(Bool(false)) }
            #expect(server.connectionCount == 0)
        }
        let stub = StubTransport(.text("ok"))
        let hidden = RequestBody.data(Data(Self.text.utf8)).hiding("lazy dog")
        let stubbed = NetworkClient(session: HTTPSession(transport: stub, interceptors: [.requestCompression()]))
        _ = await stubbed.data(for: SampleEndpoint(method: .put, body: hidden))
        #expect(stub.requests.first?.request.body?.secrets.masking("a lazy dog") == "a \(SecretValues.mask)")
    }

    @Test("A call that is over isn't compressed for")
    func ended() async throws {
        var request = HTTPRequest(url: url("https://a.test"), method: .put, body: .data(Data(Self.text.utf8)))
        let scope = CallScope()
        request.context.scope = scope
        scope.end(.cancelled)
        let (stub, sample) = (StubTransport(.text("ok")), request)
        let error = await failure { () async throws(RequestError) in
            try await RequestCompressionInterceptor.requestCompression().intercept(sample, next: Next(transport: stub))
        }
        #expect(error?.isCancellation == true && stub.requests.isEmpty)
    }

    @Test("Standing outside of retry it compresses once a call; the log outside of it shows the body as it was")
    func place() async throws {
        let log = Recorder<LogEntry>()
        let sink = LogSink { log.add($0) }
        let seen = Recorder<Int64?>()
        struct Looking: Interceptor {
            let seen: Recorder<Int64?>
            func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
                seen.add(request.body?.length)
                return try await next(request)
            }
        }
        let stub = StubTransport(.status(503), .text("ok"))
        let session = HTTPSession(
            transport: stub,
            interceptors: [
                .logging(level: .bodies(limit: 100), sink: sink), .requestCompression(), .retry(RetryPolicy(backoff: .constant(.zero))),
                Looking(seen: seen),
            ])
        _ = try await NetworkClient(session: session).data(for: SampleEndpoint(method: .put, body: .data(Data(Self.text.utf8)))).get()
        await sink.flush()
        #expect(seen.values.count == 2 && seen.values[0] == seen.values[1] && (seen.values[0] ?? 0) < 1000)
        #expect(log.values.first?.text.contains("The quick brown fox") == true)
    }

    @Test("It says what it would do")
    func describes() {
        let interceptor = RequestCompressionInterceptor.requestCompression()
        func words(_ body: RequestBody?, _ headers: HTTPFields = [:]) -> String? {
            interceptor.describe(HTTPRequest(url: url("https://a.test"), method: .put, headers: headers, body: body))
        }
        #expect(words(.data(Data(count: 2000))) == "compresses the body with gzip, where that makes it shorter")
        #expect(words(nil) == "leaves the body as it is: there is no body")
        #expect(words(.data(Data(count: 10))) == "leaves the body as it is: it is small")
        #expect(
            words(.data(Data(count: 2000), contentType: "video/mp4")) == "leaves the body as it is: its media type is compressed by itself")
    }
}
