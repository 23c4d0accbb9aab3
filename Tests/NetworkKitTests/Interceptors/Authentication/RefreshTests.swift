import NetworkKitTesting
import PlatformBase
import Testing

@testable import NetworkKit

/// A server with one good token, and a sign-in that gives the next: `t1`, `t2` and so on.
private final class SignIn: Sendable {
    struct Refused: Error {}

    let calls = Recorder<AccessToken?>()
    let saved = Recorder<String>()
    let good: Lock<String>
    let gate = LoopbackGate()
    let fails: Bool

    init(good: String = "t1", fails: Bool = false, isOpen: Bool = true) {
        self.good = Lock(good)
        self.fails = fails
        if isOpen { gate.open() }
    }

    func refresh(_ old: AccessToken?) async throws -> AccessToken {
        calls.add(old)
        await gate.wait()
        if fails { throw Refused() }
        let number = calls.values.count
        good.withLock { $0 = "t\(number)" }
        return AccessToken("t\(number)", refreshToken: "r\(number)")
    }

    var stub: StubTransport {
        StubTransport {
            $0.fallback { [self] request in
                request.headers[.authorization] == "Bearer \(good.withLock(\.self))" ? .text("yes") : .status(401)
            }
        }
    }

    func token(_ token: AccessToken? = AccessToken("t0", refreshToken: "r0"), timeLimit: Duration = .seconds(30)) -> RefreshableToken {
        RefreshableToken(token, timeLimit: timeLimit, save: { [self] in saved.add($0.value) }, refresh: { [self] in try await refresh($0) })
    }
}

@Suite("Authentication: tokens that are renewed", .timeLimit(.minutes(1)))
struct RefreshTests {
    private func client(_ stub: StubTransport, _ token: RefreshableToken, clock: any Clock<Duration> = TestClock()) -> NetworkClient {
        NetworkClient(session: HTTPSession(transport: stub, interceptors: [.authentication(.refreshing(token))], clock: clock))
    }

    private func sent(_ stub: StubTransport) -> [String?] { stub.requests.map { $0.headers[.authorization] } }

    @Test("An expired token is renewed once, and the request is sent again with the new one")
    func refused() async throws {
        let signIn = SignIn()
        let stub = signIn.stub
        let token = signIn.token()
        #expect(try await client(stub, token).data(for: SampleEndpoint()).get() == Data("yes".utf8))
        #expect(sent(stub) == ["Bearer t0", "Bearer t1"])
        #expect(signIn.calls.values == [AccessToken("t0", refreshToken: "r0")] && signIn.saved.values == ["t1"])
        #expect(token.current?.refreshToken == "r1")
    }

    @Test("1,000 concurrent requests with an expired token make exactly one refresh")
    func thousand() async throws {
        let signIn = SignIn(isOpen: false)
        let stub = signIn.stub
        let client = client(stub, signIn.token())
        let results = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<1000 { group.addTask { await client.data(for: SampleEndpoint()).failure == nil } }
            group.addTask {
                await stub.waitForRequests(1000)
                signIn.gate.open()
                return true
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(results == 1001 && signIn.calls.values.count == 1 && stub.requests.count == 2000)
    }

    @Test("B32: a refresh that fails is one refresh and 1,000 typed errors, and nothing is sent again")
    func thousandFailures() async throws {
        let signIn = SignIn(fails: true, isOpen: false)
        let stub = signIn.stub
        let client = client(stub, signIn.token())
        let results = await withTaskGroup(of: RequestError?.self) { group in
            for _ in 0..<1000 { group.addTask { await client.data(for: SampleEndpoint()).failure } }
            await stub.waitForRequests(1000)
            signIn.gate.open()
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.count == 1000 && results.allSatisfy { $0?.caseName == "authentication" })
        #expect(signIn.calls.values.count == 1 && stub.requests.count == 1000)
        guard case .authentication(let details) = try #require(results[0]) else { return }
        #expect(details.underlying is SignIn.Refused && details.reason.contains("SignIn.Refused") || details.reason.contains("Refused"))
        // A later request may try again.
        #expect(await client.data(for: SampleEndpoint()).failure?.caseName == "authentication")
        #expect(signIn.calls.values.count == 2)
    }

    @Test("A token that is known to be over is renewed before anything is sent, by one of 1,000 requests")
    func knownToBeOver() async throws {
        let (signIn, clock) = (SignIn(), TestClock())
        let stub = signIn.stub
        let client = client(stub, signIn.token(AccessToken("t0", expires: clock.date)), clock: clock)
        let fine = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<1000 { group.addTask { await client.data(for: SampleEndpoint()).failure == nil } }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(fine == 1000 && signIn.calls.values.count == 1)
        #expect(Set(sent(stub)) == ["Bearer t1"] && stub.requests.count == 1000)
    }

    @Test("A late 401 for the token of before goes again with the new one, and no second refresh is made")
    func late() async throws {
        let signIn = SignIn()
        let hold = LoopbackGate()
        let stub = StubTransport {
            $0.get("slow") { request in
                if request.headers[.authorization] == "Bearer t0" { await hold.wait() }
                return request.headers[.authorization] == "Bearer t1" ? .text("yes") : .status(401)
            }
            $0.get("fast") { request in request.headers[.authorization] == "Bearer t1" ? .text("yes") : .status(401) }
        }
        let client = client(stub, signIn.token())
        async let slow = client.data(for: SampleEndpoint(path: "slow"))
        await stub.waitForRequests(1)
        _ = try await client.data(for: SampleEndpoint(path: "fast")).get()
        hold.open()
        _ = try await slow.get()
        #expect(signIn.calls.values.count == 1)
        #expect(
            stub.requests.map { "\($0.path) \($0.headers[.authorization] ?? "")" } == [
                "/slow Bearer t0", "/fast Bearer t0", "/fast Bearer t1", "/slow Bearer t1",
            ])
    }

    @Test("B33: a 401 after a fresh token is returned, and never looped", arguments: [false, true])
    func refusedForGood(isKnownToBeOver: Bool) async throws {
        let (signIn, clock) = (SignIn(), TestClock())
        let stub = StubTransport(.status(401))
        let token = signIn.token(AccessToken("t0", expires: isKnownToBeOver ? clock.date : nil))
        let error = await client(stub, token, clock: clock).data(for: SampleEndpoint()).failure
        #expect(error?.caseName == "unauthorized" && signIn.calls.values.count == 1)
        #expect(sent(stub) == (isKnownToBeOver ? ["Bearer t1"] : ["Bearer t0", "Bearer t1"]))
    }

    @Test("The first token is asked for where there is none")
    func first() async throws {
        let signIn = SignIn()
        let stub = signIn.stub
        _ = try await client(stub, signIn.token(nil)).data(for: SampleEndpoint()).get()
        #expect(sent(stub) == ["Bearer t1"] && signIn.calls.values == [nil])
    }

    @Test("A token is renewed in the window before its end, and a refresh that fails there harms nobody")
    func early() async throws {
        let clock = TestClock()
        let good = SignIn(good: "t0")
        let stub = StubTransport(.text("yes"))
        let token = good.token(AccessToken("t0", expires: clock.date + 60))
        let client = client(stub, token, clock: clock)
        _ = try await client.data(for: SampleEndpoint()).get()
        clock.advance(by: .seconds(40))
        _ = try await client.data(for: SampleEndpoint()).get()
        #expect(sent(stub) == ["Bearer t0", "Bearer t1"] && good.calls.values.count == 1)

        let bad = SignIn(good: "t0", fails: true)
        let other = self.client(bad.stub, bad.token(AccessToken("t0", expires: clock.date + 20)), clock: clock)
        for _ in 0..<3 { _ = try await other.data(for: SampleEndpoint()).get() }
        #expect(bad.calls.values.count == 1)
        clock.advance(by: .seconds(20))
        #expect(await other.data(for: SampleEndpoint()).failure?.caseName == "authentication")
        #expect(bad.calls.values.count == 2)
    }

    @Test("Bad input: a clock that jumps back, or is wrong by a day, does no harm")
    func clockJumps() async throws {
        let (signIn, clock) = (SignIn(good: "t0"), TestClock())
        let stub = signIn.stub
        let client = client(stub, signIn.token(AccessToken("t0", expires: clock.date + 3600)), clock: clock)
        clock.date -= 86400
        _ = try await client.data(for: SampleEndpoint()).get()
        #expect(signIn.calls.values.isEmpty)
        // The token is over for the server all the same.
        signIn.good.withLock { $0 = "none" }
        _ = try await client.data(for: SampleEndpoint()).get()
        #expect(signIn.calls.values.count == 1)
        // A clock that is ahead finds each fresh token over already, and doesn't renew it at every request.
        let eager = RefreshableToken(nil) { _ in
            signIn.calls.add(nil)
            return AccessToken("t1", expires: clock.date - 86400)
        }
        let second = self.client(stub, eager, clock: clock)
        for _ in 0..<3 { _ = try await second.data(for: SampleEndpoint()).get() }
        #expect(signIn.calls.values.count == 2)
    }

    @Test("A waiter that is cancelled leaves alone; the refresh goes on, also when nobody waits any more")
    func cancelled() async throws {
        let signIn = SignIn(isOpen: false)
        let stub = signIn.stub
        let token = signIn.token()
        let client = client(stub, token)
        let first = Task { await client.data(for: SampleEndpoint(path: "1")) }
        await stub.waitForRequests(1)
        let second = Task { await client.data(for: SampleEndpoint(path: "2")) }
        await stub.waitForRequests(2)
        first.cancel()
        #expect(await first.value.failure?.isCancellation == true)
        second.cancel()
        #expect(await second.value.failure?.isCancellation == true)
        signIn.gate.open()
        _ = try await client.data(for: SampleEndpoint(path: "3")).get()
        #expect(signIn.calls.values.count == 1 && signIn.saved.values == ["t1"] && token.current?.value == "t1")
        #expect(stub.requests.map(\.path).filter { $0 != "/3" } == ["/1", "/2"])
    }

    @Test("Bad input: a refresh that never returns holds each call to its deadline, and all to the time limit")
    func hangs() async throws {
        let (signIn, clock) = (SignIn(isOpen: false), TestClock())
        let stub = signIn.stub
        let client = client(stub, signIn.token(), clock: clock)
        async let short = client.data(for: SampleEndpoint(options: .init(deadline: .seconds(5))))
        async let long = client.data(for: SampleEndpoint(options: .init(deadline: .seconds(100))))
        await stub.waitForRequests(2)
        await clock.sleepers([.seconds(5), .seconds(30)])
        clock.advance(by: .seconds(5))
        guard case .timedOut(let details) = await short.failure else {
            Issue.record("the deadline doesn't hold")
            return
        }
        #expect(details.limit == .deadline)
        await clock.advance(through: .seconds(25))
        let error = await long.failure
        #expect(error?.caseName == "authentication" && error?.description.contains("within 30") == true)
        signIn.gate.open()
    }

    @Test("A refresh that takes longer than the limit goes on, and its token isn't lost: the refresh token is used once")
    func slow() async throws {
        let (signIn, clock) = (SignIn(isOpen: false), TestClock())
        let stub = signIn.stub
        let token = signIn.token()
        let client = client(stub, token, clock: clock)
        async let first = client.data(for: SampleEndpoint())
        await stub.waitForRequests(1)
        await clock.advance(through: .seconds(30))
        #expect(await first.failure?.caseName == "authentication")
        async let second = client.data(for: SampleEndpoint())
        await stub.waitForRequests(2)
        signIn.gate.open()
        _ = try await second.get()
        #expect(signIn.calls.values.map { $0?.refreshToken } == ["r0"] && signIn.saved.values == ["t1"])
        #expect(token.current?.refreshToken == "r1")
    }

    @Test("A refresh that takes five times the limit is cancelled, and the next request begins another")
    func givenUp() async throws {
        let clock = TestClock()
        let (cancelled, continuation) = AsyncStream<Void>.makeStream()
        let calls = Recorder<Int>()
        let token = RefreshableToken(AccessToken("t0"), timeLimit: .seconds(10)) { _ in
            calls.add(1)
            guard calls.values.count == 1 else { return AccessToken("t1") }
            do {
                try await Task.sleep(for: .seconds(1_000_000))
            } catch {
                continuation.yield()
                throw error
            }
            return AccessToken("never")
        }
        let stub = StubTransport { $0.fallback { $0.headers[.authorization] == "Bearer t1" ? .text("yes") : .status(401) } }
        let client = client(stub, token, clock: clock)
        async let first = client.data(for: SampleEndpoint())
        for turn in 1...5 {
            await clock.advance(through: .seconds(10))
            if turn == 1 { #expect(await first.failure?.caseName == "authentication") }
        }
        for await _ in cancelled { break }
        _ = try await client.data(for: SampleEndpoint()).get()
        #expect(calls.values.count == 2 && token.current?.value == "t1")
    }

    @Test("Nobody goes on with a token before it is stored")
    func storedFirst() async throws {
        let order = Recorder<String>()
        let gate = LoopbackGate()
        let stub = StubTransport {
            $0.fallback { request in
                order.add(request.headers[.authorization] ?? "none")
                return request.headers[.authorization] == "Bearer t1" ? .text("yes") : .status(401)
            }
        }
        let token = RefreshableToken(
            AccessToken("t0"),
            save: { token in
                await gate.wait()
                order.add("stored \(token.value)")
            }, refresh: { _ in AccessToken("t1") })
        let client = client(stub, token)
        async let outcome = client.data(for: SampleEndpoint())
        await stub.waitForRequests(1)
        #expect(token.current?.value == "t0")
        gate.open()
        _ = try await outcome.get()
        #expect(order.values == ["Bearer t0", "stored t1", "Bearer t1"])
    }

    @Test("A refresh may use the session that it renews the token of: those requests go without it")
    func inside() async throws {
        let stub = StubTransport {
            $0.post("token", .text("t1"))
            $0.get("it") { $0.headers[.authorization] == "Bearer t1" ? .text("yes") : .status(401) }
        }
        let later = Lock<NetworkClient?>(nil)
        let token = RefreshableToken(AccessToken("t0")) { _ in
            let data = try await later.withLock(\.self)?.data(for: SampleEndpoint(path: "token", method: .post)).get()
            return AccessToken(String(decoding: data ?? Data(), as: UTF8.self))
        }
        let client = client(stub, token)
        later.withLock { $0 = client }
        _ = try await client.data(for: SampleEndpoint(path: "it")).get()
        #expect(stub.requests.map(\.path) == ["/it", "/token", "/it"])
        #expect(sent(stub) == ["Bearer t0", nil, "Bearer t1"])
        later.withLock { $0 = nil }
    }

    @Test("A body that can't be sent again gets the 401, and the next request renews the token")
    func stream() async throws {
        let signIn = SignIn()
        let stub = signIn.stub
        let client = client(stub, signIn.token())
        let body = RequestBody.stream([Data("once".utf8)].stream)
        let error = await client.data(for: SampleEndpoint(method: .post, body: body)).failure
        #expect(error?.caseName == "unauthorized" && signIn.calls.values.isEmpty)
        _ = try await client.data(for: SampleEndpoint(method: .post, body: .data(Data("whole".utf8)))).get()
        #expect(sent(stub) == ["Bearer t0", "Bearer t1"] && signIn.calls.values.count == 1 && stub.requests.last?.text == "whole")
    }

    @Test("The body of a 401 is let go of before the second sending, and bodies are sent whole both times")
    func bodies() async throws {
        let signIn = SignIn()
        let stub = signIn.stub
        _ = try await client(stub, signIn.token()).data(for: SampleEndpoint(method: .put, body: .data(Data("x".utf8)))).get()
        #expect(stub.requests.map(\.text) == ["x", "x"])
    }

    @Test("The error says what the sign-in said, and neither it nor the old tokens are shown")
    func told() async throws {
        let refusal = RequestError.unexpectedStatusCode(
            .init(
                reason: "hunter22 is no good",
                response: FailedResponse(head: ResponseHead(status: 400, url: url("https://id.test")), body: Data("t0secret".utf8))))
        let token = RefreshableToken(AccessToken("t0secret", refreshToken: "hunter22")) { _ in throw refusal }
        let error = try #require(await client(StubTransport(.status(401)), token).data(for: SampleEndpoint()).failure)
        #expect(error.caseName == "authentication" && error.statusCode == 400)
        #expect(!everythingShown(of: error).contains("hunter22") && !error.description.contains("t0secret"))
        #expect(!everythingShown(of: AccessToken("t0secret", refreshToken: "hunter22")).contains("t0secret"))
        let empty = RefreshableToken(nil) { _ in AccessToken("") }
        #expect(await client(StubTransport(.status(200)), empty).data(for: SampleEndpoint()).failure?.description.contains("empty") == true)
    }

    @Test("Signing out ends what waits, and what the refresh gives afterwards is neither taken nor stored")
    func signOut() async throws {
        let signIn = SignIn(isOpen: false)
        let stub = signIn.stub
        let token = signIn.token()
        let client = client(stub, token)
        async let outcome = client.data(for: SampleEndpoint())
        await stub.waitForRequests(1)
        while signIn.calls.values.isEmpty { await Task.yield() }
        token.set(nil)
        #expect(await outcome.failure?.caseName == "authentication")
        signIn.gate.open()
        token.set(AccessToken("t1"))
        _ = try await client.data(for: SampleEndpoint()).get()
        #expect(token.current == AccessToken("t1") && signIn.saved.values.isEmpty && sent(stub) == ["Bearer t0", "Bearer t1"])
    }

    @Test("Over sockets: which answers are refusals is for the app to say, and the connection is kept for the second sending")
    func overSockets() async throws {
        let routes = LoopbackRoutes {
            $0.any("/it") { $0.headers[.authorization] == "Bearer t1" ? .text("yes") : .text("go away", status: 403) }
        }
        try await LoopbackServer.with(routes) { server in
            let token = RefreshableToken(AccessToken("t0"), isRefusal: { $0.status == 403 }, refresh: { _ in AccessToken("t1") })
            let client = TestClient(interceptors: [.authentication(.refreshing(token))])
            _ = try await client.text(server.call("it", .post, body: .data(Data("x".utf8))))
            #expect(server.requests.count == 2)
        }
    }
}
