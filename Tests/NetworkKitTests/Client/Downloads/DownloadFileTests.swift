import Foundation
import NetworkKitTesting
import PlatformBase
import Testing

@testable import NetworkKit

@Suite("The file of a download")
struct DownloadFileTests {
    private static let bytes = sampleBytes(50_000)

    private func code(_ error: RequestError?) -> Int32? { if case .file(let details)? = error { details.code } else { nil } }

    @Test("A file that is there stays, and nothing is sent; by option it is replaced when the new one is whole")
    func existing() async throws {
        let bench = try DownloadBench()
        let files = RangeServer(Self.bytes)
        try bench.directory.write([1], "file.bin")
        try await bench.with(files) { server in
            let error = await bench.download(server).failure
            #expect(code(error) == EEXIST && error?.description.contains("existingFile") == true)
            #expect(files.requests.isEmpty)
            files.setCuts([10])
            _ = await bench.download(server, "file.bin", .init(existingFile: .replace, resumption: .none))
            #expect(try bench.directory.bytes("file.bin") == [1] && bench.names == ["file.bin"])
            _ = try await bench.download(server, "file.bin", .init(existingFile: .replace)).get()
        }
        #expect(try Data(contentsOf: bench.file) == Self.bytes)
        #expect(bench.names == ["file.bin"])
    }

    @Test("A file that appears meanwhile isn't overwritten")
    func appearing() async throws {
        let bench = try DownloadBench()
        try await LoopbackServer.with { routes in
            routes.get("/file.bin") { _ in
                try bench.directory.write([1], "file.bin")
                return .data(Self.bytes)
            }
        } perform: { server in
            let error = await bench.download(server).failure
            #expect(code(error) == EEXIST)
        }
        #expect(try bench.directory.bytes("file.bin") == [1])
    }

    @Test("A folder where the file should be, a folder that isn't there, a file for a folder, and no file URL: each is said, nothing sent")
    func places() async throws {
        let bench = try DownloadBench()
        let files = RangeServer(Self.bytes)
        try FileManager.default.createDirectory(at: bench.file, withIntermediateDirectories: false)
        try bench.directory.write([1], "plain")
        try await bench.with(files) { server in
            let replacing = DownloadOptions(existingFile: .replace)
            #expect(code(await bench.download(server, "file.bin", replacing).failure) == EISDIR)
            let call = server.call("file.bin")
            let client = bench.client
            #expect(code(await client.download(call, to: bench.directory.file("missing/file.bin")).failure) == ENOENT)
            #expect(code(await client.download(call, to: bench.directory.file("plain/file.bin")).failure) == ENOTDIR)
            #expect(code(await client.download(call, into: bench.directory.file("missing")).failure) == ENOENT)
            #expect(code(await client.download(call, into: bench.directory.file("plain")).failure) == ENOTDIR)
            #expect(await client.download(call, to: url("https://api.example.com/file")).failure?.caseName == "file")
            #expect(files.requests.isEmpty)
        }
        #expect(bench.names == ["file.bin", "plain"])
    }

    @Test("Two downloads to one file: one of them is told of the other")
    func twoAtOnce() async throws {
        let bench = try DownloadBench()
        try await LoopbackServer.with { routes in
            routes.get("/file.bin") { _ in .data(Self.bytes, headers: ["ETag": "\"1\""]).stalling(afterBodyBytes: 10) }
        } perform: { server in
            let progress = ProgressMonitor(updatesPerSecond: 1_000_000)
            let updates = progress.updates
            let first = Task { await bench.download(server, request: .init(progress: progress)) }
            for await update in updates where update.download.completed == 10 { break }
            let second = await bench.download(server).failure
            #expect(code(second) == EWOULDBLOCK && second?.description.contains("another download") == true)
            first.cancel()
            #expect(await first.value.failure?.isCancellation == true)
        }
        #expect(bench.names == DownloadBench.parts)
    }

    @Test("Links in the place of what is written are not followed")
    func links() async throws {
        let bench = try DownloadBench()
        try bench.directory.write([7], "precious")
        symlink(bench.directory.file("precious").path, bench.directory.file(DownloadBench.parts[0]).path)
        try await bench.with(RangeServer(Self.bytes)) { server in
            #expect(code(await bench.download(server).failure) == ELOOP)
            unlink(bench.directory.file(DownloadBench.parts[0]).path)
            symlink(bench.directory.file("precious").path, bench.file.path)
            _ = try await bench.download(server, "file.bin", .init(existingFile: .replace)).get()
        }
        #expect(try bench.directory.bytes("precious") == [7])
        #expect(try Data(contentsOf: bench.file) == Self.bytes)
    }

    @Test(
        "A full disk is said, and what is there is gone on with when there is room", .enabled(if: geteuid() == 0, "only root may mount one")
    )
    func fullDisk() async throws {
        let bench = try DownloadBench()
        let bytes = sampleBytes(400_000)
        guard let mount = SmallFileSystem(at: bench.directory.url, size: 256 << 10) else { return }
        defer { withExtendedLifetime(mount) {} }
        let files = RangeServer(bytes)
        try await bench.with(files) { server in
            let error = await bench.download(server).failure
            #expect(code(error) == ENOSPC)
            #expect(bench.names.contains(DownloadBench.parts[0]))
            let have = bench.directory.status(DownloadBench.parts[0]).st_size
            guard have > 0, bench.names == DownloadBench.parts, mount.resize(to: 1 << 20) else { return }
            _ = try await bench.download(server).get()
            #expect(files.ranges == [nil, "bytes=\(have)-"])
            #expect(try Data(contentsOf: bench.file) == bytes)
        }
    }

    @Test("Into a folder, the file has the server's name for it, and never lies elsewhere")
    func names() async throws {
        let bench = try DownloadBench()
        let names = [
            ("attachment; filename=\"../../etc/passwd\"", "passwd"), ("attachment; filename*=UTF-8''..%2F..%2Fetc%2Fshadow", "shadow"),
            ("attachment; filename=\"Größe.pdf\"", "Größe.pdf"), ("attachment; filename=\"..\"", "download"), (nil, "file.bin"),
        ]
        for (field, name) in names {
            var fields = HTTPFields()
            fields[.contentDisposition] = field
            try await LoopbackServer.with { [fields] routes in
                routes.get("/x/file.bin") { _ in .data(Self.bytes, headers: fields) }
            } perform: { server in
                let file = try await bench.client.download(server.call("x/file.bin"), into: bench.directory.url).get()
                #expect(file.lastPathComponent == name)
                #expect(file.deletingLastPathComponent().standardizedFileURL.path == bench.directory.url.standardizedFileURL.path)
                #expect(try Data(contentsOf: file) == Self.bytes)
                let again = await bench.client.download(server.call("x/file.bin"), into: bench.directory.url).failure
                #expect(code(again) == EEXIST)
            }
        }
        #expect(bench.names == names.map(\.1).sorted())
    }

    @Test("Into a folder, a broken download is gone on with as well, under the name that it had")
    func resumedInFolder() async throws {
        let bench = try DownloadBench()
        let files = RangeServer(Self.bytes, cuts: [10_000])
        try await LoopbackServer.with { routes in
            routes.get("/file") { request in
                let answer = files.answer(request)
                return request.headers.contains(.range) ? answer : answer.adding(["Content-Disposition": "attachment; filename=named.bin"])
            }
        } perform: { server in
            let call = server.call("file")
            _ = await bench.client.download(call, into: bench.directory.url, options: .init(resumption: .init(maximumAttempts: 0)))
            #expect(bench.names.count == 2 && bench.names.allSatisfy { $0.hasPrefix(".") })
            let file = try await bench.client.download(call, into: bench.directory.url).get()
            #expect(file.lastPathComponent == "named.bin")
        }
        #expect(try bench.directory.bytes("named.bin") == Array(Self.bytes))
        #expect(files.ranges == [nil, "bytes=10000-"])
        #expect(bench.names == ["named.bin"])
    }
}
