import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

extension ProcessesOfTheirOwn {
    @Suite("CurlTransport: memory of uploads")
    struct CurlTransportUploadMemoryTests {
        /// Measured in a process of its own, where no other test takes memory; the server is in it too.
        @Test(
            "1 GiB from a file, as it is and compressed, and from a stream is never held",
            .disabled(if: Sanitizer.isOn, "a sanitizer keeps what is freed"))
        func upload() async {
            await #expect(processExitsWith: .success) {
                let size = 1 << 30
                let file = try TemporaryFile(zeros: size)
                let most = Lock(0)
                var limits = LoopbackServer.Limits()
                limits.recordedBodySize = 0
                try await LoopbackServer.with(limits: limits) { routes in
                    routes.stream(.put, "/") { exchange in
                        var (count, looked) = (0, 0)
                        while let chunk = try await exchange.readChunk() {
                            count += chunk.count
                            guard count - looked >= 1 << 20 else { continue }
                            looked = count
                            most.withLock { $0 = max($0, ProcessStatus.residentMemory) }
                        }
                        try await exchange.sendHead(200)
                        try await exchange.send("\(count)")
                    }
                } perform: { server in
                    let client = TestClient(interceptors: [.requestCompression(where: { $0.url.query()?.hasPrefix("gzip") == true })])
                    let chunk = Data(count: 256 << 10)
                    let stream = RequestBody.stream { ManyChunks(chunk: chunk, count: size / chunk.count) }
                    let uploads: [(String, RequestBody, ClosedRange<Int>)] = [
                        ("a file", .file(file.url), size...size), ("a stream", stream, size...size),
                        ("a compressed file", .file(file.url), 1...size / 500),
                    ]
                    // What a first request takes for good isn't counted.
                    _ = try await client.text(server.call("/", .put, body: .data(Data(count: 1 << 20))))
                    for (name, body, counts) in uploads {
                        let before = ProcessStatus.residentMemory
                        most.withLock { $0 = before }
                        let query: Query = name.contains("compressed") ? ["gzip": ""] : [:]
                        let count = try await client.text(server.call("/", .put, query: query, body: body))
                        let grown = max(most.withLock(\.self), ProcessStatus.residentMemory) - before
                        print("upload of \(name): \(grown >> 10) KiB over the start")
                        #expect(Int(count).map(counts.contains) == true, "\(name): \(count)")
                        #expect(grown <= 16 << 20)
                    }
                }
            }
        }
    }
}

/// The same chunk many times.
private struct ManyChunks: AsyncSequence, Sendable {
    typealias Element = Data
    let chunk: Data
    let count: Int

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(chunk: chunk, left: count) }

    struct AsyncIterator: AsyncIteratorProtocol {
        let chunk: Data
        var left: Int

        mutating func next() async -> Data? {
            guard left > 0 else { return nil }
            left -= 1
            return chunk
        }
    }
}
