import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

@Suite("CurlTransport: memory", .serialized)
struct CurlTransportMemoryTests {
    @Test("256 MiB for a slow reader are held back by the server, not kept here")
    func slowReader() async throws {
        let size = 256 << 20
        try await LoopbackServer.with { routes in
            routes.get("/") { _ in .generated(bytes: size) }
            routes.get("/pause") { _ in .text("go on").delayed(by: .milliseconds(300)) }
        } perform: { server in
            let client = TestClient()
            _ = try await client.text(server.call("pause"))
            let before = ProcessStatus.residentMemory
            var most = before
            var count = 0
            var pauses = 0
            let response = try await client.response(for: server.call()).get()
            for try await chunk in response.body {
                count += chunk.count
                if count >= pauses * (64 << 20) {
                    pauses += 1
                    _ = try await client.text(server.call("pause"))
                }
                most = max(most, ProcessStatus.residentMemory)
            }
            #expect(count == size)
            #expect(pauses >= 4)
            print("slow reader: \((most - before) >> 10) KiB over the start, in \(count >> 20) MiB")
            #expect(most - before <= 16 << 20)
        }
    }
}
