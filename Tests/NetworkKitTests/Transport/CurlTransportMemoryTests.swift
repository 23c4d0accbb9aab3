import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

extension ProcessesOfTheirOwn {
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

        /// Against nginx, which is another process, so that what is measured is the client's. Of ten calls one fails, one is let go of with
        /// most of its body unread, and one sends a body.
        @Test(
            "50,000 requests leave neither memory nor descriptors behind",
            .enabled(if: NginxServer.isInstalled, "nginx and openssl are not installed"),
            .disabled(if: Sanitizer.isOn, "a sanitizer keeps what is freed"))
        func manyRequests() async {
            await #expect(processExitsWith: .success) {
                let server = try NginxServer()
                defer { server.stop() }
                guard let base = URL(string: "http://127.0.0.1:\(server.httpPort)") else { return #expect(Bool(false)) }
                let client = TestClient()
                @Sendable func call(_ number: Int) async throws {
                    switch number % 10 {
                    case 0: #expect(await client.data(for: Call(baseURL: base, path: "missing")).failure?.statusCode == 404)
                    case 1: try await client.response(for: Call(baseURL: base, path: "hello")).get().body.discard()
                    case 2:
                        let body = RequestBody.data(Data(repeating: 7, count: 4096))
                        _ = await client.data(for: Call(baseURL: base, path: "hello", method: .post, body: body))
                    default: #expect(try await client.data(for: Call(baseURL: base, path: "hello")).get().count == 14)
                    }
                }
                let callers = 16
                func make(_ requests: Int) async throws {
                    try await withThrowingTaskGroup { group in
                        for caller in 0..<callers {
                            group.addTask { for number in stride(from: caller, to: requests, by: callers) { try await call(number) } }
                        }
                        try await group.waitForAll()
                    }
                }
                // One connection is open now. How many of the callers' are when they have ended is chance: the server closes each after
                // some requests.
                try await call(3)
                let withOneConnection = ProcessStatus.openDescriptors
                try await make(10_000)
                let before = (memory: ProcessStatus.residentMemory, descriptors: ProcessStatus.openDescriptors)
                try await make(40_000)
                let after = (memory: ProcessStatus.residentMemory, descriptors: ProcessStatus.openDescriptors)
                print("50,000 requests: \((after.memory - before.memory) >> 10) KiB, \(after.descriptors - before.descriptors) descriptors")
                #expect(after.memory - before.memory <= 2 << 20)
                for descriptors in [before.descriptors, after.descriptors] { #expect(descriptors <= withOneConnection + callers - 1 + 2) }
            }
        }
    }
}
