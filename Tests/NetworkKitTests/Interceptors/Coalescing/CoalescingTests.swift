import Foundation
import NetworkKitTesting
import Testing

@testable import NetworkKit

@Suite("Sharing an exchange")
struct CoalescingTests {
    private struct Client: HTTPClient {
        var session: HTTPSession
    }

    private let coalescing = CoalescingInterceptor(ignoring: ["traceparent"])

    /// Waits until so many callers are in.
    private func callers(_ count: Int) async { while coalescing.callers != count { await Task.yield() } }

    private func stubbed(_ stub: StubTransport, _ clock: TestClock = TestClock()) -> Client {
        Client(session: HTTPSession(transport: stub, interceptors: [coalescing], clock: clock))
    }

    @Test("Fifty callers get the answer of one request")
    func fifty() async throws {
        let gate = LoopbackGate()
        try await LoopbackServer.with {
            $0.get("value") { _ in
                await gate.wait(); return .text("shared")
            }
        } perform: { server in
            let client = TestClient(interceptors: [coalescing])
            let tasks = (0..<50).map { _ in Task { await client.data(for: server.call("value")) } }
            await callers(50)
            gate.open()
            for task in tasks { #expect(await (try? task.value.get()) == Data("shared".utf8)) }
            #expect(server.requests.count == 1 && coalescing.callers == 0)
            #expect(await (try? client.data(for: server.call("value")).get()) == Data("shared".utf8))
            #expect(server.requests.count == 2, "an answer that has come isn't shared")
        }
    }

    @Test("One that is cancelled leaves alone, also the first; the others get their answer", arguments: [0, 1, 2])
    func oneLeaves(leaver: Int) async throws {
        let gate = LoopbackGate()
        try await LoopbackServer.with {
            $0.get("value") { _ in
                await gate.wait(); return .text("shared")
            }
        } perform: { server in
            let client = TestClient(interceptors: [coalescing])
            var tasks: [Task<Result<Data, RequestError>, Never>] = []
            for count in 1...3 {
                tasks.append(Task { await client.data(for: server.call("value")) })
                await callers(count)
            }
            await server.waitForRequests(1)
            tasks[leaver].cancel()
            #expect(await tasks.remove(at: leaver).value.failure?.isCancellation == true, "at once, before the answer")
            gate.open()
            for task in tasks { #expect(await (try? task.value.get()) == Data("shared".utf8)) }
            #expect(server.requests.count == 1)
        }
    }

    @Test("Every caller's error tells what was sent for it")
    func attempts() async throws {
        let clock = TestClock()
        let stub = StubTransport(.status(503, headers: ["Retry-After": "0"]).delayed(by: .seconds(1)))
        let client = Client(session: HTTPSession(transport: stub, interceptors: [coalescing, .retry()], clock: clock))
        let tasks = (0..<2).map { _ in Task { await client.data(for: SampleEndpoint()) } }
        await callers(2)
        for _ in 0..<3 { await clock.advance(through: .seconds(1)) }
        for task in tasks {
            let error = try #require(await task.value.failure)
            #expect(error.attempts.map(\.status) == [503, 503, 503], "\(error)")
        }
        #expect(stub.requests.count == 3)
    }

    @Test("When all have been cancelled the exchange stops: the server sees the connection end")
    func allLeave() async throws {
        try await LoopbackServer.with {
            $0.get("value") { _ in .stalled }
        } perform: { server in
            let client = TestClient(interceptors: [coalescing])
            let tasks = (0..<5).map { _ in Task { await client.data(for: server.call("value")) } }
            await callers(5)
            await server.waitForRequests(1)
            for task in tasks { task.cancel() }
            for task in tasks { #expect(await task.value.failure?.isCancellation == true) }
            await server.waitUntilIdle()
            #expect(server.requests.count == 1 && coalescing.callers == 0)
        }
    }

    @Test("Each caller has its own deadline, and the first one's isn't the others'")
    func deadlines() async throws {
        let (clock, stub) = (TestClock(), StubTransport(.text("a").delayed(by: .seconds(20))))
        let client = stubbed(stub, clock)
        let short = Task { await client.data(for: SampleEndpoint(options: .init(deadline: .seconds(5)))) }
        await callers(1)
        let long = Task { await client.data(for: SampleEndpoint(options: .init(deadline: .seconds(100)))) }
        await callers(2)
        await clock.advance(through: .seconds(5))
        #expect(await short.value.failure?.caseName == "timedOut")
        await clock.advance(through: .seconds(15))
        #expect(try await long.value.get() == Data("a".utf8) && stub.requests.count == 1)
    }

    @Test("An error is everybody's, and each gets it with a story of its own")
    func errors() async throws {
        let (clock, stub) = (TestClock(), StubTransport(.connection(.reset).delayed(by: .seconds(1))))
        let client = stubbed(stub, clock)
        let tasks = ["one", "two"].map { name in Task { await client.data(for: SampleEndpoint(options: .init(name: name))) } }
        await callers(2)
        await clock.advance(through: .seconds(1))
        for (task, name) in zip(tasks, ["one", "two"]) {
            let error = await task.value.failure
            #expect(error?.connectionKind == .reset && error?.story?.name == name && error?.story?.url?.host() == "api.example.com")
        }
        #expect(stub.requests.count == 1)
    }

    @Test("An answer that is no success is everybody's too, with the beginning of its body", arguments: [10, 100_000])
    func statuses(size: Int) async throws {
        let (clock, stub) = (TestClock(), StubTransport(.data(Data(count: size), status: 404).delayed(by: .seconds(1))))
        let client = stubbed(stub, clock)
        let tasks = (0..<2).map { _ in Task { await client.data(for: SampleEndpoint()) } }
        await callers(2)
        await clock.advance(through: .seconds(1))
        for task in tasks {
            let response = await task.value.failure?.response
            #expect(response?.head.status == 404 && response?.body.count == min(size, FailedResponse.bodyLimit))
            #expect(response?.isBodyTruncated == (size > FailedResponse.bodyLimit))
        }
    }

    @Test("A body that breaks off breaks off for all")
    func brokenBody() async throws {
        let (clock, stub) = (TestClock(), StubTransport(.chunks(["a", "b"]).cut(afterBodyBytes: 1).delayed(by: .seconds(1))))
        let client = stubbed(stub, clock)
        let tasks = (0..<2).map { _ in Task { await client.data(for: SampleEndpoint()) } }
        await callers(2)
        await clock.advance(through: .seconds(1))
        for task in tasks { #expect(await task.value.failure?.connectionKind == .truncated) }
    }

    @Test("A caller with a smaller limit gets its own error; one with a larger limit its own exchange")
    func limits() async throws {
        let (clock, stub) = (TestClock(), StubTransport(.data(Data(count: 50)).delayed(by: .seconds(1))))
        let client = stubbed(stub, clock)
        var tasks: [Task<Result<Data, RequestError>, Never>] = []
        for (index, limit) in [60, 40, 70].enumerated() {
            tasks.append(Task { await client.data(for: SampleEndpoint(options: .init(maximumBodySize: limit))) })
            await callers(index + 1)
        }
        await clock.sleepers([.seconds(1), .seconds(1), .seconds(300)])
        await clock.advance(through: .seconds(1))
        #expect(try await tasks[0].value.get().count == 50)
        #expect(try await tasks[2].value.get().count == 50)
        guard case .responseTooLarge(let details) = await tasks[1].value.failure else { return #expect(Bool(false)) }
        #expect(details.limit == 40 && stub.requests.count == 2)
    }

    @Test("What further in asks how long there is gets the time of the caller who has most")
    func remaining() async throws {
        let clock = TestClock()
        let seen = Recorder<Duration?>()
        struct Asking: Interceptor {
            let clock: TestClock
            let seen: Recorder<Duration?>
            func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
                try? await clock.sleep(for: .seconds(1))
                seen.add(request.context.deadline)
                seen.add(request.context.remaining)
                return try await next(request)
            }
        }
        let session = HTTPSession(
            transport: StubTransport(.text("a")), interceptors: [coalescing, Asking(clock: clock, seen: seen)], clock: clock)
        let client = Client(session: session)
        let tasks = [10, 30, 20].map { seconds in
            Task { await client.data(for: SampleEndpoint(options: .init(deadline: .seconds(seconds)))) }
        }
        await callers(3)
        await clock.advance(through: .seconds(1))
        for task in tasks { _ = try await task.value.get() }
        #expect(seen.values == [nil, .seconds(29)])
    }

    @Test(
        "Who asks after a change doesn't join who asked before it, also not where the change says that it is",
        arguments: [("/items", true), ("/named", true), ("/m%C3%BCnchen", true), ("/refused", false), ("/other", false)])
    func changes(path: String, isChanged: Bool) async throws {
        let gate = LoopbackGate()
        let stub = StubTransport {
            $0.on(.post, "/refused", .status(409))
            $0.on(.post, "*", .status(201, headers: ["Location": "/m\u{fc}nchen", "Content-Location": "/named"]))
            $0.fallback { request in
                await gate.wait()
                return .text("\(request.number)")
            }
        }
        let next = Next(interceptors: [coalescing], transport: stub)
        func read() -> Task<String, any Error> {
            Task {
                var request = HTTPRequest(url: url("https://a.test" + path))
                request.context.delivery = .value
                return String(decoding: try await next(request).body.collect(upTo: 100), as: UTF8.self)
            }
        }
        let before = read()
        await stub.waitForRequests(1)
        _ = try await next(HTTPRequest(url: url("https://a.test" + (path == "/refused" ? path : "/items")), method: .post))
        let after = read()
        await callers(2)
        gate.open()
        #expect(try await before.value == "1")
        #expect(try await after.value == (isChanged ? "3" : "1"))
        #expect(stub.requests.count == (isChanged ? 3 : 2) && coalescing.callers == 0)
    }

    @Test("Neither exchange nor answer outlives its callers")
    func leaks() async throws {
        weak var exchange: SharedExchange?
        do {
            let request = HTTPRequest(url: url("https://a.test/"))
            let shared = SharedExchange(request)
            exchange = shared
            await withCheckedContinuation { continuation in
                shared.start(request, Next(transport: StubTransport(.text("a")))) { _ in continuation.resume() }
            }
        }
        while exchange != nil { await Task.yield() }
    }
}
