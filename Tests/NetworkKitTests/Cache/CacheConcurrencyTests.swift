import NetworkKitTesting
import PlatformBase
import Testing

@testable import NetworkKit

@Suite("Many requests for one answer")
struct CacheConcurrencyTests {
    private let stale: HTTPFields = ["Cache-Control": "max-age=60", "ETag": "\"1\""]

    /// A stub whose first answer comes at once, and whose later ones when they are let go.
    private func bench(_ first: StubAnswer, _ later: StubAnswer) -> (CacheBench, LoopbackGate) {
        let gate = LoopbackGate()
        let stub = StubTransport {
            $0.fallback { request in
                guard request.number > 1 else { return first }
                await gate.wait()
                return later
            }
        }
        return (CacheBench(stub), gate)
    }

    private func value(_ request: HTTPRequest) -> HTTPRequest {
        var request = request
        request.context.delivery = .value
        return request
    }

    /// Waits until so many wait for the entry's validation.
    private func waiters(_ count: Int, in cache: HTTPCache) async {
        while cache.flights.withLock({ $0.waiting }) < count { await Task.yield() }
    }

    @Test("1,000 requests for one stale answer cause one revalidation", arguments: [StubAnswer.status(304), .text("new")])
    func oneRevalidation(later: StubAnswer) async throws {
        let (bench, gate) = bench(.text("old", headers: stale), later.adding(stale))
        try await bench.get()
        bench.clock.advance(by: .seconds(70))
        let readings = try await withThrowingTaskGroup(of: CacheReading.self) { group in
            for _ in 0..<1000 { group.addTask { try await bench.read(value(pageRequest())) } }
            await waiters(999, in: bench.cache)
            gate.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(bench.stub.requests.count == 2)
        #expect(Set(readings.map(\.text)) == [later.status == 304 ? "old" : "new"])
        #expect(readings.count { $0.cacheStatus == "NetworkKit; fwd=stale; collapsed" } == 999)
        #expect(try await bench.get().use == .hit)
    }

    @Test("When the one who asks fails, the others ask for themselves")
    func leaderFails() async throws {
        let gate = LoopbackGate()
        let stub = StubTransport {
            $0.fallback { [stale] request in
                guard request.number == 2 else { return .text("\(request.number > 1)", headers: stale) }
                await gate.wait()
                return .connection(.reset)
            }
        }
        let bench = CacheBench(stub)
        try await bench.get()
        bench.clock.advance(by: .seconds(70))
        let outcomes = await withTaskGroup(of: Result<CacheReading, any Error>.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    do { return .success(try await bench.read(value(pageRequest()))) } catch { return .failure(error) }
                }
            }
            await waiters(9, in: bench.cache)
            gate.open()
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { (try? $0.get())?.text == "true" } == 9)
    }

    @Test("One who leaves takes nobody along: neither who asks nor who waits")
    func leaving() async throws {
        let (bench, gate) = bench(.text("old", headers: stale), .text("new", headers: stale))
        try await bench.get()
        bench.clock.advance(by: .seconds(70))
        let leader = Task { try await bench.read(value(pageRequest())) }
        await bench.stub.waitForRequests(2)
        let waiter = Task { try await bench.read(value(pageRequest())) }
        let other = Task { try await bench.read(value(pageRequest())) }
        await waiters(2, in: bench.cache)
        waiter.cancel()
        await #expect(throws: RequestError.self) { _ = try await waiter.value }
        #expect(bench.stub.requests.count == 2)
        leader.cancel()
        gate.open()
        _ = await leader.result
        #expect(try await other.value.text == "new")
    }

    @Test("When the one who asks leaves, one of those who wait asks for all of them")
    func leaderLeaves() async throws {
        let gate = LoopbackGate()
        let stub = StubTransport {
            $0.fallback { [stale] request in
                guard request.number > 1 else { return .text("old", headers: stale) }
                guard request.number > 2 else { return .stalled }
                await gate.wait()
                return .text("new", headers: stale)
            }
        }
        let bench = CacheBench(stub)
        try await bench.get()
        bench.clock.advance(by: .seconds(70))
        let leader = Task { try await bench.read(value(pageRequest())) }
        await stub.waitForRequests(2)
        let others = (0..<9).map { _ in Task { try await bench.read(value(pageRequest())) } }
        await waiters(9, in: bench.cache)
        leader.cancel()
        await #expect(throws: RequestError.self) { _ = try await leader.value }
        await stub.waitForRequests(3)
        gate.open()
        for other in others { #expect(try await other.value.text == "new") }
        #expect(stub.requests.count == 3)
    }

    @Test(
        "When the server can't answer the one who asks, a stale answer stands in for all, and nobody else asks",
        arguments: [StubAnswer.status(503), .connection(.reset)])
    func outage(answer: StubAnswer) async throws {
        let (bench, gate) = bench(.text("old", headers: ["Cache-Control": "max-age=60, stale-if-error=100"]), answer)
        try await bench.get()
        bench.clock.advance(by: .seconds(70))
        let tasks = (0..<10).map { _ in Task { try await bench.read(value(pageRequest())) } }
        await waiters(9, in: bench.cache)
        gate.open()
        for task in tasks {
            let reading = try await task.value
            #expect(reading.text == "old" && reading.use == .stale)
        }
        #expect(bench.stub.requests.count == 2)
    }

    @Test("When the server means another answer by its 304, one asks for that on behalf of all")
    func otherAnswer() async throws {
        let gate = LoopbackGate()
        let stub = StubTransport {
            $0.fallback { [stale] request in
                guard request.number > 1 else { return .text("old", headers: stale) }
                await gate.wait()
                return request.number == 2
                    ? .status(304, headers: ["ETag": "\"2\""]) : .text("new", headers: ["Cache-Control": "max-age=60", "ETag": "\"2\""])
            }
        }
        let bench = CacheBench(stub)
        try await bench.get()
        bench.clock.advance(by: .seconds(70))
        let tasks = (0..<10).map { _ in Task { try await bench.read(value(pageRequest())) } }
        await waiters(9, in: bench.cache)
        gate.open()
        for task in tasks { #expect(try await task.value.text == "new") }
        #expect(stub.requests.count == 3)
    }

    @Test("A stream that is read slowly holds up nobody")
    func slowStream() async throws {
        let (bench, gate) = bench(.text("old", headers: stale), .chunks([Data("n".utf8), Data("ew".utf8)], headers: stale))
        try await bench.get()
        bench.clock.advance(by: .seconds(70))
        gate.open()
        let slow = try await bench.send(pageRequest())
        #expect(slow.metrics.cache == .miss)
        #expect(try await bench.read(value(pageRequest())).text == "new")
        slow.body.discard()
        #expect(try await bench.get().use == .hit)
    }

    @Test("While it is refreshed a stale answer is used at once, and one request refreshes it for all")
    func refresh() async throws {
        let headers: HTTPFields = ["Cache-Control": "max-age=60, stale-while-revalidate=100", "ETag": "\"1\""]
        // The time on the way counts as age, so that the new answer must live longer.
        let (bench, gate) = bench(.text("old", headers: headers), .text("new", headers: ["Cache-Control": "max-age=600"]))
        try await bench.get("https://a.test/page", .get, ["X": "1"])
        bench.clock.advance(by: .seconds(70))
        for _ in 0..<10 {
            let reading = try await bench.get("https://a.test/page", .get, ["X": "2"], identity: nil)
            #expect(reading.text == "old" && reading.use == .stale && reading.cacheStatus == "NetworkKit; hit; ttl=-10")
        }
        let sent = await bench.stub.waitForRequests(2)
        #expect(sent[1].headers == ["X": "2", "If-None-Match": "\"1\""] && sent[1].context.id != sent[0].context.id)
        // Whoever comes when it is too old waits for the same.
        bench.clock.advance(by: .seconds(100))
        let late = Task { try await bench.read(value(pageRequest())) }
        await waiters(1, in: bench.cache)
        gate.open()
        let reading = try await late.value
        #expect(reading.text == "new" && reading.use == .revalidated)
        #expect(bench.stub.requests.count == 2)
        #expect(try await bench.get().use == .hit)
    }

    @Test("A refresh asks for the whole answer, whatever part of it or condition its caller asked by")
    func refreshOfAPart() async throws {
        let headers: HTTPFields = ["Cache-Control": "max-age=60, stale-while-revalidate=100", "ETag": "\"1\""]
        let bench = CacheBench(.text("old", headers: headers), .text("new", headers: headers))
        try await bench.get()
        bench.clock.advance(by: .seconds(70))
        let part = try await bench.get(
            "https://a.test/page", .get, ["Range": "bytes=0-1", "If-Range": "\"1\"", "If-None-Match": "\"0\"", "X": "1"])
        #expect(part.status == 206 && part.text == "ol")
        #expect(await bench.stub.waitForRequests(2)[1].headers == ["X": "1", "If-None-Match": "\"1\""])
        while bench.cache.flights.withLock({ $0.isValidating }) { await Task.yield() }
        #expect(try await bench.get().description == "200 new hit NetworkKit; hit; ttl=60")
    }

    @Test("A refresh outlives its call, but not its own deadline; then the next one is begun")
    func refreshDeadline() async throws {
        let headers: HTTPFields = ["Cache-Control": "max-age=60, stale-while-revalidate=1000"]
        let bench = CacheBench(.text("old", headers: headers), .stalled, .text("new", headers: headers))
        try await bench.get()
        bench.clock.advance(by: .seconds(70))
        let scope = CallScope()
        var request = pageRequest()
        request.context.scope = scope
        #expect(try await bench.read(request).use == .stale)
        scope.end(.cancelled())
        await bench.stub.waitForRequests(2)
        await bench.clock.advance(through: .seconds(300))
        while bench.cache.flights.withLock({ $0.isValidating }) { await Task.yield() }
        #expect(try await bench.get().use == .stale)
        await bench.stub.waitForRequests(3)
        while bench.cache.flights.withLock({ $0.isValidating }) { await Task.yield() }
        #expect(try await bench.get().description == "200 new hit NetworkKit; hit; ttl=60")
    }

    @Test("What was asked for before a change isn't kept after it")
    func changedMeanwhile() async throws {
        let (bench, gate) = bench(.status(204), .text("before", headers: stale))
        let putter = StubTransport(.status(204))
        // The first request of the stub answers at once.
        try await bench.get("https://a.test/other")
        let reader = Task { try await bench.read(value(pageRequest())) }
        await bench.stub.waitForRequests(2)
        var put = pageRequest("https://a.test/page", .put)
        put.context = CallContext(clock: bench.clock)
        _ = try await Next(interceptors: [.cache(bench.cache)], transport: putter)(put)
        gate.open()
        #expect(try await reader.value.text == "before")
        #expect(try await bench.get(policy: .cacheOnly).status == 504)
        #expect(try await bench.get().use == .miss)
        #expect(try await bench.get().use == .hit)
        await bench.cache.remove(url("https://a.test/page"))
        #expect(try await bench.get(policy: .cacheOnly).status == 504)
    }

    @Test("Nor does who asks after a change get it from an exchange that began before, and nobody later from the store")
    func changedMeanwhileShared() async throws {
        let gate = LoopbackGate()
        let stub = StubTransport {
            $0.on(.post, "*", .status(201))
            $0.fallback { [stale] request in
                await gate.wait()
                return .text("\(request.number)", headers: stale)
            }
        }
        let (clock, cache, coalescing) = (TestClock(), HTTPCache(), CoalescingInterceptor(ignoring: []))
        let next = Next(interceptors: [.cache(cache), coalescing], transport: stub)
        @Sendable func text(_ method: HTTPMethod = .get) async throws -> String {
            let response = try await next(value(pageRequest("https://a.test/page", method, clock: clock)))
            return String(decoding: try await response.body.collect(upTo: 100), as: UTF8.self)
        }
        let before = Task { try await text() }
        await stub.waitForRequests(1)
        _ = try await text(.post)
        let after = Task { try await text() }
        while coalescing.callers < 2 { await Task.yield() }
        gate.open()
        #expect(try await before.value == "1")
        #expect(try await after.value == "3")
        #expect(try await text() == "3" && stub.requests.count == 3)
    }
}

extension CacheFlights {
    fileprivate var waiting: Int { validations.values.reduce(0) { $0 + $1.count } }
    fileprivate var isValidating: Bool { !validations.isEmpty }
}
