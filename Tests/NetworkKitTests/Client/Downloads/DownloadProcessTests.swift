import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

@Suite("Downloads and the end of their process")
struct DownloadProcessTests {
    @Test(
        "What a process that is killed leaves is gone on with by another one",
        .disabled(if: Sanitizer.isOn, "it looks into a killed process"))
    func killed() async throws {
        let bench = try DownloadBench()
        let bytes = sampleBytes(3_000_000)
        let files = RangeServer(bytes)
        try await LoopbackServer.with { routes in
            routes.get("/file.bin") { request in
                let answer = files.answer(request)
                return request.headers.contains(.range) ? answer : answer.stalling(afterBodyBytes: 2_000_000)
            }
        } perform: { server in
            let (port, path) = ("\(server.port)", bench.file.path)
            await #expect(processExitsWith: .signal(SIGKILL)) { [port = port as String, path = path as String] in
                let file = URL(filePath: path)
                guard let base = URL(string: "http://127.0.0.1:\(port)/file.bin") else { return }
                Task { await TestClient().download(Call(baseURL: base), to: file) }
                // As it does, it writes what has come in batches of 1 MiB.
                let part = file.deletingLastPathComponent().appending(path: DownloadBench.parts[0]).path
                var status = stat()
                while stat(part, &status) != 0 || status.st_size < 900_000 { poll(nil, 0, 1) }
                kill(getpid(), SIGKILL)
            }
            #expect(bench.names == DownloadBench.parts)
            let kept = bench.directory.status(DownloadBench.parts[0]).st_size
            #expect(kept >= 900_000 && kept <= 2_000_000)
            _ = try await bench.download(server).get()
            #expect(files.ranges == [nil, "bytes=\(kept)-"])
        }
        #expect(try Data(contentsOf: bench.file) == bytes)
        #expect(bench.names == ["file.bin"])
    }
}
