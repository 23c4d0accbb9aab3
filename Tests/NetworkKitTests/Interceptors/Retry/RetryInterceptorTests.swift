import Foundation
import NetworkKitTesting
import PlatformBase
import Testing

@testable import NetworkKit

@Suite("Sending again")
struct RetryInterceptorTests {
    private let clock = TestClock()
    private let second = RetryPolicy(backoff: .constant(.seconds(1)))

    private func client(
        _ transport: any Transport, _ interceptors: [any Interceptor], defaults: RequestOptions = .init()
    ) -> NetworkClient {
        NetworkClient(session: HTTPSession(transport: transport, interceptors: interceptors, defaults: defaults, clock: clock))
    }

    @Test("A failure that passes is waited out, and the answer is the call's", arguments: [StubAnswer.status(503), .connection(.reset)])
    func passes(failure: StubAnswer) async throws {
        let stub = StubTransport(failure, failure, .text("ok"))
        let client = client(stub, [.retry(second)])
        async let outcome = client.data(for: SampleEndpoint())
        await clock.advance(through: .seconds(1))
        await clock.advance(through: .seconds(1))
        #expect(try await outcome.get() == Data("ok".utf8))
        #expect(stub.requests.map(\.context.attempt) == [1, 2, 3])
    }

    @Test("429 with Retry-After is waited for exactly as long as it says")
    func retryAfter() async throws {
        let stub = StubTransport(.status(429, headers: ["Retry-After": "7"]), .text("ok"))
        let client = client(stub, [.retry()])
        async let outcome = client.data(for: SampleEndpoint())
        await clock.advance(through: .seconds(7))
        #expect(try await outcome.get() == Data("ok".utf8) && clock.elapsed == .seconds(7))
    }

    @Test("The last failure is the call's, with every attempt and its times")
    func attempts() async throws {
        let stub = StubTransport(
            .status(500).delayed(by: .seconds(3)), .connection(.refused), .json("{\"title\": \"Down\"}", status: 503))
        let client = client(stub, [.retry(second)])
        async let outcome = client.data(for: SampleEndpoint())
        await clock.advance(through: .seconds(3))
        await clock.advance(through: .seconds(1))
        await clock.advance(through: .seconds(1))
        let error = try #require(await outcome.failure)
        #expect(error.statusCode == 503 && error.response?.text == "{\"title\": \"Down\"}")
        #expect(
            error.attempts == [
                RequestAttempt(startedAfter: .zero, duration: .seconds(3), status: 500, outcome: "500 Internal Server Error"),
                RequestAttempt(startedAfter: .seconds(4), duration: .zero, status: nil, outcome: "connection"),
                RequestAttempt(startedAfter: .seconds(5), duration: .zero, status: 503, outcome: "503 Service Unavailable"),
            ])
        #expect(error.description.contains("(3 attempts)"))
    }

    @Test("Every kind of ending tells of all attempts: an error, a status, a body that isn't the model, by a session and by hand")
    func attemptsOfEveryEnding() async throws {
        let policy = RetryPolicy(backoff: .constant(.zero))
        let endings: [StubAnswer] = [.connection(.tls), .status(404), .status(401), .json("{"), .failure(.unknown())]
        for ending in endings {
            let client = client(StubTransport(.status(503), ending), [.retry(policy)])
            let error = try #require(await client.sendRequest(endpoint: SampleEndpoint(), responseModel: Item.self).failure)
            #expect(error.attempts.count == 2 && error.attempts.first?.status == 503, "\(error)")
        }
        let next = Next(interceptors: [.retry(policy)], transport: StubTransport(.status(503), .connection(.tls)))
        let error = await failure { () async throws(RequestError) in try await next(HTTPRequest(url: url("https://a.test"))) }
        #expect(error?.attempts.map(\.outcome) == ["503 Service Unavailable", "connection"])
    }

    @Test("A call that is sent once has one attempt, and its description makes no words of that")
    func oneAttempt() async throws {
        let client = client(StubTransport(.status(404)), [.retry()])
        let error = try #require(await client.data(for: SampleEndpoint()).failure)
        #expect(error.attempts.map(\.status) == [404] && !error.description.contains("attempt"))
    }

    @Test("Why there was no further attempt is in the error")
    func reasons() async throws {
        func reason(_ answer: StubAnswer, _ endpoint: SampleEndpoint, _ retry: RetryInterceptor, deadline: Duration? = nil) async -> String
        {
            let client = client(StubTransport(answer), [retry], defaults: .init(deadline: deadline))
            return await client.data(for: endpoint).failure?.description ?? ""
        }
        let post = SampleEndpoint(method: .post)
        #expect(await reason(.status(503), post, .retry()).contains("not sent again: POST isn't idempotent"))
        #expect(await reason(.connection(.reset), post, .retry()).contains("not sent again: POST isn't idempotent"))
        let asks = StubAnswer.status(429, headers: ["Retry-After": "3600"])
        #expect(await reason(asks, SampleEndpoint(), .retry()).contains("the server asks for 3600 s, and longestServerWait is 60 s"))
        let soon = await reason(.status(503), SampleEndpoint(), .retry(second), deadline: .milliseconds(500))
        #expect(soon.contains("a wait of 1 s would pass the deadline"))
        let spent = await reason(.status(503), SampleEndpoint(), .retry(second, budget: RetryBudget(share: 0, floor: 0)))
        #expect(spent.contains("the retry budget is spent"))
    }

    @Test("A deadline of 30 s ends three slow attempts at 30 s, not at 90")
    func deadline() async throws {
        let stub = StubTransport(.stalled)
        let client = client(stub, [.retry(second)], defaults: .init(timeout: .seconds(12), deadline: .seconds(30)))
        async let outcome = client.data(for: SampleEndpoint())
        for wait in [12, 1, 12, 1, 4] {
            let left = Duration.seconds(30) - clock.elapsed
            await clock.sleepers([.seconds(wait), left].sorted().filter { $0 > .zero })
            clock.advance(by: .seconds(wait))
        }
        guard case .failure(.timedOut(let details)) = await outcome else { return #expect(Bool(false)) }
        #expect(details.limit == .deadline && clock.elapsed == .seconds(30) && stub.requests.count == 3)
        #expect(RequestError.timedOut(details).attempts.map(\.startedAfter) == [.zero, .seconds(13), .seconds(26)])
        #expect(RequestError.timedOut(details).attempts.last?.duration == .seconds(4))
    }

    @Test("Cancelling during the wait ends the call at once, and nothing more is sent")
    func cancelledWhileWaiting() async throws {
        let stub = StubTransport(.status(503), .text("late"))
        let client = client(stub, [.retry(second)])
        let task = Task { await client.data(for: SampleEndpoint()) }
        await clock.sleepers([.seconds(1), .seconds(300)])
        task.cancel()
        let error = await task.value.failure
        #expect(error?.isCancellation == true)
        await clock.sleepers([])
        clock.advance(by: .seconds(2))
        #expect(stub.requests.count == 1)
    }

    @Test("A key that the library makes is the same on each attempt, and another for another call")
    func idempotencyKeys() async throws {
        var policy = RetryPolicy(backoff: .constant(.zero))
        policy.makesIdempotencyKeys = true
        let stub = StubTransport(.status(503), .status(503), .text("ok"), then: .startsOver)
        let client = client(stub, [.retry(policy, random: SeededRandom(seed: 3))])
        for _ in 0..<2 { _ = try await client.data(for: SampleEndpoint(method: .post)).get() }
        let keys = stub.requests.map { $0.headers[.idempotencyKey] ?? "" }
        #expect(keys.count == 6 && Set(keys.prefix(3)).count == 1 && Set(keys.suffix(3)).count == 1 && keys[0] != keys[3])
        #expect(keys[0].count == 36)
        // A method that needs none gets none, and an endpoint's own stays.
        _ = try await client.data(for: SampleEndpoint()).get()
        _ = try await client.data(for: SampleEndpoint(method: .post, options: .init(idempotencyKey: "mine"))).get()
        #expect(stub.requests[6].headers[.idempotencyKey] == nil && stub.requests.last?.headers[.idempotencyKey] == "mine")
    }

    @Test("The key of a request's options is sent also where the request was made by hand")
    func keyByHand() async throws {
        let stub = StubTransport(.text("ok"))
        let next = Next(interceptors: [.retry()], transport: stub)
        _ = try await next(HTTPRequest(url: url("https://a.test"), method: .post, options: .init(idempotencyKey: "k")))
        #expect(stub.requests.first?.headers[.idempotencyKey] == "k")
    }

    @Test("What was answered before is let go of before the next attempt")
    func discards() async throws {
        let source = CountedSource()
        let first = Lock<HTTPResponse?>(
            HTTPResponse(head: ResponseHead(status: 503, url: url("https://a.test")), body: ResponseBody(source)))
        let endsAtSecond = Recorder<Int>()
        let stub = StubTransport { request throws(RequestError) in
            if let response = first.withLock({ $0.take() }) { return response }
            endsAtSecond.add(source.ends)
            return HTTPResponse(head: ResponseHead(status: 200, url: request.url))
        }
        let next = Next(interceptors: [.retry(RetryPolicy(backoff: .constant(.zero)))], transport: stub)
        _ = try await next(HTTPRequest(url: url("https://a.test")))
        #expect((endsAtSecond.values.first ?? 0) >= 1)
    }

    @Test("When the budget is spent, failures come once: an outage isn't multiplied")
    func budget() async throws {
        let stub = StubTransport(.status(503))
        let budget = RetryBudget(share: 0.2, floor: 0)
        let client = client(stub, [.retry(RetryPolicy(backoff: .constant(.zero)), budget: budget)])
        for _ in 0..<100 { _ = await client.data(for: SampleEndpoint()) }
        #expect(stub.requests.count == 120)
    }

    @Test("A budget's calls are counted once for retry and hedging together")
    func sharedBudget() async throws {
        let stub = StubTransport(.status(503))
        let budget = RetryBudget(share: 0.2, floor: 0)
        let retry = RetryInterceptor.retry(RetryPolicy(backoff: .constant(.zero)), budget: budget)
        let client = client(stub, [retry, .hedging(after: .seconds(100), budget: budget)])
        for _ in 0..<50 { _ = await client.data(for: SampleEndpoint()) }
        #expect(stub.requests.count == 60)
    }

    @Test("A clock that is set back during a call changes no wait and no deadline")
    func clockSetBack() async throws {
        let stub = StubTransport(.status(503, headers: ["Retry-After": "5"]), .status(503), .text("ok"))
        let client = client(stub, [.retry(second)])
        async let outcome = client.data(for: SampleEndpoint())
        await clock.sleepers([.seconds(5), .seconds(300)])
        clock.date = Date(timeIntervalSince1970: 0)
        await clock.advance(through: .seconds(5))
        await clock.advance(through: .seconds(1))
        #expect(try await outcome.get() == Data("ok".utf8) && clock.elapsed == .seconds(6))
    }

    @Test("A stream's head is tried again; its body is its reader's to judge")
    func streams() async throws {
        let stub = StubTransport(.status(503), .text("hello").cut(afterBodyBytes: 2))
        let client = client(stub, [.retry(RetryPolicy(backoff: .constant(.zero)))])
        let response = try await client.response(for: SampleEndpoint()).get()
        let error = await failure { () async throws(RequestError) in try await response.body.collect(upTo: 100) }
        #expect(error?.connectionKind == .truncated && stub.requests.count == 2)
    }

    @Test("A value that breaks off in mid-body is asked for again, if that is safe", arguments: [HTTPMethod.get, .post])
    func brokenValues(method: HTTPMethod) async throws {
        let stub = StubTransport(
            .text("hello").cut(afterBodyBytes: 2), .text("hello").resetting(afterBodyBytes: 1), .chunks(["hel", "lo"]))
        let client = client(stub, [.retry(RetryPolicy(backoff: .constant(.zero)))])
        let outcome = await client.data(for: SampleEndpoint(method: method))
        if method == .get {
            #expect(try outcome.get() == Data("hello".utf8) && stub.requests.count == 3)
        } else {
            #expect(outcome.failure?.connectionKind == .truncated && stub.requests.count == 1)
        }
    }

    @Test("A value that breaks off each time has its head, its attempts and their statuses in the error")
    func alwaysBroken() async throws {
        let stub = StubTransport(.text("hello", headers: ["X-Server": "a"]).cut(afterBodyBytes: 2))
        let client = client(stub, [.retry(RetryPolicy(backoff: .constant(.zero)))])
        let error = try #require(await client.data(for: SampleEndpoint()).failure)
        #expect(error.connectionKind == .truncated && error.response?.head.headers["X-Server"] == "a")
        #expect(error.attempts.map(\.outcome) == ["connection", "connection", "connection"])
        #expect(error.attempts.map(\.status) == [200, 200, 200])
    }

    @Test("A value that is too large ends the call at once")
    func tooLarge() async throws {
        let stub = StubTransport(.chunks(["hello", "world"]))
        let client = client(stub, [.retry()], defaults: .init(maximumBodySize: 7))
        guard case .failure(.responseTooLarge) = await client.data(for: SampleEndpoint()) else { return #expect(Bool(false)) }
        #expect(stub.requests.count == 1)
    }

    @Test("It says what it would do")
    func describes() {
        let retry = RetryInterceptor.retry()
        func request(_ method: HTTPMethod, _ body: RequestBody? = nil) -> HTTPRequest {
            HTTPRequest(url: url("https://a.test"), method: method, body: body)
        }
        #expect(retry.describe(request(.get)) == "sends it up to 3 times; budget: 10 in 10.0 s, and 20 % of its calls more")
        #expect(retry.describe(request(.post)) == "sends it once, since POST isn't idempotent")
        #expect(retry.describe(request(.put, .stream([Data()].stream))) == "sends it once, since its body can be read once")
        #expect(RetryInterceptor.retry(.init(maximumAttempts: 1)).describe(request(.get)) == "sends it once")
        var policy = RetryPolicy()
        policy.makesIdempotencyKeys = true
        #expect(RetryInterceptor.retry(policy, budget: nil).describe(request(.post)) == "sends it up to 3 times, with an Idempotency-Key")
    }
}

/// A body that counts how often it was let go of.
private final class CountedSource: BodySource {
    private let count = Atomic(0)
    var ends: Int { count.load(ordering: .relaxed) }
    var expectedLength: Int64? { nil }
    func next(isolation: isolated (any Actor)?) async throws(RequestError) -> Data? { nil }
    func end() { count.add(1, ordering: .relaxed) }
}
