import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

@Suite("StubTransport: time")
struct StubTimeTests {
    private let clock = TestClock()

    @Test("A delay goes by the session's clock")
    func delay() async throws {
        let client = StubTransport(.json(Film(id: 7)).delayed(by: .seconds(20))).client(clock: clock)
        async let film = client.send(GetFilm(id: 7))
        await clock.advance(through: .seconds(20))
        #expect(try await film.get() == Film(id: 7))
    }

    @Test("An answer that is too slow for the deadline, or that never comes, ends with it", arguments: [true, false])
    func deadline(isSilent: Bool) async throws {
        let answer = isSilent ? StubAnswer.stalled : .json(Film(id: 7)).delayed(by: .seconds(20))
        let client = StubTransport(answer).client(defaults: .init(deadline: .seconds(5)), clock: clock)
        async let film = client.send(GetFilm(id: 7))
        await clock.advance(through: .seconds(5))
        #expect(await film.error?.limit == .deadline)
    }

    @Test("A silence that is longer than the timeout ends the attempt, before the head and within the body")
    func silence() async throws {
        for answer in [StubAnswer.stalled, .text("slow").delayed(by: .seconds(31)), .text("abc").stalling(afterBodyBytes: 2)] {
            let clock = TestClock()
            let client = StubTransport(answer).client(clock: clock)
            async let outcome = client.data(for: GetFilm(id: 7))
            await clock.advance(through: .seconds(30))
            #expect(await outcome.error?.limit == .attempt)
        }
    }

    @Test("Pieces come with pauses between them")
    func dripping() async throws {
        let client = StubTransport(.text("abcde").dripping(bytes: 2, every: .seconds(3))).client(clock: clock)
        let response = try await client.response(for: GetFilm(id: 7)).get()
        async let pieces = response.body.reduce(into: [Data]()) { $0.append($1) }
        for _ in 0..<2 { await clock.advance(through: .seconds(3)) }
        #expect(try await pieces == ["ab", "cd", "e"].map { Data($0.utf8) })
        #expect(clock.elapsed == .seconds(6))
    }

    @Test("The first byte's time is the head's, also when the body has ended")
    func firstByte() async throws {
        let answer = StubAnswer.text("abcd").dripping(bytes: 2, every: .seconds(3)).delayed(by: .seconds(5))
        async let response = StubTransport(answer).send(HTTPRequest(url: sampleURL("https://h.test"), context: CallContext(clock: clock)))
        await clock.advance(through: .seconds(5))
        let body = try await response.body
        async let whole = body.collect(upTo: 10)
        await clock.advance(through: .seconds(3))
        #expect(try await whole == Data("abcd".utf8))
        #expect(body.metrics?.firstByte == .seconds(5) && body.metrics?.total == .seconds(8) && body.metrics?.bodyBytesReceived == 4)
    }

    @Test("What comes whole has its final figures at once")
    func plainFigures() async throws {
        let client = StubTransport(.text("abcd").delayed(by: .seconds(5))).client(clock: clock)
        async let reply = client.reply(to: GetText())
        await clock.advance(through: .seconds(5))
        let metrics = try await reply.get().metrics
        #expect(metrics.firstByte == .seconds(5) && metrics.total == .seconds(5) && metrics.bodyBytesReceived == 4)
    }

    private struct GetText: FilmEndpoint, ResponseEndpoint {
        typealias Response = String
        var path: Path { "text" }
    }

    @Test("A call that is over leaves nobody asleep on the clock")
    func over() async throws {
        let client = StubTransport(.json(Film(id: 7))).client(clock: clock)
        for _ in 0..<3 { _ = try await client.send(GetFilm(id: 7)).get() }
        await clock.sleepers([])
    }

    @Test("Cancellation ends a wait at once, and nobody sleeps on")
    func cancellation() async {
        for answer in [StubAnswer.stalled, .text("abc").delayed(by: .seconds(9)), .text("abc").stalling(afterBodyBytes: 1)] {
            let clock = TestClock()
            let stub = StubTransport(answer)
            let call = Task { await stub.client(defaults: .init(deadline: .seconds(99)), clock: clock).data(for: GetFilm(id: 7)) }
            await stub.waitForRequests(1)
            while clock.waits.count < 2 { await Task.yield() }
            call.cancel()
            #expect(await call.value.error?.isCancellation == true)
            // The session has gone with the call, and its alarm with the session.
            await clock.sleepers([])
        }
    }

    @Test("A request that is sent by hand keeps to its own deadline")
    func byHand() async {
        var context = CallContext(clock: clock)
        context.deadline = .seconds(4)
        let request = HTTPRequest(url: sampleURL("https://h.test/"), options: .init(deadline: .seconds(4)), context: context)
        async let response = StubTransport(.stalled).send(request)
        await clock.advance(through: .seconds(4))
        do {
            _ = try await response
            Issue.record("an answer came")
        } catch {
            #expect((error as? RequestError)?.limit == .deadline)
        }
    }

    @Test("Waiting for requests ends when they have come, and with cancellation")
    func waiting() async {
        let stub = StubTransport(.status(200))
        async let seen = stub.waitForRequests(2)
        for _ in 0..<2 { _ = await stub.client().data(for: GetFilm(id: 1)) }
        #expect(await seen.count == 2)
        let never = Task { await stub.waitForRequests(3) }
        never.cancel()
        #expect(await never.value.count == 2)
    }
}
