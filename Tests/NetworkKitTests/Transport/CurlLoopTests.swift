#if canImport(CCurl)
import NetworkKitTesting
import PlatformBase
import Testing

@testable import NetworkKit

@Suite("The loop's thread")
struct CurlLoopTests {
    @Test("Where the system gives no thread, requests fail and say so, and none hangs; the next asks again", .timeLimit(.minutes(1)))
    func withoutThread() async throws {
        let hasThreads = OnceFlag()
        let transport = CurlTransport(start: { hasThreads.isSet && Thread.start($0) })
        let client = NetworkClient(session: HTTPSession(transport: transport))
        try await LoopbackServer.with { routes in
            routes.post("/") { request in .data(try await request.body()) }
        } perform: { server in
            let bodies: [RequestBody] = [.data(Data("x".utf8)), .stream([Data("x".utf8)].stream)]
            for body in bodies {
                let failure = await client.data(for: server.call("/", .post, body: body)).failure
                guard case .connection(let details) = failure else { return #expect(Bool(false), "\(String(describing: failure))") }
                #expect(details.reason.contains("no thread"))
            }
            #expect(server.requestCount == 0)
            #expect(hasThreads.set())
            let data = try await client.data(for: server.call("/", .post, body: .data(Data("x".utf8)))).get()
            #expect(data == Data("x".utf8))
        }
    }

    @Test("Where the system gives no thread, tasks that prefer the loop run all the same", .timeLimit(.minutes(1)))
    func tasksWithoutThread() async throws {
        let transport = CurlTransport(start: { _ in false })
        let value = await withTaskExecutorPreference(transport.executor) {
            await Task.yield()
            return 7
        }
        #expect(value == 7)
        let request = HTTPRequest(url: url("http://127.0.0.1:9/"))
        let ended = await withTaskExecutorPreference(transport.executor) {
            await failure { () async throws(RequestError) in _ = try await transport.send(request) }
        }
        guard case .connection = ended else { return #expect(Bool(false), "\(String(describing: ended))") }
    }
}
#endif
