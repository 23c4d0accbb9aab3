#if canImport(CCurl)
import NetworkKitTesting
import PlatformBase
import Testing

@testable import NetworkKit

@Suite("Uploads of files")
struct FileUploadTests {
    /// Reads a file's upload to its end, this much at a time, and waits where there is nothing yet.
    private func read(
        _ body: FileBody, _ size: Int = 1 << 16, before: (Int) throws -> Void = { _ in }
    ) async throws(RequestError) -> (bytes: Data, waits: Int) {
        let (ready, signal) = AsyncStream.makeStream(of: Void.self)
        let upload = FileUpload(body) { signal.yield() }
        var waiting = ready.makeAsyncIterator()
        var (bytes, waits) = (Data(), 0)
        var buffer = [UInt8](repeating: 0, count: size)
        while true {
            try? before(bytes.count)
            switch buffer.withUnsafeMutableBytes({ upload.read(into: $0) }) {
            case .bytes(let count): bytes += buffer.prefix(count)
            case .end: return (bytes, waits)
            case .nothingYet:
                waits += 1
                _ = await waiting.next()
            case .failure(let error): throw error
            }
        }
    }

    @Test("All bytes come, in order, whatever is read at once", arguments: [1, 1000, 65_536, 1 << 20])
    func whole(size: Int) async throws {
        for count in [0, 1, size - 1, size, size + 1, 3 * FileBody.chunkSize + 5] where size > 1 || count < 10_000 {
            let content = sampleBytes(count)
            let file = try TemporaryFile(content)
            let (bytes, _) = try await read(FileBody(file.url), size)
            #expect(bytes == content)
        }
    }

    @Test("What the system has in memory isn't waited for")
    func held() async throws {
        let content = sampleBytes(8 << 20)
        let file = try TemporaryFile(content)
        let (bytes, waits) = try await read(FileBody(file.url))
        #expect(bytes == content)
        // The first piece always is, since a file may be slow to open, and one more now and then, when somebody else is at work with the
        // file's pages. A file system that doesn't tell has every one read so.
        #expect(waits < 16 || waits == 32, "\(waits)")
    }

    @Test("What it hasn't in memory is read meanwhile, and comes all the same")
    func cold() async throws {
        let content = sampleBytes(4 << 20)
        let file = try TemporaryFile(content)
        let descriptor = open(file.url.path, O_RDONLY)
        defer { close(descriptor) }
        fdatasync(descriptor)
        let (bytes, _) = try await read(FileBody(file.url)) { _ in posix_fadvise(descriptor, 0, 0, Int32(POSIX_FADV_DONTNEED)) }
        #expect(bytes == content)
    }

    @Test("A file that gets shorter or longer on the way never comes whole", arguments: [1 << 20, (3 << 20) + 7, 0])
    func changed(size: Int) async throws {
        let file = try TemporaryFile(zeros: 2 << 20)
        let error = await #expect(throws: RequestError.self) {
            try await read(FileBody(file.url)) { count in if count >= 1 << 18 { try file.resize(to: size) } }
        }
        guard case .file(let details) = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(details.reason.contains("has changed: it had 2097152 bytes when the request was made, and has \(size) now"))
    }

    @Test("A file that is gone when it is to be opened is an error")
    func gone() async throws {
        let file = try TemporaryFile(Data("x".utf8))
        let body = try FileBody(file.url)
        try file.remove()
        await #expect { try await read(body) } throws: { "\($0)".contains("can't open") }
    }

    @Test("Nothing comes any more once it has ended")
    func ended() throws {
        let file = try TemporaryFile(Data("x".utf8))
        let upload = FileUpload(try FileBody(file.url)) {}
        upload.end(.failure(.cancelled))
        let reading = withUnsafeTemporaryAllocation(byteCount: 8, alignment: 1) { upload.read(into: $0) }
        guard case .failure(.cancelled) = reading else { return #expect(Bool(false)) }
    }
}
#endif
