import NetworkKitTesting
import PlatformBase
import Testing

@testable import NetworkKit

@Suite("Bodies from files", .timeLimit(.minutes(1)))
struct FileBodyTests {
    private let client = TestClient()

    private func path(of error: RequestError?) -> String? { if case .file(let details) = error { details.path } else { nil } }

    @Test("A file has exactly its length, also when it has none")
    func length() async throws {
        try await LoopbackServer.with { routes in
            routes.on(.put, "/") { request in .data(try await request.body()) }
        } perform: { server in
            for count in [0, 1, FileBody.chunkSize, FileBody.chunkSize * 2 + 1] {
                let content = Data((0..<count).map { UInt8(truncatingIfNeeded: $0) })
                let file = try TemporaryFile(content)
                #expect(try await client.data(for: server.call("/", .put, body: .file(file.url))).get() == content)
                let sent = try #require(server.requests.last)
                #expect(sent.headers[values: .contentLength] == ["\(count)"] && !sent.headers.contains(.transferEncoding))
            }
        }
    }

    @Test("What is missing, a folder, no file, or not to be read fails before anything is connected, and says which it is")
    func unfit() async throws {
        let locked = try TemporaryFile(Data("x".utf8))
        chmod(locked.url.path, 0)
        let folder = FileManager.default.temporaryDirectory
        var cases: [(URL, String)] = [
            (folder.appending(path: "no-such-file"), "No such file"), (folder, "is not a regular file"),
            (URL(filePath: "/dev/null"), "is not a regular file"), (url("https://example.com/x"), "is not the URL of a file"),
        ]
        // Nothing is locked for the superuser.
        if geteuid() != 0 { cases.append((locked.url, "Permission denied")) }
        try await LoopbackServer.with { routes in
            routes.fallback { _ in .text("") }
        } perform: { server in
            for (url, words) in cases {
                for body in [RequestBody.file(url), .multipart(.init([.file("f", url)]))] {
                    let error = await client.data(for: server.call("/", .put, body: body)).failure
                    #expect(path(of: error) != nil && "\(error as Any)".contains(words), "\(url)")
                }
            }
            #expect(server.connectionCount == 0)
        }
    }

    @Test("A file that has gone, grown or shrunk since the body was made fails before anything is connected")
    func changedBefore() async throws {
        let file = try TemporaryFile(zeros: 1000)
        let form = MultipartForm([.text("a", "b"), .file("f", file.url)])
        let bodies = [RequestBody.file(file.url), try RequestBody.multipart(form).encoded(by: .json)]
        let client = TestClient(interceptors: [.requestCompression(where: { $0.url.query() != nil })])
        try await LoopbackServer.with { routes in
            routes.fallback { _ in .text("") }
        } perform: { server in
            for body in bodies {
                for (count, query) in [(999, [:]), (1001, ["gzip": "yes"]), (0, [:])] as [(Int, Query)] {
                    try file.resize(to: count)
                    let error = await client.data(for: server.call("/", .put, query: query, body: body)).failure
                    #expect(path(of: error) == file.url.path)
                    #expect("\(error as Any)".contains("it had 1000 bytes when the request was made, and has \(count) now"))
                }
            }
            try file.remove()
            for body in bodies {
                #expect(path(of: await client.data(for: server.call("/", .put, body: body)).failure) == file.url.path)
            }
            #expect(server.connectionCount == 0)
        }
    }

    @Test("A file that changes its size while it is sent breaks the request off", arguments: [-1, 1])
    func changedWhileSent(_ step: Int) async throws {
        // More than all sockets and pipes on the way hold.
        let size = 64 << 20
        let file = try TemporaryFile(zeros: size)
        try await LoopbackServer.with { routes in
            routes.stream(.put, "/") { exchange in
                _ = try await exchange.readChunk()
                try file.resize(to: size + step)
                while try await exchange.readChunk() != nil {}
                try await exchange.sendHead(200)
            }
        } perform: { server in
            let error = await client.data(for: server.call("/", .put, body: .file(file.url))).failure
            #expect(path(of: error) == file.url.path && "\(error as Any)".contains("has \(size + step) now"))
            #expect(server.requests.map(\.isComplete) == [false])
        }
    }

    @Test("A retry reads the file again from its beginning; a stream that can be read once isn't sent again, and the answer says why")
    func retries() async throws {
        let file = try TemporaryFile(Data("hello".utf8))
        let client = TestClient(interceptors: [.retry(RetryPolicy(backoff: .constant(.zero)))])
        try await LoopbackServer.with { routes in
            routes.on(.put, "/file") { request in
                let text = try await request.text()
                return request.occurrence < 3 ? .status(503) : .text(text)
            }
            routes.on(.put, "/stream") { _ in .status(503) }
        } perform: { server in
            let answer = try await client.text(server.call("file", .put, body: .file(file.url)))
            #expect(answer == "hello")
            #expect(server.requests.map(\.text) == ["hello", "hello", "hello"])
            let failure = await client.data(for: server.call("stream", .put, body: .stream(HeardChunks("once")))).failure
            #expect(failure?.statusCode == 503 && "\(failure as Any)".contains("the body was a stream, which has been read"))
            #expect(server.requestCount == 4)
        }
    }
}
