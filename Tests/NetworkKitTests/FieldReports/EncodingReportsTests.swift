import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

/// Faults in bodies and framing that users of other clients reported, each by its number.
@Suite("Field reports: bodies and framing")
struct EncodingReportsTests {
    private let client = TestClient()
    private let routes = LoopbackRoutes { routes in
        routes.any("/echo") { request in .data(try await request.body(), contentType: request.headers[.contentType]) }
        routes.any("/strict") { request in
            let framings = [request.headers.contains("Content-Length"), request.headers.contains("Transfer-Encoding")].filter { $0 }
            return framings.count == 1 ? .data(try await request.body()) : .status(framings.isEmpty ? 411 : 400)
        }
    }

    @Test("B10: a body on DELETE arrives, with its type")
    func bodyOnDelete() async throws {
        try await LoopbackServer.with(routes) { server in
            let call = server.call("echo", .delete, body: .json(Item(id: 1, name: "a")))
            let echoed = try await client.sendRequest(endpoint: call, responseModel: Item.self).get()
            #expect(echoed == Item(id: 1, name: "a"))
            #expect(server.requests.first?.headers[.contentType] == "application/json")
        }
    }

    @Test("B11: PUT, POST and PATCH without a body say Content-Length: 0", arguments: [HTTPMethod.put, .post, .patch])
    func emptyBodiesHaveALength(_ method: HTTPMethod) async throws {
        try await LoopbackServer.with(routes) { server in
            let response = try await client.response(for: server.call("strict", method)).get()
            #expect(response.status == 200)
            #expect(server.requests.first?.headers[values: .contentLength] == ["0"])
            #expect(server.requests.first?.headers.contains(.contentType) == false)
        }
    }

    @Test("A GET or DELETE without a body has no framing field", arguments: [HTTPMethod.get, .delete, .options])
    func noBodyNoFraming(_ method: HTTPMethod) async throws {
        try await LoopbackServer.with(routes) { server in
            _ = await client.response(for: server.call("echo", method))
            let headers = try #require(server.requests.first?.headers)
            #expect(!headers.contains(.contentLength) && !headers.contains(.transferEncoding) && !headers.contains(.expect))
        }
    }

    @Test("B12: a stream has exactly one framing: its length when that is known, else chunks")
    func oneFraming() async throws {
        try await LoopbackServer.with(routes) { server in
            let chunks = [Data("hello ".utf8), Data("world".utf8)]
            let known = server.call("strict", .post, body: .stream(chunks.stream, length: 11))
            let stated = server.call("strict", .post, headers: ["Content-Length": 11], body: .stream(chunks.stream))
            let unknown = server.call("strict", .post, body: .stream(chunks.stream))
            for call in [known, stated, unknown] {
                let text = try await client.text(call)
                #expect(text == "hello world")
            }
            #expect(server.requests.map { $0.headers[.contentLength] } == ["11", "11", nil])
            #expect(server.requests.map { $0.headers[.transferEncoding] } == [nil, nil, "chunked"])
        }
    }

    @Test("A Content-Length that the body doesn't have is an error, and nothing is sent")
    func wrongLength() async throws {
        try await LoopbackServer.with(routes) { server in
            let call = server.call("echo", .post, headers: ["Content-Length": 3], body: .data(Data("hello".utf8)))
            guard case .encode(let details) = await client.data(for: call).failure else { return #expect(Bool(false)) }
            #expect(details.part == .framing)
            #expect(server.requestCount == 0)
        }
    }

    @Test("A stream with more or fewer bytes than it promised ends in an error; the server never has a whole request", arguments: [3, 30])
    func brokenPromise(_ length: Int64) async throws {
        try await LoopbackServer.with(routes) { server in
            let call = server.call("echo", .post, body: .stream([Data("hello ".utf8), Data("world".utf8)].stream, length: length))
            guard case .encode(let details) = await client.data(for: call).failure else { return #expect(Bool(false)) }
            #expect(details.part == .framing)
            #expect(server.requests.allSatisfy { !$0.isComplete })
        }
    }

    @Test("A stream that fails ends the call with what it threw")
    func failingStream() async throws {
        struct Broken: Error {}
        try await LoopbackServer.with(routes) { server in
            let stream = AsyncThrowingStream<Data, any Error> { continuation in
                continuation.yield(Data("hello".utf8))
                continuation.finish(throwing: Broken())
            }
            guard case .encode(let details) = await client.data(for: server.call("echo", .post, body: .stream(stream))).failure else {
                return #expect(Bool(false))
            }
            #expect(details.underlying is Broken)
        }
    }

    @Test("A file is sent with its length; a file that isn't there is an error, and nothing is sent")
    func files() async throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "networkkit-\(UUID().uuidString)")
        let content = Data((0..<600_000).map { UInt8(truncatingIfNeeded: $0) })
        try content.write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        try await LoopbackServer.with(routes) { server in
            let got = try await client.data(for: server.call("echo", .put, body: .file(url))).get()
            #expect(got == content)
            #expect(server.requests.first?.headers[.contentLength] == "600000")
            let missing = server.call("echo", .put, body: .file(url.appending(path: "missing")))
            guard case .file(let details) = await client.data(for: missing).failure else { return #expect(Bool(false)) }
            #expect(details.path.hasSuffix("missing"))
            #expect(server.requestCount == 1)
        }
    }
}

extension Array where Element: Sendable {
    /// The elements as a stream that is read once.
    var stream: AsyncStream<Element> {
        AsyncStream { continuation in
            for element in self { continuation.yield(element) }
            continuation.finish()
        }
    }
}
