import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

extension OneAtATime {
    @Suite("CurlTransport: cancellation")
    struct CurlTransportCancellationTests {
        @Test("A task cancelled before its call sends nothing")
        func cancelledBefore() async throws {
            try await LoopbackServer.with { routes in
                routes.get("/") { _ in .text("x") }
            } perform: { server in
                let client = TestClient()
                let task = Task {
                    withUnsafeCurrentTask { $0?.cancel() }
                    return await client.data(for: server.call())
                }
                let failure = await task.value.failure
                #expect(failure?.isCancellation == true)
                #expect(server.requestCount == 0)
            }
        }

        @Test("Cancelling while the server is silent, in the head or in the body, ends the call and the connection")
        func cancelledWhileWaiting() async throws {
            try await LoopbackServer.with { routes in
                routes.get("/head") { _ in .stalled }
                routes.get("/body") { _ in .text("0123456789").stalling(afterBodyBytes: 1) }
            } perform: { server in
                let client = TestClient()
                for path in ["head", "body"] {
                    let before = server.requestCount
                    let task = Task { await client.data(for: server.call(Path(path))) }
                    _ = await server.waitForRequests(before + 1)
                    task.cancel()
                    let failure = await task.value.failure
                    #expect(failure?.isCancellation == true)
                    await server.waitUntilIdle()
                }
            }
        }

        @Test("Cancelling the reader of a stream ends the stream")
        func cancelledReader() async throws {
            try await LoopbackServer.with { routes in
                routes.get("/") { _ in .text("0123456789").stalling(afterBodyBytes: 5) }
            } perform: { server in
                let client = TestClient()
                let task = Task { () -> RequestError? in
                    do throws(RequestError) {
                        let response = try await client.response(for: server.call()).get()
                        for try await _ in response.body {}
                        return nil
                    } catch {
                        return error
                    }
                }
                _ = await server.waitForRequests(1)
                task.cancel()
                let failure = await task.value
                #expect(failure?.isCancellation == true)
                await server.waitUntilIdle()
            }
        }

        @Test("B45: cancelled requests give their places back")
        func placesComeBack() async throws {
            try await LoopbackServer.with { routes in
                routes.get("/slow") { _ in .stalled }
                routes.get("/fast") { _ in .text("fast") }
            } perform: { server in
                let client = TestClient(.init(proxy: .none, connectionsPerHost: 4))
                for round in 1...50 {
                    let tasks = (0..<4).map { _ in Task { await client.data(for: server.call("slow")) } }
                    _ = await server.waitForRequests(round * 4)
                    for task in tasks { task.cancel() }
                    for task in tasks { _ = await task.value }
                }
                let text = try await client.text(server.call("fast"))
                #expect(text == "fast")
                await server.waitForOpenConnections(atMost: 1)
            }
        }

        @Test("B46: 200 runs of 50 requests cancelled at random moments: each ends once, nothing hangs, leaks or crashes")
        func randomMoments() async throws {
            let content = Data(repeating: 7, count: 20_000)
            try await LoopbackServer.with { routes in
                routes.get("/") { _ in .data(content) }
            } perform: { server in
                let transport = CurlTransport(.init(proxy: .none))
                let client = NetworkClient(session: HTTPSession(transport: transport))
                _ = await client.data(for: server.call())
                let descriptors = ProcessStatus.openDescriptors
                for run in 0..<200 {
                    var random = SeededGenerator(seed: UInt64(run))
                    await withTaskGroup(of: Int.self) { group in
                        for _ in 0..<50 {
                            let spins = Int.random(in: 0..<100, using: &random)
                            group.addTask {
                                let task = Task { await client.data(for: server.call()) }
                                for _ in 0..<spins { await Task.yield() }
                                task.cancel()
                                let result = await task.value
                                return (try? result.get().count) ?? (result.failure?.isCancellation == true ? -1 : -2)
                            }
                        }
                        for await outcome in group { #expect(outcome == 20_000 || outcome == -1) }
                    }
                }
                let last = try await client.data(for: server.call()).get()
                #expect(last.count == 20_000)
                await server.waitForOpenConnections(atMost: 64)
                #expect(ProcessStatus.openDescriptors <= descriptors + 2 * 64 + 8)
            }
        }
    }
}
