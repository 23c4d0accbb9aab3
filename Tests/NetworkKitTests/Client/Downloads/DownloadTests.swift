import Foundation
import NetworkKitTesting
import PlatformBase
import Testing

@testable import NetworkKit

/// A client in front of a server of one file, and a folder to download it into.
struct DownloadBench {
    let directory = TemporaryDirectory()
    let client = TestClient()
    /// No wait between attempts.
    static let policy = ResumptionPolicy(maximumAttempts: 3, backoff: .constant(.zero))

    init() throws { try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true) }

    var file: URL { directory.file("file.bin") }
    var names: [String] { directory.names }

    func with(_ server: RangeServer, _ body: (LoopbackServer) async throws -> Void) async throws {
        try await LoopbackServer.with { routes in
            routes.get("/file.bin") { server.answer($0) }
            routes.get("/other.bin") { server.answer($0) }
        } perform: {
            try await body($0)
        }
    }

    func download(
        _ server: LoopbackServer, _ path: Path = "file.bin", _ options: DownloadOptions = .init(resumption: policy),
        request: RequestOptions = .init(), progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async -> Result<URL, RequestError> {
        await client.download(server.call(path, options: request), to: file, options: options, progress: progress)
    }

    /// What a download is kept as until it is whole.
    static let parts = [".file.bin.download", ".file.bin.download.json"]

    /// Has a download of 100,000 bytes fail after 40,000.
    func breakOff(_ files: RangeServer, _ server: LoopbackServer) async throws {
        files.setCuts([40_000])
        let once = DownloadOptions(resumption: .init(maximumAttempts: 0))
        let error = await download(server, "file.bin", once).failure
        #expect(error?.connectionKind == .truncated)
        #expect(names == Self.parts)
        #expect(directory.status(Self.parts[0]).st_size == 40_000)
    }
}

@Suite("Downloads")
struct DownloadTests {
    private static let bytes = sampleBytes(100_000)

    @Test("A file is there as a whole, with nothing beside it, and the bytes were asked for as they are")
    func whole() async throws {
        let bench = try DownloadBench()
        let files = RangeServer(Self.bytes)
        try await bench.with(files) { server in
            let file = try await bench.download(server).get()
            #expect(file == bench.file)
        }
        #expect(try Data(contentsOf: bench.file) == Self.bytes)
        #expect(bench.names == ["file.bin"])
        #expect(files.requests[0][values: .acceptEncoding] == ["identity"])
        #expect(files.ranges == [nil])
        #expect(bench.directory.status("file.bin").st_mode & 0o777 == 0o666 & ~currentMask)
    }

    private var currentMask: mode_t {
        let mask = umask(0)
        umask(mask)
        return mask
    }

    @Test("A download that is cut three times goes on by itself, and asks for each byte once")
    func resumed() async throws {
        let bench = try DownloadBench()
        let files = RangeServer(Self.bytes, cuts: [10_000, 0, 30_000, 5])
        let steps = Recorder<TransferProgress>()
        try await bench.with(files) { server in
            let hash = Hexadecimal.text(SHA256.hash(Array(Self.bytes)))
            _ = try await bench.download(server, "file.bin", .init(sha256: hash, resumption: DownloadBench.policy)) { steps.add($0) }.get()
        }
        #expect(try Data(contentsOf: bench.file) == Self.bytes)
        #expect(files.ranges == [nil, "bytes=10000-", "bytes=10000-", "bytes=40000-", "bytes=40005-"])
        #expect(files.requests.dropFirst().allSatisfy { $0[.ifRange] == "\"1\"" })
        #expect(files.sent == Self.bytes.count)
        #expect(steps.values.last == TransferProgress(completed: 100_000, total: 100_000))
        #expect(zip(steps.values, steps.values.dropFirst()).allSatisfy { $0.completed <= $1.completed })
    }

    @Test("What a failed download leaves is gone on with by the next one, and holds no secret")
    func later() async throws {
        let bench = try DownloadBench()
        let files = RangeServer(Self.bytes)
        try await bench.with(files) { server in
            let path: Path = "file.bin?api_key=\(secret: "hunter2-very-secret")"
            files.setCuts([40_000])
            let error = await bench.download(server, path, .init(resumption: .init(maximumAttempts: 0))).failure
            #expect(error?.connectionKind == .truncated)
            let record = String(decoding: try bench.directory.bytes(DownloadBench.parts[1]), as: UTF8.self)
            #expect(!record.contains("hunter2") && !record.contains("127.0.0.1") && record.contains("100000"))
            let steps = Recorder<TransferProgress>()
            _ = try await bench.download(server, path) { steps.add($0) }.get()
            #expect(steps.values.first == TransferProgress(completed: 40_000, total: 100_000))
        }
        #expect(try Data(contentsOf: bench.file) == Self.bytes)
        #expect(bench.names == ["file.bin"])
        #expect(files.ranges == [nil, "bytes=40000-"])
    }

    @Test("A download that is cancelled is gone on with too")
    func cancelled() async throws {
        let bench = try DownloadBench()
        let bytes = Self.bytes
        let requests = Recorder<String?>()
        try await LoopbackServer.with { routes in
            routes.get("/file.bin") { request in
                requests.add(request.headers[.range])
                guard request.headers.contains(.range) else {
                    return .data(bytes, headers: ["ETag": "\"1\""]).stalling(afterBodyBytes: 40_000)
                }
                return .data(bytes[40_000...], status: 206, headers: ["ETag": "\"1\"", "Content-Range": "bytes 40000-99999/100000"])
            }
        } perform: { server in
            let progress = ProgressMonitor(updatesPerSecond: 1_000_000)
            let updates = progress.updates
            let call = Task { await bench.download(server, request: .init(progress: progress)) }
            for await update in updates where update.download.completed == 40_000 { break }
            call.cancel()
            #expect(await call.value.failure?.isCancellation == true)
            #expect(bench.names == DownloadBench.parts)
            _ = try await bench.download(server).get()
        }
        #expect(try Data(contentsOf: bench.file) == bytes)
        #expect(requests.values == [nil, "bytes=40000-"])
    }

    @Test("A partial file that is whole already costs one byte")
    func wholeAlready() async throws {
        let bench = try DownloadBench()
        let files = RangeServer(Self.bytes)
        try await bench.with(files) { server in
            try await bench.breakOff(files, server)
            try bench.directory.write(Array(Self.bytes), DownloadBench.parts[0])
            _ = try await bench.download(server).get()
        }
        #expect(try Data(contentsOf: bench.file) == Self.bytes)
        #expect(files.ranges == [nil, "bytes=99999-"])
    }

    @Test("A partial file that lost bytes is gone on from where it ends", arguments: [39_999, 1, 0])
    func truncatedPartial(count: Int) async throws {
        let bench = try DownloadBench()
        let files = RangeServer(Self.bytes)
        try await bench.with(files) { server in
            try await bench.breakOff(files, server)
            try bench.directory.write(Array(Self.bytes.prefix(count)), DownloadBench.parts[0])
            _ = try await bench.download(server).get()
        }
        #expect(try Data(contentsOf: bench.file) == Self.bytes)
        #expect(files.ranges == [nil, count == 0 ? nil : "bytes=\(count)-"])
    }

    @Test(
        "A record that is none, of another version or gone, and a partial file that is too long: the download begins anew",
        arguments: ["", "{", "{\"version\":1}", "other version", "gone", "too long"])
    func strangeRecord(record: String) async throws {
        let bench = try DownloadBench()
        let files = RangeServer(Self.bytes)
        try await bench.with(files) { server in
            try await bench.breakOff(files, server)
            let place = bench.directory.file(DownloadBench.parts[1])
            switch record {
            case "gone": try FileManager.default.removeItem(at: place)
            case "other version":
                let text = String(decoding: try Data(contentsOf: place), as: UTF8.self)
                try Data(text.replacingOccurrences(of: "\"version\":1", with: "\"version\":2").utf8).write(to: place)
            case "too long": try bench.directory.write(Array(Self.bytes) + [1], DownloadBench.parts[0])
            default: try Data(record.utf8).write(to: place)
            }
            _ = try await bench.download(server).get()
        }
        #expect(try Data(contentsOf: bench.file) == Self.bytes)
        #expect(files.ranges == [nil, nil])
        #expect(bench.names == ["file.bin"])
    }

    @Test("A partial file of another URL isn't gone on with")
    func otherURL() async throws {
        let bench = try DownloadBench()
        let files = RangeServer(Self.bytes)
        try await bench.with(files) { server in
            try await bench.breakOff(files, server)
            _ = try await bench.download(server, "other.bin").get()
        }
        #expect(files.ranges == [nil, nil])
        #expect(try Data(contentsOf: bench.file) == Self.bytes)
    }

    @Test("When the file has changed in between, it comes as a whole, by the server's word or ours")
    func changed() async throws {
        for obeys in [true, false] {
            let bench = try DownloadBench()
            let (old, new) = (RangeServer(Self.bytes), RangeServer(sampleBytes(90_000, seed: 2), tag: "\"2\""))
            let isNew = Lock(false)
            try await LoopbackServer.with { routes in
                routes.get("/file.bin") { request in
                    guard isNew.withLock(\.self) else { return old.answer(request) }
                    // A server that knows nothing of If-Range answers with a part of the new bytes.
                    guard !obeys, let range = request.headers[.range] else { return new.answer(request) }
                    #expect(range == "bytes=40000-")
                    return .data(new.bytes[40_000...], status: 206, headers: ["ETag": "\"2\"", "Content-Range": "bytes 40000-89999/90000"])
                }
            } perform: { server in
                try await bench.breakOff(old, server)
                isNew.withLock { $0 = true }
                _ = try await bench.download(server).get()
            }
            #expect(try Data(contentsOf: bench.file) == new.bytes)
        }
    }

    @Test("A server that ignores Range, or answers with another one, or refuses it: the file is right all the same")
    func rangesIgnored() async throws {
        let bytes = Self.bytes
        let answers: [LoopbackResponse] = [
            .data(bytes, headers: ["ETag": "\"1\""]),
            .data(bytes, status: 206, headers: ["ETag": "\"1\"", "Content-Range": "bytes 0-99999/100000"]),
            .data(bytes.prefix(60_000), status: 206, headers: ["ETag": "\"1\""]),
            .status(416, headers: ["Content-Range": "bytes */100000"]),
            .status(416),
        ]
        for answer in answers {
            let bench = try DownloadBench()
            let files = RangeServer(bytes, cuts: [40_000])
            try await LoopbackServer.with { routes in
                routes.get("/file.bin") { request in request.headers.contains(.range) ? answer : files.answer(request) }
            } perform: { server in
                _ = try await bench.download(server).get()
            }
            #expect(try Data(contentsOf: bench.file) == bytes)
            #expect(bench.names == ["file.bin"])
        }
    }

    @Test("A server that gives part of what was asked for is asked for the rest")
    func shortParts() async throws {
        let bench = try DownloadBench()
        let bytes = Self.bytes
        let files = RangeServer(bytes, cuts: [10])
        let count = Lock(0)
        try await LoopbackServer.with { routes in
            routes.get("/file.bin") { request in
                guard let range = request.headers[.range], let start = Int(range.dropFirst(6).dropLast()) else {
                    return files.answer(request)
                }
                count.withLock { $0 += 1 }
                let end = min(start + 30_000, bytes.count)
                return .data(
                    bytes[start..<end], status: 206,
                    headers: ["ETag": "\"1\"", "Content-Range": "bytes \(start)-\(end - 1)/\(bytes.count)"])
            }
        } perform: { server in
            _ = try await bench.download(server).get()
        }
        #expect(try Data(contentsOf: bench.file) == bytes)
        #expect(count.withLock(\.self) == 4)
    }

    @Test("Without a strong validator nothing is kept, and a drop begins anew", arguments: ["W/\"1\"", nil])
    func weakValidator(tag: String?) async throws {
        let bench = try DownloadBench()
        let files = RangeServer(Self.bytes, tag: tag, cuts: [40_000, 50_000])
        try await bench.with(files) { server in
            _ = try await bench.download(server).get()
            #expect(files.ranges == [nil, nil, nil])
            #expect(try Data(contentsOf: bench.file) == Self.bytes)
            files.setCuts([1, 2, 3])
            let error = await bench.download(server, "file.bin", .init(existingFile: .replace, resumption: DownloadBench.policy)).failure
            #expect(error?.description.contains("can't be resumed: the answer's ETag is weak") == (tag != nil))
            #expect(error?.description.contains("can't be resumed: the answer has neither") == (tag == nil))
        }
        #expect(bench.names == ["file.bin"])
        #expect(try Data(contentsOf: bench.file) == Self.bytes)
    }

    @Test("A coded answer is kept as it came, can't be resumed, and says so")
    func coded() async throws {
        let bench = try DownloadBench()
        let text = String(repeating: "again and again ", count: 5000)
        let isCut = Lock(false)
        try await LoopbackServer.with { routes in
            routes.get("/file.bin") { _ in
                let answer = LoopbackResponse.text(text, headers: ["ETag": "\"1\""]).gzipped()
                return isCut.withLock(\.self) ? answer.cut(afterBodyBytes: 20) : answer
            }
        } perform: { server in
            _ = try await bench.download(server).get()
            #expect(try bench.directory.bytes("file.bin").prefix(2) == [0x1F, 0x8B])
            isCut.withLock { $0 = true }
            let error = await bench.download(server, "file.bin", .init(existingFile: .replace, resumption: DownloadBench.policy)).failure
            #expect(error?.description.contains("can't be resumed: the answer is coded") == true)
            #expect(bench.names == ["file.bin"])
        }
    }

    @Test("A status that means failure is the download's, and leaves nothing that wasn't there", arguments: [401, 403, 404, 410, 500])
    func statuses(code: Int) async throws {
        let bench = try DownloadBench()
        let files = RangeServer(Self.bytes)
        let isOver = Lock(false)
        try await LoopbackServer.with { routes in
            routes.get("/file.bin") { isOver.withLock(\.self) ? .text("no", status: HTTPStatus(code)) : files.answer($0) }
        } perform: { server in
            isOver.withLock { $0 = true }
            let error = await bench.download(server).failure
            #expect(error?.statusCode?.code == code && error?.response?.text == "no")
            #expect(bench.names == [])
            isOver.withLock { $0 = false }
            try await bench.breakOff(files, server)
            isOver.withLock { $0 = true }
            #expect(await bench.download(server).failure?.statusCode?.code == code)
        }
        // What is there may still be gone on with, but for what is gone.
        #expect(bench.names == ([404, 410].contains(code) ? [] : DownloadBench.parts))
    }

    @Test("A server that is busy for a while in the middle is waited for")
    func busy() async throws {
        let bench = try DownloadBench()
        let files = RangeServer(Self.bytes, cuts: [40_000])
        let busy = Lock(2)
        try await LoopbackServer.with { routes in
            routes.get("/file.bin") { request in
                let isBusy = busy.withLock { busy in
                    guard busy > 0, request.headers.contains(.range) else { return false }
                    busy -= 1
                    return true
                }
                return isBusy ? .status(503) : files.answer(request)
            }
        } perform: { server in
            _ = try await bench.download(server).get()
        }
        #expect(try Data(contentsOf: bench.file) == Self.bytes)
        #expect(files.sent == Self.bytes.count)
    }

    @Test("A wrong SHA-256 leaves no file, also of what was there before; one that is none is refused before anything is sent")
    func integrity() async throws {
        let bench = try DownloadBench()
        let files = RangeServer(Self.bytes)
        try await bench.with(files) { server in
            let none = await bench.download(server, "file.bin", .init(sha256: "abc")).failure
            #expect(none?.caseName == "integrity" && files.requests.isEmpty)
            try await bench.breakOff(files, server)
            try bench.directory.write(Array(repeating: 0, count: 40_000), DownloadBench.parts[0])
            let hash = Hexadecimal.text(SHA256.hash(Array(Self.bytes)))
            guard case .integrity(let details)? = await bench.download(server, "file.bin", .init(sha256: hash)).failure else {
                return #expect(Bool(false))
            }
            #expect(details.expected == hash && details.actual.count == 64)
            #expect(bench.names == [])
            _ = try await bench.download(server, "file.bin", .init(sha256: hash.uppercased())).get()
            #expect(bench.names == ["file.bin"])
        }
    }

    @Test("A deadline ends a download, and what has come stays; a limit of size ends it, and nothing does")
    func limits() async throws {
        let bench = try DownloadBench()
        let bytes = Self.bytes
        try await LoopbackServer.with { routes in
            routes.get("/file.bin") { _ in .data(bytes, headers: ["ETag": "\"1\""]).stalling(afterBodyBytes: 40_000) }
        } perform: { server in
            try await Unhurried.judge { pace in
                let error = await bench.download(server, request: .init(deadline: .milliseconds(500 * pace))).failure
                #expect(error?.caseName == "timedOut")
                return bench.names == DownloadBench.parts
            }
            let large = await bench.download(server, request: .init(maximumBodySize: 50_000)).failure
            #expect(large?.caseName == "responseTooLarge")
            #expect(bench.names == [])
        }
    }

    @Test("A download of nothing is an empty file", arguments: [200, 204])
    func empty(code: Int) async throws {
        let bench = try DownloadBench()
        try await LoopbackServer.with { routes in
            routes.get("/file.bin") { _ in .status(HTTPStatus(code)) }
        } perform: { server in
            let steps = Recorder<TransferProgress>()
            _ = try await bench.download(server) { steps.add($0) }.get()
            #expect(steps.values.last?.fraction == 1)
        }
        #expect(try bench.directory.bytes("file.bin").isEmpty)
    }

    @Test("Progress of a download as a sequence ends with it, and is of the file's bytes")
    func monitored() async throws {
        let bench = try DownloadBench()
        let progress = ProgressMonitor()
        try await bench.with(RangeServer(Self.bytes, cuts: [40_000])) { server in
            _ = try await bench.download(server, request: .init(progress: progress)).get()
        }
        #expect(progress.current.isLast)
        #expect(progress.current.download == TransferProgress(completed: 100_000, total: 100_000))
        #expect(progress.current.upload.total == 0)
    }
}
