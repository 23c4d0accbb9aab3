import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

@Suite("A transport's loop as an executor")
struct CurlExecutorTests {
    @Test("A task that prefers the loop runs on its one thread, before a request and behind it")
    func oneThread() async throws {
        try await LoopbackServer.with { routes in
            routes.get("/") { _ in .text("hello") }
        } perform: { server in
            let client = TestClient()
            let outside = Self.thread
            let threads = try await withTaskExecutorPreference(client.session.executor) {
                var threads = Set<UInt>()
                for _ in 0..<20 {
                    threads.insert(Self.thread)
                    let text = try await client.text(server.call())
                    #expect(text == "hello")
                    threads.insert(Self.thread)
                }
                return threads
            }
            #expect(threads.count == 1 && !threads.contains(outside))
        }
    }

    @Test("A model isn't decoded on the loop")
    func decoding() async throws {
        try await LoopbackServer.with { routes in
            routes.get("/") { _ in .json(#"{"id": 7}"#) }
        } perform: { server in
            let client = TestClient()
            let (loop, decoded) = try await withTaskExecutorPreference(client.session.executor) {
                _ = try await client.text(server.call())
                let model = try await client.sendRequest(endpoint: server.call(), responseModel: Witness.self).get()
                return (Self.thread, model.thread)
            }
            #expect(loop != decoded)
            // Elsewhere nothing is gained by another change of thread, and none is made: the model is there all the same.
            let model = try await client.sendRequest(endpoint: server.call(), responseModel: Witness.self).get()
            #expect(model.id == 7)
        }
    }

    @Test("Many tasks share the loop with their requests, and with those of others")
    func many() async throws {
        try await LoopbackServer.with { routes in
            routes.get("/") { _ in .text("hello") }
        } perform: { server in
            let client = TestClient()
            let count = try await withThrowingTaskGroup { group in
                for number in 0..<60 {
                    group.addTask(executorPreference: number.isMultiple(of: 2) ? client.session.executor : nil) {
                        try await client.text(server.call()).count
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(count == 300)
        }
    }

    @Test("A call from the loop ends when it is cancelled, and at its deadline")
    func ends() async throws {
        try await LoopbackServer.with { routes in
            routes.get("/") { _ in .stalled }
        } perform: { server in
            let client = TestClient()
            await withTaskExecutorPreference(client.session.executor) {
                let late = await client.data(for: server.call(options: .init(deadline: .milliseconds(50))))
                guard case .failure(.timedOut) = late else { return #expect(Bool(false), "expected timedOut") }
            }
            let task = Task(executorPreference: client.session.executor) { await client.data(for: server.call()) }
            await server.waitForRequests(2)
            task.cancel()
            guard case .failure(.cancelled) = await task.value else { return #expect(Bool(false), "expected cancelled") }
        }
    }

    @Test("Tasks go on when the transport that they prefer has been let go of, and its thread ends with them")
    func outlived() async throws {
        let executor = try #require(HTTPSession(transport: CurlTransport(.init(proxy: .none))).executor)
        let value = await withTaskExecutorPreference(executor) {
            await Task.yield()
            return 1
        }
        #expect(value == 1)
    }

    @Test("A session on a transport of one's own has no executor")
    func none() {
        #expect(HTTPSession(transport: StubTransport()).executor == nil)
    }

    private static var thread: UInt { UInt(pthread_self()) }

    /// A model that knows the thread it was made on.
    private struct Witness: Decodable, Sendable {
        let id: Int
        let thread: UInt

        enum CodingKeys: CodingKey { case id }

        init(from decoder: any Decoder) throws {
            id = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .id)
            thread = CurlExecutorTests.thread
        }
    }
}
