import NetworkKitTesting
import PlatformBase
import Testing

@testable import NetworkKit

@Suite("Downloads over a bad line")
struct DownloadCutsTests {
    /// 8 MiB as they are meant; less where nothing is optimised, and hashing takes all the time.
    #if DEBUG
    private static let size = 32 << 10
    #else
    private static let size = 8 << 20
    #endif

    @Test("100 downloads that are cut at random places three times each have the right SHA-256, and next to no byte is asked for twice")
    func cuts() async throws {
        let directory = TemporaryDirectory()
        try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
        let bytes = sampleBytes(Self.size)
        let hash = Hexadecimal.text(SHA256.hash(Array(bytes)))
        var random = SeededGenerator(seed: 7)
        let files = (0..<100).map { _ in
            let places = (0..<3).map { _ in Int.random(in: 0..<Self.size, using: &random) }.sorted()
            // Each answer begins where the one before was cut.
            return RangeServer(bytes, cuts: zip(places, [0] + places).map { $0 - $1 })
        }
        try await LoopbackServer.with { routes in
            routes.get("/:number") { request in
                files[Int(request.path.dropFirst()) ?? 0].answer(request)
            }
        } perform: { server in
            let client = TestClient()
            let policy = ResumptionPolicy(backoff: .constant(.zero))
            let wrong = await withTaskGroup(of: RequestError?.self) { group in
                for worker in 0..<8 {
                    group.addTask {
                        for number in stride(from: worker, to: 100, by: 8) {
                            let result = await client.download(
                                server.call("\(number)"), to: directory.file("\(number)"),
                                options: .init(sha256: hash, resumption: policy))
                            if let error = result.failure { return error }
                        }
                        return nil
                    }
                }
                return await group.reduce(into: []) { if let error = $1 { $0.append(error) } }
            }
            #expect(wrong.isEmpty, "\(wrong)")
        }
        #expect(directory.names.count == 100)
        #expect(files.allSatisfy { $0.requests.count == 4 })
        let sent = files.reduce(0) { $0 + $1.sent }
        let twice = Double(sent - 100 * Self.size) / Double(100 * Self.size)
        print("100 downloads, 3 cuts each: \(twice * 100) % of the bytes were sent twice")
        #expect(twice < 0.05)
        for number in [0, 50, 99] { #expect(try directory.bytes("\(number)") == Array(bytes)) }
    }
}

extension ProcessesOfTheirOwn {
    @Suite("Downloads: memory")
    struct DownloadMemoryTests {
        /// Measured in a process of its own, where no other test takes memory.
        @Test("1 GiB goes to a file within 16 MiB of memory", .disabled(if: Sanitizer.isOn, "a sanitizer keeps what is freed"))
        func gigabyte() async {
            await #expect(processExitsWith: .success) {
                let size = 1 << 30
                let directory = TemporaryDirectory()
                try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
                try await LoopbackServer.with { routes in
                    routes.get("/large") { _ in .generated(bytes: size, headers: ["ETag": "\"1\""]) }
                    routes.get("/small") { _ in .generated(bytes: 1 << 20) }
                } perform: { server in
                    let client = TestClient()
                    _ = try await client.download(server.call("small"), to: directory.file("small")).get()
                    let before = ProcessStatus.residentMemory
                    let most = Lock(before)
                    _ = try await client.download(server.call("large"), to: directory.file("large")) { _ in
                        let now = ProcessStatus.residentMemory
                        most.withLock { $0 = max($0, now) }
                    }.get()
                    let growth = most.withLock(\.self) - before
                    print("download of 1 GiB: \(growth >> 10) KiB over the start")
                    #expect(growth <= 16 << 20)
                    #expect(directory.status("large").st_size == size)
                }
            }
        }
    }
}
