import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

/// Faults in downloads that users of other clients reported, each by its number.
@Suite("Field reports: downloads")
struct DownloadReportsTests {
    private static let bytes = sampleBytes(200)

    /// What a server does that is asked for the rest of 200 bytes from 100 on.
    enum Rest: CaseIterable { case fromTheStart, less, whole, unsatisfied, changed }

    @Test("B66: a resumed download is the bytes that the server has now, whatever it answers to a range", arguments: Rest.allCases)
    func rests(rest: Rest) async throws {
        let bench = try DownloadBench()
        let bytes = Self.bytes
        let now = rest == .changed ? sampleBytes(200, seed: 9) : bytes
        let tag = rest == .changed ? "\"2\"" : "\"1\""
        let isFirst = Lock(true)
        let part: @Sendable (Range<Int>) -> LoopbackResponse = { range in
            let field = "bytes \(range.lowerBound)-\(range.upperBound - 1)/200"
            return .data(now[range], status: 206, headers: ["ETag": tag, "Content-Range": field])
        }
        try await LoopbackServer.with { routes in
            routes.get("/file.bin") { request in
                let begins = isFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst
                }
                if begins { return .data(bytes, headers: ["ETag": "\"1\""]).cut(afterBodyBytes: 100) }
                let whole = LoopbackResponse.data(now, headers: ["ETag": tag])
                guard let range = request.headers[.range], let start = Int(range.dropFirst(6).dropLast()) else { return whole }
                if request.headers[.ifRange] != "\"1\"" { return .status(400) }
                return switch rest {
                case .fromTheStart: part(0..<200)
                case .less: part(start..<min(start + 50, 200)).closingConnection()
                case .whole: whole
                case .unsatisfied: .status(416, headers: ["Content-Range": "bytes */200"])
                case .changed: part(start..<200)
                }
            }
        } perform: { server in
            _ = try await bench.download(server).get()
        }
        #expect(try Data(contentsOf: bench.file) == now)
        #expect(bench.names == ["file.bin"])
    }

    @Test("B67: odd leftovers, a file in the way and a missing folder give the whole file or an error")
    func leftovers() async throws {
        let files = RangeServer(Self.bytes)
        let leftovers = ["", "{}", "{\"version\":1,\"source\":\"x\",\"validator\":{\"tag\":{\"_0\":\"1\"}}}", "\u{0}\u{1}"]
        for leftover in leftovers {
            let bench = try DownloadBench()
            try bench.directory.write([1, 2, 3], DownloadBench.parts[0])
            try bench.directory.write(Array(leftover.utf8), DownloadBench.parts[1])
            try await bench.with(files) { server in
                _ = try await bench.download(server).get()
                #expect(try Data(contentsOf: bench.file) == Self.bytes)
                #expect(bench.names == ["file.bin"])
                let again = await bench.download(server).failure
                #expect(again?.caseName == "file")
                let missing = await bench.client.download(server.call("file.bin"), to: bench.directory.file("missing/file.bin")).failure
                #expect(missing?.caseName == "file")
            }
        }
        #expect(files.ranges.allSatisfy { $0 == nil })
    }
}
