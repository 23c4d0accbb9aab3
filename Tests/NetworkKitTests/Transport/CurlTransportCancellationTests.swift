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

        /// Counted in a process of its own, where no other test has threads.
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
                    // The server sees the connection closed a moment before the thread has ended.
                    for _ in 0..<10_000 where ProcessStatus.threads > threads + 4 || ProcessStatus.openDescriptors > descriptors + 4 {
                        await Task.yield()
                    }
                    #expect(ProcessStatus.threads <= threads + 4)
                    #expect(ProcessStatus.openDescriptors <= descriptors + 4)
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
                    for _ in 0..<10_000 where ProcessStatus.threads > threads + 4 || ProcessStatus.openDescriptors > descriptors + 4 {
                        await Task.yield()
                    }
                    #expect(ProcessStatus.threads <= threads + 4)
                    #expect(ProcessStatus.openDescriptors <= descriptors + 4)
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
