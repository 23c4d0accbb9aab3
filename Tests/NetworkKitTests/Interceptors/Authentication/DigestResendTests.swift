import NetworkKitTesting
import PlatformBase
import Testing

@testable import NetworkKit

/// Servers that take each count of a nonce once, as Apache does.
@Suite("Authentication: HTTP Digest, sent again further in", .timeLimit(.minutes(1)))
struct DigestResendTests {
    private let clock = TestClock()

    private func client(_ transport: any Transport, inside: any Interceptor...) -> NetworkClient {
        let credential = Credential.digest(user: "Mufasa", password: "Circle of Life", random: SeededRandom(seed: 7))
        return NetworkClient(session: HTTPSession(transport: transport, interceptors: [.authentication(credential)] + inside, clock: clock))
    }

    private let atOnce = RetryPolicy(maximumAttempts: 4, backoff: .constant(.zero))

    @Test("A retry has the next count of the nonce, whatever the server calls a count that it has had", arguments: [true, false])
    func retried(saysStale: Bool) async throws {
        let server = DigestServer(saysStale: saysStale, outages: 2)
        let client = client(server.stub, inside: .retry(atOnce))
        for _ in 0..<2 { _ = try await client.data(for: SampleEndpoint()).get() }
        #expect(server.log == ["none", "n1 1", "n1 2", "n1 3", "n1 4"])
    }

    @Test("The password is still found wrong at the first answer")
    func wrong() async throws {
        let server = DigestServer(password: "other", saysStale: false)
        let client = client(server.stub, inside: .retry(atOnce))
        #expect(await client.data(for: SampleEndpoint()).failure?.caseName == "unauthorized")
        #expect(server.log == ["none", "wrong"])
    }

    @Test("Attempts side by side have counts of their own")
    func hedged() async throws {
        let server = DigestServer(saysStale: false)
        let stub = StubTransport {
            $0.fallback { request in
                let (status, headers) = server.answer(request)
                let answer = StubAnswer.text("\(request.number)", status: status, headers: headers)
                return request.number == 3 ? answer.delayed(by: .seconds(3)) : answer
            }
        }
        let client = client(stub, inside: .hedging(after: .milliseconds(100)))
        _ = try await client.data(for: SampleEndpoint()).get()
        async let outcome = client.data(for: SampleEndpoint())
        await stub.waitForRequests(3)
        await clock.advance(through: .milliseconds(100))
        #expect(try await outcome.get() == Data("4".utf8))
        #expect(server.log == ["none", "n1 1", "n1 2", "n1 3"])
    }

    @Test("417 has the request sent again with the next count")
    func expectation() async throws {
        let server = DigestServer(saysStale: false)
        let stub = StubTransport {
            $0.fallback { request in
                let (status, headers) = server.answer(request)
                return .text("x", status: status == 200 && request.headers[.expect] != nil ? 417 : status, headers: headers)
            }
        }
        let call = SampleEndpoint(
            method: .put, body: .data(Data("x".utf8)), options: .init(expectContinueTimeout: .seconds(1)))
        _ = try await client(stub).data(for: call).get()
        #expect(server.log == ["none", "n1 1", "n1 2"])
    }

    @Test("What an interceptor further in adds to the URL is part of the answer, which keeps its count")
    func key() async throws {
        let server = DigestServer()
        let client = client(server.stub, inside: .authentication(.apiKey("k1", query: "key")))
        for _ in 0..<2 { _ = try await client.data(for: SampleEndpoint(query: ["page": 1])).get() }
        #expect(server.log == ["none", "n1 1", "n1 2"])
    }

    @Test("A field that is replaced or taken away further in stays so")
    func replaced() async throws {
        struct Other: Interceptor {
            let value: String?
            func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
                var request = request
                request.headers[.authorization] = value
                return try await next(request)
            }
        }
        for value in ["Bearer other", nil] {
            let stub = StubTransport(.status(401, headers: ["WWW-Authenticate": #"Digest realm="r", nonce="n", qop="auth""#]), .text("ok"))
            _ = try await client(stub, inside: Other(value: value)).data(for: SampleEndpoint()).get()
            #expect(stub.requests.map { $0.headers[.authorization] } == [value, value])
        }
    }

    @Test("The nonce that the server wants next is taken from the answer to the last sending, and used once")
    func nextNonce() async throws {
        let server = DigestServer(uses: 2, givesNext: true, outages: 1)
        let client = client(server.stub, inside: .retry(atOnce))
        for _ in 0..<2 { _ = try await client.data(for: SampleEndpoint()).get() }
        #expect(server.log == ["none", "n1 1", "n1 2", "n2 1"])
    }

    /// Answers only when so many requests without an answer of their own are there, so that all of them are challenged at once.
    private final class Gate: Interceptor {
        let count: Int
        private let state = Lock((arrived: 0, waiting: [CallWait<Void>]()))

        init(_ count: Int) { self.count = count }

        func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
            let response = try await next(request)
            guard !request.headers.contains(.authorization) else { return response }
            let wait = CallWait<Void>()
            let ready = state.withLock { state in
                state.arrived += 1
                state.waiting.append(wait)
                return state.arrived == count ? state.waiting : []
            }
            for wait in ready { _ = wait.give(.success(())) }
            try await wait.value(in: request.context)
            return response
        }
    }

    @Test("Requests that are challenged at once each answer their own challenge, where a nonce is good for one answer")
    func ownChallenge() async throws {
        for _ in 0..<20 {
            let server = DigestServer(uses: 1, saysStale: false)
            let client = client(server.stub, inside: Gate(8))
            let fine = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<8 { group.addTask { await client.data(for: SampleEndpoint()).failure == nil } }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(fine == 8 && server.log.count == 16)
        }
    }

    @Test("Two realms of one origin are answered each with its own")
    func realms() async throws {
        for _ in 0..<20 {
            let server = DigestServer(saysStale: false) { $0.hasPrefix("/a") ? "a" : "b" }
            let client = client(server.stub, inside: Gate(8))
            let fine = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<8 {
                    group.addTask { await client.data(for: SampleEndpoint(path: number % 2 == 0 ? "a" : "b")).failure == nil }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(fine == 8 && !server.log.contains { $0 == "wrong" })
        }
    }
}
