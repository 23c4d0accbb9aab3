import NetworkKitTesting
import PlatformBase
import TestSupport
import Testing

@testable import NetworkKit

extension ProcessesOfTheirOwn {
    @Suite("A cache's disk and the end of its process")
    struct DiskCrashTests {
        static let capacity = 4 << 20

        @Test(
            "A process that fills it is killed 200 times: what the next one reads is whole, and the limits hold",
            .enabled(if: Program.neighbour("CacheFiller") != nil, "CacheFiller isn't built"))
        func kills() async throws {
            let directory = TemporaryDirectory()
            var generator = SystemRandomNumberGenerator()
            var (read, unfinished, damaged) = (0, 0, 0)
            let faults = FaultList()
            for _ in 0..<200 {
                let child = try ChildProcess(Program.neighbour("CacheFiller"), [directory.url.path, "\(Self.capacity)"])
                // A sanitizer has the process begin late.
                let life = UInt32.random(in: 10_000...70_000, using: &generator) * (Sanitizer.isOn ? 3 : 1)
                let status = await withCheckedContinuation { ending in
                    _ = Thread.start {
                        usleep(life)
                        child.destroy()
                        ending.resume(returning: child.wait())
                    }
                }
                #expect(status & 0x7F == SIGKILL, "it ended by itself")
                #expect(directory.size <= Self.capacity)
                unfinished += directory.names.count { $0.hasSuffix(".partial") }
                let store = DiskStore(directory: directory.url, capacity: Self.capacity) { faults.add($0) }
                read += try await Self.readAll(store)
                #expect(await !store.isReadOnly())
                await store.onLane {}
                #expect(!directory.names.contains { $0.hasSuffix(".partial") })
                #expect(store.state.withLock { $0.index.size } == Int64(directory.size))
                damaged = faults.all.count
            }
            print("killed 200 times: \(read) entries read whole, \(unfinished) unfinished files removed, \(damaged) found damaged")
            #expect(read > 200)
        }

        /// Reads all entries, sees that each is what the filler made it, and counts them.
        private static func readAll(_ store: DiskStore) async throws -> Int {
            var count = 0
            for page in 0..<40 {
                for entry in await store.entries(for: CacheKey("https://site.test/\(page)")) {
                    let source = try #require(await store.body(of: entry, in: nil))
                    let body = try await source.collect(upTo: .max)
                    #expect(entry.response.headers["X-Count"] == "\(body.count)")
                    let byte = try #require(entry.response.headers["X-Byte"].flatMap { UInt8($0) })
                    #expect(body == Data(repeating: byte, count: body.count))
                    count += 1
                }
            }
            return count
        }

        @Test("A directory with 10,000 entries is opened without a look into one of them")
        func opening() async throws {
            let directory = TemporaryDirectory()
            do {
                let bench = DiskBench(directory)
                await bench.add("https://a.test/", sampleBytes(100))
            }
            var generator = SeededGenerator(seed: 5)
            for _ in 1..<10_000 {
                let name = EntryName(key: .init(low: generator.next(), high: generator.next()), variant: generator.next())
                // Noise: who looks finds a fault.
                let file = open(directory.file(name.text).path, O_WRONLY | O_CREAT, 0o600)
                #expect(write(file, "noise", 5) == 5)
                close(file)
            }
            let bench = DiskBench(directory)
            let time = await ContinuousClock().measure { _ = await bench.store.isReadOnly() }
            print("10,000 entries: opened in \(time)")
            #expect(bench.store.state.withLock { $0.index.count } == 10_000)
            #expect(bench.faults.all.isEmpty)
            #expect(try await bench.body("https://a.test/") == sampleBytes(100))
        }
    }
}
