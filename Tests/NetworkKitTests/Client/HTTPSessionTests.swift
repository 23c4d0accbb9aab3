import Foundation
import NetworkKitTesting
import Testing

@testable import NetworkKit

@Suite("A session's calls, without a network")
struct HTTPSessionTests {
    private struct Movie: Codable, Equatable { var id: Int }

    private let answering = StubTransport(.json(#"{"id":1}"#))

    private func client(
        _ transport: any Transport, _ interceptors: [any Interceptor] = [], headers: HTTPFields = .standard,
        defaults: RequestOptions = .init(),
        clock: any Clock<Duration> = TestClock()
    ) -> NetworkClient {
        NetworkClient(
            session: HTTPSession(transport: transport, interceptors: interceptors, defaults: defaults, headers: headers, clock: clock))
    }

    @Test("The longest times there are mean never, and trap nowhere")
    func endless() async throws {
        let never = Duration.seconds(Int64.max)
        let stub = StubTransport(.text("ok"))
        let session = HTTPSession(
            transport: stub,
            interceptors: [
                .hedging(after: never), .hedging(after: .percentile(.nan)), .hedging(after: .percentile(.infinity, initially: never)),
                .retry(RetryPolicy(), budget: RetryBudget(window: never)), .circuitBreaker(.init(failureRatio: .infinity)),
            ],
            defaults: .init(timeout: never, deadline: never))
        let client = NetworkClient(session: session)
        for _ in 0..<30 { #expect(try await client.data(for: SampleEndpoint()).get() == Data("ok".utf8)) }
        #expect(!client.explain(SampleEndpoint()).description.isEmpty)
        var state = EventStreamState(policy: .init(delay: never, maximumDelay: never, jitter: .infinity), isSafe: true)
        for _ in 0..<40 {
            guard case .reconnect(let wait) = state.ended(nil, retry: nil, random: 0.99) else { return #expect(Bool(false)) }
            #expect(wait > .zero)
        }
    }

    @Test("Accept follows from the model, unless the endpoint sets it")
    func accept() async throws {
        let client = client(answering)
        _ = await client.sendRequest(endpoint: SampleEndpoint(), responseModel: Movie.self)
        _ = await client.sendRequest(endpoint: SampleEndpoint(), responseModel: Data.self)
        _ = await client.sendRequest(endpoint: SampleEndpoint(), responseModel: String?.self)
        _ = await client.sendRequest(endpoint: SampleEndpoint(headers: ["accept": "a/b"]), responseModel: Movie.self)
        #expect(answering.requests.map { $0.headers[.accept] } == ["application/json", "*/*", "*/*", "a/b"])
    }

    @Test("User-Agent is sent, and can be replaced and removed")
    func userAgent() async {
        _ = await client(answering).data(for: SampleEndpoint())
        _ = await client(answering).data(for: SampleEndpoint(headers: ["user-agent": "mine"]))
        _ = await client(answering, headers: [:]).data(for: SampleEndpoint())
        #expect(answering.requests.map { $0.headers[values: .userAgent] } == [["NetworkKit/\(NetworkKitVersion.current)"], ["mine"], []])
    }

    @Test("What nobody says is filled in: a value has a deadline and a limit, a stream has none")
    func defaults() async {
        let client = client(answering, defaults: .init(deadline: .seconds(7), maximumBodySize: 9))
        _ = await self.client(answering).data(for: SampleEndpoint())
        _ = await client.data(for: SampleEndpoint(options: .init(timeout: .seconds(1))))
        _ = await client.response(for: SampleEndpoint())
        let options = answering.requests.map(\.options)
        #expect(options.map(\.timeout) == [.seconds(30), .seconds(1), .seconds(30)])
        #expect(options.map(\.deadline) == [.seconds(300), .seconds(7), nil])
        #expect(options.map(\.maximumBodySize) == [64 * 1024 * 1024, 9, nil])
        #expect(answering.requests.map(\.context.deadline) == [.seconds(300), .seconds(7), nil])
        #expect(answering.requests.allSatisfy { $0.context.homeOrigin == Origin(url("https://api.example.com")) })
    }

    @Test("A session follows redirects, unless its list or the request says otherwise")
    func redirects() async throws {
        let transport = StubTransport(redirects: ["https://api.example.com/1": "/2"])
        let endpoint = SampleEndpoint(path: "1")
        #expect(try await client(transport).response(for: endpoint).get().status == 200)
        #expect(try await client(transport, [.redirects(.manual)]).response(for: endpoint).get().status == 302)
        var own = endpoint
        own.options.redirectPolicy = .manual
        #expect(try await client(transport).response(for: own).get().status == 302)
    }

    @Test("Interceptors stand in the order given, outermost first")
    func order() async {
        struct Tag: Interceptor {
            let name: String
            func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
                var request = request
                request.headers.append(HTTPField(name: "Tag", value: name))
                return try await next(request)
            }
        }
        _ = await client(answering, [Tag(name: "outer"), Tag(name: "inner")]).data(for: SampleEndpoint())
        #expect(answering.requests.first?.headers[values: "Tag"] == ["outer", "inner"])
    }

    @Test("What an interceptor makes of a request is checked again before it is sent")
    func lastCheck() async {
        struct Smuggler: Interceptor {
            func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
                var request = request
                request.headers["X"] = "a\r\nY: b"
                return try await next(request)
            }
        }
        let outcome = await client(answering, [Smuggler()]).data(for: SampleEndpoint())
        guard case .failure(let error) = outcome else { return #expect(Bool(false), "expected encode") }
        #expect(error.encodePart == .fieldValue("X") && answering.requests.isEmpty)
    }

    @Test("A deadline that is past already lets nothing be sent", arguments: [Duration.zero, .seconds(-1)])
    func pastDeadline(_ deadline: Duration) async {
        let outcome = await client(answering).data(for: SampleEndpoint(options: .init(deadline: deadline)))
        guard case .timedOut(let details) = outcome.failure else { return #expect(Bool(false)) }
        #expect(details.limit == .deadline)
        #expect(answering.requests.isEmpty)
    }

    @Test("A deadline ends a call whose transport never answers, and not before")
    func deadline() async {
        let clock = TestClock()
        // Deaf to cancellation too.
        let never = OneShot<StubAnswer>()
        let client = client(StubTransport { $0.fallback { _ in await never.value() } }, clock: clock)
        async let outcome = client.data(for: SampleEndpoint(options: .init(deadline: .seconds(3))))
        await clock.sleepers([.seconds(3)])
        clock.advance(by: .milliseconds(2999))
        await clock.sleepers([.milliseconds(1)])
        clock.advance(by: .milliseconds(1))
        guard case .failure(.timedOut(let details)) = await outcome else { return #expect(Bool(false), "expected timedOut") }
        #expect(details.limit == .deadline && details.after == .seconds(3))
        never.resolve(.status(200))
    }

    @Test("A failed call names its request and hides its secrets")
    func failures() async {
        let failing = StubTransport {
            $0.fallback { request in
                let reason = "can't reach \(request.url) with \(request.headers[.authorization] ?? "")"
                return .failure(.connection(.init(.init(kind: .refused), reason: reason)))
            }
        }
        let endpoint = SampleEndpoint(
            baseURL: url("https://jo:hunter22@h.test"), path: "f/\(secret: "s3cret/path")", query: ["k": .secret("s3cret query")],
            options: .init(name: "forecast"))
        let outcome = await client(failing).data(for: endpoint)
        guard case .failure(let error) = outcome else { return #expect(Bool(false), "expected connection") }
        #expect(error.description.hasPrefix("connection (refused): forecast, GET https://h.test/f/***?k=***: can't reach"))
        let shown = everythingShown(of: error) + everythingShown(of: outcome)
        #expect(!shown.contains("s3cret") && !shown.contains("hunter22") && !shown.contains(Data("jo:hunter22".utf8).base64EncodedString()))
    }

    @Test("A status outside 200 to 299 is a failure of a value, and an answer of a stream")
    func statuses() async throws {
        let transport = StubTransport(.text("no", status: 401))
        guard case .failure(.unauthorized(let details)) = await client(transport).data(for: SampleEndpoint()) else {
            return #expect(Bool(false), "expected unauthorized")
        }
        #expect(details.response?.text == "no")
        #expect(try await client(transport).response(for: SampleEndpoint()).get().status == 401)
    }
}
