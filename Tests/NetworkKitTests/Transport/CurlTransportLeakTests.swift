import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

extension ProcessesOfTheirOwn {
    @Suite("CurlTransport: what is left behind")
    struct CurlTransportLeakTests {
        @Test("B77: 500 transports made, used and dropped leave no thread and no descriptor")
        func droppedTransports() async {
            await #expect(processExitsWith: .success) {
                try await LoopbackServer.with { routes in
                    routes.get("/") { _ in .text("x") }
                } perform: { server in
                    _ = try await TestClient().text(server.call())
                    await server.waitUntilIdle()
                    let (threads, descriptors) = (ProcessStatus.threads, ProcessStatus.openDescriptors)
                    for _ in 0..<500 { _ = try await TestClient().text(server.call()) }
                    await server.waitUntilIdle()
                    await expectNoMore(threads: threads, descriptors: descriptors)
                }
            }
        }

        @Test("B77: nor do those whose answers were let go of before their end, and let go of twice")
        func droppedAnswers() async {
            await #expect(processExitsWith: .success) {
                try await LoopbackServer.with { routes in
                    routes.get("/") { _ in .data(Data(count: 1 << 20), contentType: "a/b").stalling(afterBodyBytes: 1 << 19) }
                } perform: { server in
                    func read() async throws -> HTTPResponse {
                        let response = try await TestClient().response(for: server.call()).get()
                        for try await _ in response.body { break }
                        return response
                    }
                    _ = try await read()
                    await server.waitUntilIdle()
                    let (threads, descriptors) = (ProcessStatus.threads, ProcessStatus.openDescriptors)
                    for _ in 0..<100 {
                        let response = try await read()
                        response.body.discard()
                        await server.waitUntilIdle()
                        response.body.discard()
                    }
                    await expectNoMore(threads: threads, descriptors: descriptors)
                }
            }
        }

        @Test("Thirty thousand that wait their turn are cancelled at once, on the loop's own executor")
        func manyWaitingCancelled() async {
            await #expect(processExitsWith: .success) {
                try await LoopbackServer.with { routes in
                    routes.get("/") { _ in .stalled }
                } perform: { server in
                    let client = TestClient()
                    let executor = try #require(client.session.executor)
                    let cancelled = await withTaskExecutorPreference(executor) {
                        await withTaskGroup(of: Bool.self) { group in
                            for _ in 0..<30_000 { group.addTask { await client.data(for: server.call()).failure?.isCancellation == true } }
                            _ = await server.waitForRequests(64)
                            group.cancelAll()
                            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
                        }
                    }
                    #expect(cancelled == 30_000)
                }
            }
        }
    }
}

/// Sees that nothing is left of what was done since these were counted: in the end, since a server sees a connection closed a moment before
/// the thread that closed it has ended.
private func expectNoMore(threads: Int, descriptors: Int) async {
    for _ in 0..<10_000 where ProcessStatus.threads > threads + 4 || ProcessStatus.openDescriptors > descriptors + 4 {
        await Task.yield()
    }
    #expect(ProcessStatus.threads <= threads + 4)
    #expect(ProcessStatus.openDescriptors <= descriptors + 4)
}
