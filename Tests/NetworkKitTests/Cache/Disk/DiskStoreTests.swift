import NetworkKitTesting
import PlatformBase
import Testing

@testable import NetworkKit

@Suite("A cache's store on a disk")
struct DiskStoreTests {
    @Test("What is stored is there for the next process, head and body", arguments: [0, 5, 65536, 65537, 262_144, 1_000_000])
    func outlivesTheProcess(count: Int) async throws {
        let directory = TemporaryDirectory()
        let body = sampleBytes(count)
        let response = DiskBench.response(["ETag": "\"1\""], identity: "anna", selectors: [.init(name: "accept", value: "b")])
        await DiskBench(directory).add("https://a.test/", body, response)
        #expect(directory.names.count == 3)
        let next = DiskBench(directory)
        let entry = try #require(await next.entries("https://a.test/").first)
        #expect(entry.length == Int64(count))
        #expect(entry.response.variant == response.variant && entry.response.headers == response.headers)
        #expect(try await next.body("https://a.test/") == body)
        // And again, from memory where it is small.
        #expect(try await next.body("https://a.test/") == body)
        #expect(await next.entries("https://a.test/other").isEmpty)
        #expect(next.faults.all.isEmpty)
    }

    @Test(
        "A part of a body is what it would be of the whole",
        arguments: [0..<1, 0..<65536, 65535..<65537, 70_000..<400_000, 399_999..<400_000, 0..<400_000, 131_072..<131_073] as [Range<Int64>])
    func parts(range: Range<Int64>) async throws {
        let bench = DiskBench()
        let body = sampleBytes(400_000)
        await bench.add("https://a.test/", body)
        #expect(try await bench.body("https://a.test/", in: range) == body[Int(range.lowerBound)..<Int(range.upperBound)])
    }

    @Test("A small body is given in parts too, from the disk and from memory")
    func smallParts() async throws {
        let bench = DiskBench()
        await bench.add("https://a.test/", "abcdef")
        for _ in 0..<2 { #expect(try await bench.body("https://a.test/", in: 2..<4) == Data("cd".utf8)) }
    }

    @Test("A large body comes in pieces, the first of them read before it is answered")
    func pieces() async throws {
        let bench = DiskBench()
        let body = sampleBytes(1_000_000)
        await bench.add("https://a.test/", body)
        let entry = try #require(await bench.entries("https://a.test/").first)
        let source = try #require(await bench.store.body(of: entry, in: nil))
        #expect(source.expectedLength == 1_000_000)
        var (pieces, bytes) = (0, Data())
        while let piece = try await source.next(isolation: nil) {
            pieces += 1
            bytes += piece
        }
        #expect(pieces == 4 && bytes == body)
        source.end()
        #expect(try await source.next(isolation: nil) == nil)
    }

    @Test("Nobody but the user may read the files, nor the directory that was made for them")
    func modes() async {
        let bench = DiskBench()
        await bench.add("https://a.test/", sampleBytes(500_000))
        #expect(bench.directory.status("").st_mode & 0o777 == 0o700)
        #expect(bench.directory.names.count == 3)
        for name in bench.directory.names { #expect(bench.directory.status(name).st_mode & 0o777 == 0o600, "\(name)") }
    }

    @Test("No name and no file has the URL, or what was hashed, in it")
    func secrets() async throws {
        let bench = DiskBench()
        await bench.add("https://a.test/path-secret?key=query-secret", "body")
        for name in bench.directory.names {
            let text = name + String(decoding: try bench.directory.bytes(name), as: UTF8.self)
            for secret in ["secret", "a.test", "query"] { #expect(!text.contains(secret), "\(name)") }
        }
        // Another directory has another key, so that one can't be told from the other.
        let other = DiskBench()
        await other.add("https://a.test/path-secret?key=query-secret", "body")
        #expect(bench.directory.entries.count == 1 && bench.directory.entries != other.directory.entries)
    }

    @Test("An entry takes the place of the one with the same variant, and of no other")
    func replacement() async throws {
        let bench = DiskBench()
        await bench.add("https://a.test/", "1", DiskBench.response(identity: "anna"))
        await bench.add("https://a.test/", "2", DiskBench.response(identity: "ben"))
        let old = try #require(await bench.entries("https://a.test/").first { $0.response.variant.identity == "anna" })
        await bench.add("https://a.test/", "three", DiskBench.response(identity: "anna"))
        let entries = await bench.entries("https://a.test/")
        #expect(Set(entries.map(\.length)) == [1, 5])
        #expect(Set(entries.map(\.id)).count == 2 && !entries.contains { $0.id == old.id })
        #expect(await bench.store.body(of: old, in: nil) == nil)
        #expect(await bench.store.update(old, of: CacheKey("https://a.test/"), to: old.response) == nil)
        await bench.store.remove(old, of: CacheKey("https://a.test/"))
        #expect(bench.directory.entries.count == 2)
    }

    @Test("Nothing is found before it is committed, and what is abandoned leaves nothing", arguments: [10, 1_000_000])
    func abandoned(count: Int) async throws {
        let bench = DiskBench()
        let key = CacheKey("https://a.test/")
        var writer = await bench.store.writer(for: key, response: DiskBench.response(), length: nil)
        #expect(await writer?.append(sampleBytes(count)) == true)
        #expect(await bench.entries("https://a.test/").isEmpty)
        writer?.abandon()
        writer?.abandon()
        #expect(await writer?.append(Data([1])) == false)
        await writer?.commit()
        await bench.store.onLane {}
        #expect(bench.directory.names == ["key", "lock"])
        #expect(bench.store.state.withLock { $0.index.reserved } == 0)
        // Letting go of it is enough.
        writer = await bench.store.writer(for: key, response: DiskBench.response(), length: nil)
        #expect(await writer?.append(sampleBytes(count)) == true)
        writer = nil
        await bench.store.onLane {}
        #expect(bench.directory.names == ["key", "lock"])
    }

    @Test("A body that is too long isn't stored, whether that was said or not")
    func tooLong() async {
        let bench = DiskBench(capacity: 1 << 20)
        #expect(await bench.store.writer(for: CacheKey("https://a.test/"), response: DiskBench.response(), length: 262_145) == nil)
        #expect(await !bench.add("https://a.test/", sampleBytes(262_145)))
        await bench.store.onLane {}
        #expect(bench.directory.size == 0 && bench.faults.all.isEmpty)
        #expect(await bench.add("https://a.test/", sampleBytes(262_144)))
    }

    @Test("After a validation the fields are new and the body is the old one, also for the next process", arguments: [100, 300_000])
    func update(count: Int) async throws {
        let directory = TemporaryDirectory()
        let body = sampleBytes(count)
        do {
            let bench = DiskBench(directory)
            await bench.add("https://a.test/", body, DiskBench.response(["X": "a long value, longer than the next"]))
            for value in ["b", String(repeating: "c", count: 5000), "d"] {
                let entry = try #require(await bench.entries("https://a.test/").first)
                let updated = await bench.store.update(entry, of: CacheKey("https://a.test/"), to: DiskBench.response(["X": value]))
                #expect(updated?.id == entry.id)
                #expect(await bench.entries("https://a.test/").first?.response.headers["X"] == value)
                #expect(try await bench.body("https://a.test/") == body)
            }
        }
        let next = DiskBench(directory)
        #expect(await next.entries("https://a.test/").first?.response.headers["X"] == "d")
        #expect(try await next.body("https://a.test/") == body)
        #expect(next.store.state.withLock { $0.index.size } == Int64(directory.size))
        #expect(next.faults.all.isEmpty)
    }

    @Test("What is removed is gone from the disk too: one entry, those of a URL, all")
    func removal() async throws {
        let bench = DiskBench()
        await bench.add("https://a.test/1", "1", DiskBench.response(identity: "anna"))
        await bench.add("https://a.test/1", "1", DiskBench.response(identity: "ben"))
        await bench.add("https://a.test/2", "2")
        await bench.add("https://a.test/3", "3")
        let entry = try #require(await bench.entries("https://a.test/1").first)
        await bench.store.remove(entry, of: CacheKey("https://a.test/1"))
        #expect(bench.directory.entries.count == 3)
        await bench.store.remove(CacheKey("https://a.test/1"))
        #expect(bench.directory.entries.count == 2)
        #expect(await bench.entries("https://a.test/1").isEmpty)
        await bench.store.removeAll()
        #expect(bench.directory.names == ["key", "lock"])
        #expect(await bench.entries("https://a.test/2").isEmpty)
    }

    @Test("A body that is being read is read to its end, though its entry is removed")
    func removedWhileRead() async throws {
        let bench = DiskBench()
        let body = sampleBytes(1_000_000)
        await bench.add("https://a.test/", body)
        let entry = try #require(await bench.entries("https://a.test/").first)
        let source = try #require(await bench.store.body(of: entry, in: nil))
        await bench.store.removeAll()
        #expect(try await source.collect(upTo: .max) == body)
    }

    @Test("The files never take more than they may, and what was used longest ago goes first, across processes")
    func eviction() async throws {
        let directory = TemporaryDirectory()
        do {
            let bench = DiskBench(directory, capacity: 100_000)
            for number in 0..<30 {
                await bench.add("https://a.test/\(number)", sampleBytes(9000))
                #expect(directory.size <= 100_000)
                #expect(try await bench.body("https://a.test/0") != nil)
            }
            #expect(directory.entries.count == 10)
        }
        // Two hours ago all were used, but for one of them.
        let bench = DiskBench(directory, capacity: 100_000)
        for name in directory.entries {
            var times = [timespec](repeating: timespec(tv_sec: time(nil) - 7200, tv_nsec: 0), count: 2)
            utimensat(AT_FDCWD, directory.file(name).path, &times, 0)
        }
        #expect(try await bench.body("https://a.test/0") != nil)
        await bench.store.onLane {}
        let small = DiskBench(directory, capacity: 20_000)
        #expect(await small.store.isReadOnly())
        withExtendedLifetime(bench) {}
    }

    @Test("A use is remembered by the next process")
    func useIsRemembered() async throws {
        let directory = TemporaryDirectory()
        do {
            let bench = DiskBench(directory)
            for number in 0..<5 { await bench.add("https://a.test/\(number)", sampleBytes(9000)) }
        }
        for name in directory.entries {
            var times = [timespec](repeating: timespec(tv_sec: time(nil) - 7200, tv_nsec: 0), count: 2)
            utimensat(AT_FDCWD, directory.file(name).path, &times, 0)
        }
        do {
            let bench = DiskBench(directory)
            #expect(try await bench.body("https://a.test/2") != nil)
            await bench.store.onLane {}
        }
        let small = DiskBench(directory, capacity: 10_000)
        #expect(try await small.body("https://a.test/2") != nil)
        #expect(directory.entries.count == 1)
    }

    @Test("A second cache reads what was there, stores nothing, and says so once; the next writes again")
    func secondOpener() async throws {
        let directory = TemporaryDirectory()
        do {
            let first = DiskBench(directory)
            await first.add("https://a.test/", "there")
            #expect(await !first.store.isReadOnly())
            let second = DiskBench(directory)
            #expect(await second.store.isReadOnly())
            #expect(try await second.text("https://a.test/") == "there")
            #expect(await !second.add("https://a.test/2", Data([1])))
            let entry = try #require(await second.entries("https://a.test/").first)
            await second.store.update(entry, of: CacheKey("https://a.test/"), to: DiskBench.response(["X": "new"]))
            #expect(await second.entries("https://a.test/").first?.response.headers["X"] == "new")
            await second.store.removeAll()
            #expect(await second.entries("https://a.test/").isEmpty)
            #expect(directory.entries.count == 1)
            #expect(second.faults.all.count == 1)
            #expect("\(second.faults.all)".contains("another cache has"))
            #expect(await first.entries("https://a.test/").first?.response.headers["X"] == nil)
        }
        #expect(await !DiskBench(directory).store.isReadOnly())
    }

    @Test("A second cache isn't misled by what the first one changes meanwhile")
    func changedUnderneath() async throws {
        let directory = TemporaryDirectory()
        let first = DiskBench(directory)
        await first.add("https://a.test/", sampleBytes(300_000))
        let second = DiskBench(directory)
        let entry = try #require(await second.entries("https://a.test/").first)
        await first.add("https://a.test/", sampleBytes(300_000, seed: 2))
        #expect(await second.store.body(of: entry, in: nil) == nil)
        await first.store.removeAll()
        #expect(await second.store.body(of: entry, in: nil) == nil)
        #expect(second.faults.all.count == 1)
    }

    @Test("What a killed process was writing is removed, and what isn't the cache's is left alone")
    func leftovers() async throws {
        let directory = TemporaryDirectory()
        await DiskBench(directory).add("https://a.test/", "there")
        try directory.write([1, 2], "0123456789abcdef.partial")
        try directory.write([1, 2], "key.partial")
        let others = [".partial", "0123456789ABCDEF.partial", "0123456789abcde.partial", "a-download.partial", "notes.txt"]
        for name in others { try directory.write([1, 2], name) }
        let next = DiskBench(directory)
        #expect(try await next.text("https://a.test/") == "there")
        #expect(directory.names.filter { !$0.hasSuffix(".entry") } == (others + ["key", "lock"]).sorted())
        #expect(next.faults.all.isEmpty)
    }

    @Test("Many read, write and remove at once, and whoever reads gets what was written")
    func atOnce() async throws {
        let bench = DiskBench(capacity: 3_000_000)
        try await withThrowingTaskGroup { group in
            for task in 0..<8 {
                group.addTask {
                    var generator = SeededGenerator(seed: UInt64(task))
                    for _ in 0..<60 {
                        let (url, seed) = ("https://a.test/\(UInt64.random(in: 0..<6, using: &generator))", generator.next())
                        let count = Int(seed % 400_000)
                        switch Int.random(in: 0..<5, using: &generator) {
                        case 0, 1:
                            await bench.add(url, sampleBytes(count, seed: seed), DiskBench.response(["X": "\(seed)"]), pieces: 100_000)
                        case 2: await bench.store.remove(CacheKey(url))
                        default:
                            guard let entry = await bench.entries(url).first, let source = await bench.store.body(of: entry, in: nil) else {
                                continue
                            }
                            let body = try await source.collect(upTo: .max)
                            let seed = try #require(entry.response.headers["X"].flatMap { UInt64($0) })
                            #expect(body == sampleBytes(Int(seed % 400_000), seed: seed))
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        await bench.store.onLane {}
        #expect(bench.faults.all.isEmpty)
        #expect(bench.store.state.withLock { $0.index.reserved } == 0)
        #expect(bench.store.state.withLock { $0.index.size } == Int64(bench.directory.size))
        #expect(bench.directory.size <= 3_000_000)
    }
}
