import NetworkKitTesting
import PlatformBase
import Testing

@testable import NetworkKit

@Suite("Following a call's progress")
struct ProgressMonitorTests {
    private func options(_ progress: ProgressMonitor) -> RequestOptions { RequestOptions(progress: progress) }

    @Test("A call that gives a value returns after the last update, which says that it is the last")
    func callback() async throws {
        let steps = Recorder<ProgressMonitor.Update>()
        let progress = ProgressMonitor { steps.add($0) }
        let client = NetworkClient(session: .stubbed(.chunks(["abc", "de"]), clock: TestClock()))
        let body = RequestBody.data(Data(count: 40))
        _ = await client.data(for: SampleEndpoint(method: .put, body: body, options: options(progress)))
        let last = try #require(steps.values.last)
        #expect(last.isLast && last == progress.current)
        #expect(last.upload == TransferProgress(completed: 40, total: 40))
        #expect(last.download == TransferProgress(completed: 5, total: 5))
        #expect(steps.values.filter(\.isLast).count == 1)
    }

    @Test("Updates on a clock that stands still are the first and the last")
    func bounded() async {
        let steps = Recorder<ProgressMonitor.Update>()
        let progress = ProgressMonitor { steps.add($0) }
        let chunks = (0..<100).map { _ in Data(count: 10) }
        _ = await NetworkClient(session: .stubbed(.chunks(chunks), clock: TestClock())).data(
            for: SampleEndpoint(options: options(progress)))
        // The first may be overtaken before the callback's thread has begun.
        #expect([[10, 1000], [1000]].contains(steps.values.map(\.download.completed)))
    }

    @Test("A callback that is slow has one update waiting, the newest, and always the last")
    func slowCallback() async {
        let (entered, told) = AsyncStream<Void>.makeStream()
        let hold = Semaphore()
        let steps = Recorder<ProgressMonitor.Update>()
        let progress = ProgressMonitor(updatesPerSecond: 1_000_000) { step in
            steps.add(step)
            guard steps.values.count == 1 else { return }
            told.yield()
            hold.wait()
        }
        #expect(progress.begin(countsDownload: false))
        progress.received(1, of: 100, at: .zero)
        for await _ in entered { break }
        for count in 2...99 { progress.received(Int64(count), of: 100, at: .seconds(count)) }
        progress.finish(length: 100)
        hold.signal()
        await progress.finished(length: 100, in: CallContext())
        #expect(steps.values.map(\.download.completed) == [1, 99] && steps.values.map(\.isLast) == [false, true])
    }

    @Test("A call waits for its callback no longer than its deadline or its cancellation, and its answer stands", .timeLimit(.minutes(1)))
    func patience() async throws {
        for isCancelled in [true, false] {
            let (entered, told) = AsyncStream<Void>.makeStream()
            let (hold, clock) = (Semaphore(), TestClock())
            let progress = ProgressMonitor { step in
                guard step.isLast else { return }
                told.yield()
                hold.wait()
            }
            let client = NetworkClient(session: .stubbed(.text("hello"), defaults: .init(deadline: .seconds(5)), clock: clock))
            let call = Task { await client.data(for: SampleEndpoint(options: options(progress))) }
            for await _ in entered { break }
            if isCancelled { call.cancel() } else { await clock.advance(through: .seconds(5)) }
            #expect(try await call.value.get() == Data("hello".utf8))
            hold.signal()
        }
    }

    @Test("A sequence of updates ends with the call, and a slow listener gets the newest")
    func sequence() async {
        let progress = ProgressMonitor()
        let updates = progress.updates
        let chunks = (0..<100).map { _ in Data(count: 10) }
        _ = await NetworkClient(session: .stubbed(.chunks(chunks), clock: TestClock())).data(
            for: SampleEndpoint(options: options(progress)))
        var seen: [ProgressMonitor.Update] = []
        for await update in updates { seen.append(update) }
        #expect(seen.map(\.download.completed) == [1000] && seen.last?.isLast == true)
        var late: [ProgressMonitor.Update] = []
        for await update in progress.updates { late.append(update) }
        #expect(late == seen)
    }

    @Test("A call that fails has a last update too, which claims nothing")
    func failed() async {
        let progress = ProgressMonitor()
        let client = NetworkClient(session: .stubbed(.chunks(["abc", "de"]).cut(afterBodyBytes: 3), clock: TestClock()))
        _ = await client.data(for: SampleEndpoint(options: options(progress)))
        #expect(progress.current.isLast)
        #expect(progress.current.download == TransferProgress(completed: 3, total: nil))
    }

    @Test("A stream is followed until its body has been read, or let go of")
    func stream() async throws {
        for reads in [true, false] {
            let progress = ProgressMonitor()
            let client = NetworkClient(session: .stubbed(.chunks(["abc", "de"]), clock: TestClock()))
            let response = try await client.response(for: SampleEndpoint(options: options(progress))).get()
            #expect(!progress.current.isLast)
            if reads { _ = try await response.body.collect(upTo: 100) } else { response.body.discard() }
            #expect(progress.current.isLast)
            #expect(progress.current.download.total == (reads ? 5 : nil))
        }
    }

    @Test("An answer from a cache counts when it is there")
    func cached() async throws {
        let answer = StubAnswer.text("hello", headers: ["Cache-Control": "max-age=60"])
        let session = HTTPSession(
            transport: StubTransport { $0.fallback { _ in answer } }, interceptors: [.cache(HTTPCache())], clock: TestClock())
        let client = NetworkClient(session: session)
        _ = await client.data(for: SampleEndpoint())
        let progress = ProgressMonitor()
        let reply = try await client.reply(endpoint: SampleEndpoint(options: options(progress)), responseModel: Data.self).get()
        #expect(reply.head.headers["Cache-Status"]?.contains("hit") == true)
        #expect(progress.current.download == TransferProgress(completed: 5, total: 5))
    }

    @Test("A second call with the same monitor isn't followed, nor does it disturb the first")
    func oneCall() async {
        let progress = ProgressMonitor()
        let client = NetworkClient(session: .stubbed(.text("hello"), clock: TestClock()))
        _ = await client.data(for: SampleEndpoint(options: options(progress)))
        let before = progress.current
        _ = await client.data(for: SampleEndpoint(method: .put, body: .data(Data(count: 9)), options: options(progress)))
        #expect(progress.current == before && before.download.completed == 5)
    }

    @Test("A retry doesn't make the upload go back")
    func retried() async throws {
        let steps = Recorder<ProgressMonitor.Update>()
        let progress = ProgressMonitor(updatesPerSecond: 1_000_000) { steps.add($0) }
        try await LoopbackServer.with { routes in
            let count = Lock(0)
            routes.post("/") { request in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                _ = try await request.text()
                return number < 3 ? .text(String(repeating: "busy", count: 1000), status: 503) : .text("stored")
            }
        } perform: { server in
            let client = TestClient(interceptors: [.retry(.init(backoff: .constant(.milliseconds(1))))])
            let body = RequestBody.data(Data(count: 1 << 20))
            let call = server.call("", .post, headers: ["Idempotency-Key": "1"], body: body, options: options(progress))
            let answer = try await client.text(call)
            #expect(answer == "stored")
        }
        #expect(zip(steps.values, steps.values.dropFirst()).allSatisfy { $0.upload.completed <= $1.upload.completed })
        #expect(steps.values.allSatisfy { $0.upload.completed <= 1 << 20 && $0.upload.total == 1 << 20 })
        #expect(steps.values.allSatisfy { $0.download.completed <= 6 })
        #expect(progress.current.upload.fraction == 1 && progress.current.download == TransferProgress(completed: 6, total: 6))
    }

    @Test("With gzip the coded bytes are counted against the coded length", arguments: [true, false])
    func coded(declares: Bool) async throws {
        let text = String(repeating: "the same again and again; ", count: 10_000)
        let steps = Recorder<ProgressMonitor.Update>()
        let progress = ProgressMonitor(updatesPerSecond: 1_000_000) { steps.add($0) }
        try await LoopbackServer.with { routes in
            routes.get("/") { _ in
                let answer = LoopbackResponse.text(text).gzipped()
                return declares ? answer : answer.chunked(into: 100)
            }
        } perform: { server in
            let answer = try await TestClient().text(server.call(options: options(progress)))
            #expect(answer == text)
        }
        let last = progress.current.download
        #expect(last.fraction == 1 && last.completed < Int64(text.utf8.count / 10))
        for step in steps.values where !step.isLast { #expect(step.download.total == (declares ? last.total : nil)) }
    }
}
