import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

@Suite("Field reports: multipart")
struct MultipartReportsTests {
    /// In a process of its own, whose folder for temporary files nobody else uses.
    @Test("B64: no temporary file is made for a body, whatever becomes of its request")
    func noTemporaryFiles() async {
        await #expect(processExitsWith: .success) {
            let folder = FileManager.default.temporaryDirectory.appending(path: "networkkit-b64-\(UUID().uuidString)")
            let (own, photo) = (folder.appending(path: "temporary"), folder.appending(path: "photo.jpg"))
            try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            try Data(count: 3 << 20).write(to: photo)
            setenv("TMPDIR", own.path, 1)
            // What is watched is where such files would be.
            #expect(FileManager.default.temporaryDirectory.standardized.path == own.standardized.path)

            try await LoopbackServer.with { routes in
                routes.post("/taken") { request in
                    _ = try await request.body()
                    return .text("taken")
                }
                routes.post("/refused") { request in
                    _ = try await request.body()
                    return .status(500)
                }
                routes.post("/stalls") { _ in .stalled }
            } perform: { server in
                let client = TestClient()
                func upload(_ path: String, of file: URL) async -> Result<Data, RequestError> {
                    let form = MultipartForm([.text("title", "x"), .file("photo", file), .data("more", Data(count: 1 << 20))])
                    return await client.data(for: server.call(Path(path), .post, body: .multipart(form)))
                }
                for _ in 0..<20 {
                    #expect(await upload("taken", of: photo).failure == nil)
                    #expect(await upload("refused", of: photo).failure != nil)
                    #expect(await upload("taken", of: folder.appending(path: "missing")).failure != nil)
                    let stalled = Task { await upload("stalls", of: photo) }
                    while server.requests.last?.path != "/stalls" { await Task.yield() }
                    stalled.cancel()
                    #expect(await stalled.value.failure != nil)
                }
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: own.path) == [])
        }
    }
}
