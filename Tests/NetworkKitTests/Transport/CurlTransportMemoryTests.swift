import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

extension OneAtATime {
    @Suite("CurlTransport: memory")
    struct CurlTransportMemoryTests {
        /// Measured in a process of its own, where no other test takes memory.
        @Test(
            "256 MiB for a slow reader are held back by the server, not kept here",
            .disabled(if: Sanitizer.isOn, "a sanitizer keeps what is freed"))
        func slowReader() async {
            await #expect(processExitsWith: .success) {
                let size = 256 << 20
                try await LoopbackServer.with { routes in
                    routes.get("/") { _ in .generated(bytes: size) }
                    routes.get("/pause") { _ in .text("go on").delayed(by: .milliseconds(300)) }
                } perform: { server in
                    let client = TestClient()
                    _ = try await client.text(server.call("pause"))
                    let before = ProcessStatus.residentMemory
                    var (most, count, pauses) = (before, 0, 0)
                    let response = try await client.response(for: server.call()).get()
                    for try await chunk in response.body {
                        count += chunk.count
                        if count >= pauses * (64 << 20) {
                            pauses += 1
                            _ = try await client.text(server.call("pause"))
                        }
                        most = max(most, ProcessStatus.residentMemory)
                    }
                    print("slow reader: \((most - before) >> 10) KiB over the start, in \(count >> 20) MiB")
                    #expect(count == size && pauses >= 4)
                    #expect(most - before <= 16 << 20)
                }
            }
        }
    }
}
