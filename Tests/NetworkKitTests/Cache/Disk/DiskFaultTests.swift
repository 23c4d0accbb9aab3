import NetworkKitTesting
import PlatformBase
import Testing

@testable import NetworkKit

/// A client with a cache in a directory, in front of a server that counts.
private struct FaultBench {
    static let body = String(repeating: "right ", count: 50_000)
    let faults = FaultList()
    let cache: HTTPCache
    let stub: StubTransport
    let client: NetworkClient

    init(_ directory: TemporaryDirectory, capacity: Int = 10 << 20) {
        cache = HTTPCache(directory: directory.url, capacity: capacity) { [faults] in faults.add($0) }
        stub = StubTransport { routes in
            routes.fallback { request in
                let fields: HTTPFields = ["Cache-Control": "max-age=3600"]
                return .text(request.path.hasSuffix("large") ? Self.body : "right", headers: fields)
            }
        }
        client = NetworkClient(session: HTTPSession(transport: stub, interceptors: [.cache(cache)]))
    }

    func text(_ path: Path) async throws(RequestError) -> String {
        String(decoding: try await client.data(for: SampleEndpoint(path: path)).get(), as: UTF8.self)
    }

    /// Asks for a page three times, each of which must go well; gives how often the server was asked.
    func askThrice(_ path: Path) async throws -> Int {
        let right = try #require("\(path)".hasSuffix("large") ? Self.body : "right")
        for _ in 0..<3 { #expect(try await text(path) == right) }
        return stub.requests.count
    }
}

@Suite("Faults of a cache's disk")
struct DiskFaultTests {
    /// Ways to damage a file.
    enum Damage: String, CaseIterable {
        case truncated, emptied, ofAnotherVersion, flipped, replacedByNoise, replacedByADirectory, replacedByALink, removed

        func damage(_ directory: TemporaryDirectory, _ name: String) throws {
            var bytes = try directory.bytes(name)
            switch self {
            case .truncated: try directory.write(Array(bytes.dropLast(bytes.count / 3)), name)
            case .emptied: try directory.write([], name)
            case .ofAnotherVersion:
                bytes[4] = 200
                try directory.write(bytes, name)
            case .flipped:
                bytes[bytes.count / 4] ^= 4
                try directory.write(bytes, name)
            case .replacedByNoise: try directory.write(Array(sampleBytes(bytes.count)), name)
            case .replacedByADirectory:
                try FileManager.default.removeItem(at: directory.file(name))
                try FileManager.default.createDirectory(at: directory.file(name), withIntermediateDirectories: false)
                try directory.write([1], name + "/file")
            case .replacedByALink:
                try directory.write(bytes, "elsewhere")
                try FileManager.default.removeItem(at: directory.file(name))
                symlink(directory.file("elsewhere").path, directory.file(name).path)
            case .removed: try FileManager.default.removeItem(at: directory.file(name))
            }
        }
    }

    @Test(
        "A damaged entry found at the start: the server answers, and the fault is told once",
        arguments: Damage.allCases, ["small", "large"] as [Path])
    func damagedBefore(damage: Damage, path: Path) async throws {
        let directory = TemporaryDirectory()
        #expect(try await FaultBench(directory).askThrice(path) == 1)
        try damage.damage(directory, try #require(directory.entries.first))
        do {
            let next = FaultBench(directory)
            let asked = try await next.askThrice(path)
            // A directory with something in it stays in the way: nothing is stored in its place.
            #expect(asked == (damage == .replacedByADirectory ? 3 : 1))
            #expect(next.faults.all.count == (damage == .removed ? 0 : 1), "\(next.faults.all)")
        }
        guard damage != .replacedByADirectory else { return }
        let last = FaultBench(directory)
        #expect(try await last.askThrice(path) == 0)
        #expect(last.faults.all.isEmpty)
    }

    @Test(
        "A damaged entry found while the cache is open: the server answers, and the fault is told once",
        arguments: Damage.allCases, ["small", "large"] as [Path])
    func damagedMeanwhile(damage: Damage, path: Path) async throws {
        let directory = TemporaryDirectory()
        let bench = FaultBench(directory)
        #expect(try await bench.text(path).hasPrefix("right"))
        try damage.damage(directory, try #require(directory.entries.first))
        #expect(try await bench.askThrice(path) == (damage == .replacedByADirectory ? 4 : 2))
        #expect(bench.faults.all.count == (damage == .removed ? 0 : 1), "\(bench.faults.all)")
    }

    @Test("A block that is damaged far behind the beginning ends the body with .integrity, and the next call asks the server")
    func damagedMiddle() async throws {
        let directory = TemporaryDirectory()
        let bench = DiskBench(directory)
        let body = sampleBytes(1_000_000)
        await bench.add("https://a.test/", body)
        let name = try #require(directory.entries.first)
        var bytes = try directory.bytes(name)
        bytes[700_000] ^= 1
        try directory.write(bytes, name)
        let entry = try #require(await bench.entries("https://a.test/").first)
        let source = try #require(await bench.store.body(of: entry, in: nil))
        var read = Data()
        let error = await failure { () async throws(RequestError) in
            while let piece = try await source.next(isolation: nil) { read += piece }
        }
        guard case .integrity = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(!read.isEmpty && body.starts(with: read))
        await bench.store.onLane {}
        #expect(await bench.entries("https://a.test/").isEmpty)
        #expect(directory.entries.isEmpty)
        #expect(bench.faults.all.count == 1)
    }

    @Test(
        "A key that is lost or damaged: what was stored can't be found any more and goes", arguments: [nil, [], [1, 2, 3]] as [[UInt8]?])
    func lostKey(bytes: [UInt8]?) async throws {
        let directory = TemporaryDirectory()
        #expect(try await FaultBench(directory).askThrice("small") == 1)
        if let bytes { try directory.write(bytes, "key") } else { try FileManager.default.removeItem(at: directory.file("key")) }
        let next = FaultBench(directory)
        #expect(try await next.askThrice("small") == 1)
        #expect(directory.entries.count == 1)
        #expect(next.faults.all.count == (bytes == nil ? 0 : 1))
    }

    @Test("A directory that can't be: a file is in its place, or its URL isn't a file's", arguments: [true, false])
    func noDirectory(isFile: Bool) async throws {
        let directory = TemporaryDirectory()
        try Data([1]).write(to: directory.url)
        let faults = FaultList()
        let cache = HTTPCache(directory: isFile ? directory.url : url("https://a.test/cache")) { faults.add($0) }
        let stub = StubTransport(.text("right", headers: ["Cache-Control": "max-age=60"]))
        let client = NetworkClient(session: HTTPSession(transport: stub, interceptors: [.cache(cache)]))
        for _ in 0..<3 { #expect(try await client.data(for: SampleEndpoint()).get() == Data("right".utf8)) }
        #expect(stub.requests.count == 3)
        #expect(faults.all.count == 1)
        #expect(await cache.isReadOnly)
    }

    @Test("A directory that is removed while the cache is open")
    func removedDirectory() async throws {
        let directory = TemporaryDirectory()
        let bench = FaultBench(directory)
        #expect(try await bench.askThrice("large") == 1)
        try FileManager.default.removeItem(at: directory.url)
        #expect(try await bench.askThrice("large") == 4)
        #expect(bench.faults.all.count == 1)
    }

    /// In a process of its own, since it is the whole process that may write no longer files. Linux gives a full disk's error another
    /// number then, and nothing else is different.
    @Test("A disk that takes no more: the server answers, the fault is told once, nothing is left, and what fits is stored")
    func fullDisk() async {
        await #expect(processExitsWith: .success) {
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 100_000, rlim_max: 100_000)
            #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
            let directory = TemporaryDirectory()
            let bench = FaultBench(directory)
            var asked = try await bench.askThrice("large")
            #expect(asked == 3)
            #expect(bench.faults.all.count == 1, "\(bench.faults.all)")
            guard case .file(let details) = bench.faults.all.first else { return #expect(Bool(false)) }
            #expect(details.code == EFBIG)
            // What was written is removed behind the caller's back.
            await (bench.cache.store as? DiskStore)?.onLane {}
            #expect(directory.names == ["key", "lock"])
            asked = try await bench.askThrice("small")
            #expect(asked == 4)
        }
    }

    @Test("A full file system", .enabled(if: geteuid() == 0, "only root may mount one"))
    func fullFileSystem() async throws {
        let directory = TemporaryDirectory()
        try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
        guard let mount = SmallFileSystem(at: directory.url, size: 128 << 10) else { return }
        defer { withExtendedLifetime(mount) {} }
        let bench = FaultBench(directory)
        #expect(try await bench.askThrice("large") == 3)
        #expect(try await bench.askThrice("small") == 4)
        #expect(bench.faults.all.count == 1)
        guard case .file(let details) = bench.faults.all.first else { return #expect(Bool(false)) }
        #expect(details.code == ENOSPC)
        #expect(directory.entries.count == 1)
    }

    @Test(
        "A disk that is read only: what is there is answered, the rest by the server",
        .enabled(if: geteuid() == 0, "only root may mount one"))
    func readOnlyFileSystem() async throws {
        let directory = TemporaryDirectory()
        try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
        guard let mount = SmallFileSystem(at: directory.url, size: 1 << 20) else { return }
        #expect(try await FaultBench(directory).askThrice("small") == 1)
        guard mount.makeReadOnly() else { return }
        let bench = FaultBench(directory)
        #expect(try await bench.askThrice("small") == 0)
        #expect(try await bench.askThrice("large") == 3)
        #expect(bench.faults.all.count == 1)
        #expect(await bench.cache.isReadOnly)
        guard case .file(let details) = bench.faults.all.first else { return #expect(Bool(false)) }
        #expect(details.code == EROFS)
    }

    /// Root may do anything: so in a process of its own that becomes somebody else.
    @Test("No permission to write, or none to read: the server answers, and the fault is told once")
    func noPermission() async {
        await #expect(processExitsWith: .success) {
            let directory = TemporaryDirectory()
            let wasRoot = geteuid() == 0
            if wasRoot { #expect(seteuid(65534) == 0) }
            var asked = try await FaultBench(directory).askThrice("small")
            #expect(asked == 1)
            chmod(directory.file("lock").path, 0o400)
            chmod(directory.url.path, 0o500)
            let reading = FaultBench(directory)
            asked = try await reading.askThrice("small")
            #expect(asked == 0)
            asked = try await reading.askThrice("large")
            #expect(asked == 3)
            #expect(reading.faults.all.count == 1)
            chmod(directory.url.path, 0)
            let blind = FaultBench(directory)
            asked = try await blind.askThrice("small")
            #expect(asked == 3)
            #expect(blind.faults.all.count == 1, "\(blind.faults.all)")
            chmod(directory.url.path, 0o700)
        }
    }

    @Test("An entry that another user put there isn't answered", .enabled(if: geteuid() == 0, "only root may give files away"))
    func foreignFile() async throws {
        let directory = TemporaryDirectory()
        #expect(try await FaultBench(directory).askThrice("small") == 1)
        chown(directory.file(try #require(directory.entries.first)).path, 65534, 65534)
        let next = FaultBench(directory)
        #expect(try await next.askThrice("small") == 1)
        #expect(next.faults.all.count == 1)
    }
}
