import NetworkKitTesting
import PlatformBase
import Testing

@testable import NetworkKit

@Suite("Authentication: bearer, basic, keys")
struct AuthenticationInterceptorTests {
    private let home = url("https://api.example.com")
    private func client(_ stub: StubTransport, _ credentials: Credential..., clock: any Clock<Duration> = TestClock()) -> NetworkClient {
        NetworkClient(session: HTTPSession(transport: stub, interceptors: credentials.map { .authentication($0) }, clock: clock))
    }

    @Test("Each kind goes where it belongs, and is masked there")
    func kinds() async throws {
        let rows: [(Credential, String, String?)] = [
            (.bearer("t0ken"), "Authorization", "Bearer t0ken"), (.bearer { "t0ken" }, "Authorization", "Bearer t0ken"),
            (.basic(user: "Aladdin", password: "open sesame"), "Authorization", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
            // RFC 7617 §2.1
            (.basic(user: "test", password: "123\u{A3}"), "Authorization", "Basic dGVzdDoxMjPCow=="),
            (.apiKey("t0ken", header: "X-Api-Key"), "X-Api-Key", "t0ken"),
        ]
        for (credential, name, value) in rows {
            let stub = StubTransport(.status(200))
            _ = try await client(stub, credential).data(for: SampleEndpoint()).get()
            let sent = try #require(stub.requests.first)
            #expect(sent.headers[HTTPField.Name(name)] == value && sent.headers.hasSecret)
            #expect(!everythingShown(of: sent.request).contains(value ?? ""))
            #expect(!everythingShown(of: credential).contains("t0ken") && !everythingShown(of: credential).contains("sesame"))
        }
    }

    @Test(
        "A key goes into the query behind what is there",
        arguments: [
            ("", "?api_key=k%20%26"), ("?a=1", "?a=1&api_key=k%20%26"), ("?", "?api_key=k%20%26"), ("?api_key=own", "?api_key=own"),
            ("?my_api_key=x", "?my_api_key=x&api_key=k%20%26"),
        ])
    func query(written: String, sent: String) async throws {
        let stub = StubTransport(.status(200))
        _ = try await client(stub, .apiKey("k &", query: "api_key")).data(for: SampleEndpoint(baseURL: url("https://a.test/p\(written)")))
            .get()
        let request = try #require(stub.requests.first)
        #expect(request.url.absoluteString == "https://a.test/p\(sent)")
        #expect(!request.description.contains("k%20%26"))
    }

    @Test("A key in the query is masked in an error too, also where only the server quotes it")
    func queryInError() async throws {
        let stub = StubTransport(.text("bad key hunter22", status: 403))
        let error = try #require(await client(stub, .apiKey("hunter22", query: "key")).data(for: SampleEndpoint()).failure)
        #expect(error.statusCode == 403 && !everythingShown(of: error).contains("hunter22"))
        let lost = StubTransport(.connection(.reset))
        let other = try #require(await client(lost, .apiKey("hunter22", query: "key")).data(for: SampleEndpoint()).failure)
        #expect(other.connectionKind == .reset && !everythingShown(of: other).contains("hunter22"))
    }

    @Test("What the endpoint sets itself stands")
    func ownCredentials() async throws {
        let stub = StubTransport(.status(200))
        let client = client(stub, .bearer("theirs"), .apiKey("theirs", header: "X-Api-Key"))
        _ = try await client.data(for: SampleEndpoint(headers: ["Authorization": "Bearer own", "x-api-key": "own"])).get()
        _ = try await client.data(for: SampleEndpoint(baseURL: url("https://jo:pw@api.example.com"))).get()
        #expect(stub.requests.map { $0.headers[values: .authorization] } == [["Bearer own"], ["Basic am86cHc="]])
        #expect(stub.requests.map { $0.headers[values: "X-Api-Key"] } == [["own"], ["theirs"]])
    }

    @Test(
        "A credential goes to the origins that it declares, else to the call's first one, and to none that a redirect leads to",
        arguments: [
            ("https://a.test/", nil, [true, false]), ("https://b.test/", nil, [true, true]),
            ("https://a.test/", ["https://b.test/any/path"], [false, true]),
            ("https://a.test/", ["https://a.test", "https://b.test:443"], [true, true]),
            ("https://a.test/", ["http://a.test"], [true, false]), ("https://a.test/", ["https://a.test:8443"], [false, false]),
            ("http://a.test/", ["https://a.test"], [false, false]), ("http://b.test/", nil, [true, true]),
            ("http://b.test:8080/", nil, [true, false]), ("https://a.test/", ["mailto:x@a.test"], [false, false]),
        ] as [(String, [String]?, [Bool])])
    func reach(start: String, declared: [String]?, expected: [Bool]) async throws {
        let stub = StubTransport(redirects: [start: "https://b.test/end"])
        var credential = Credential.bearer("t")
        if let declared { credential = credential.for(declared.compactMap { Origin(url($0)) }) }
        _ = try await client(stub, credential).data(for: SampleEndpoint(baseURL: url(start))).get()
        #expect(stub.requests.map { $0.headers.contains(.authorization) } == expected)
    }

    @Test("A request that is sent by hand is its own beginning")
    func byHand() async throws {
        let stub = StubTransport(redirects: ["https://a.test/1": "https://b.test/2"])
        let next = Next(interceptors: [.redirects(), .authentication(.bearer("t"))], transport: stub)
        _ = try await next(HTTPRequest(url: url("https://a.test/1")))
        #expect(stub.requests.map { $0.headers[.authorization] } == ["Bearer t", nil])
    }

    @Test("Over sockets: a token and a key stay with the server that they are for, and are no part of the request that redirects see")
    func overSockets() async throws {
        try await LoopbackServer.with(LoopbackRoutes { $0.any("/end") { _ in .text("end") } }) { foreign in
            let target = foreign.url("/end").absoluteString
            let routes = LoopbackRoutes { routes in
                routes.any("/away") { _ in .status(307, headers: ["Location": target]) }
                routes.any("/near") { _ in .status(307, headers: ["Location": "/end"]) }
                routes.any("/end") { _ in .text("end") }
            }
            try await LoopbackServer.with(routes) { server in
                let client = TestClient(interceptors: [
                    .authentication(.bearer("t")), .authentication(.apiKey("k", header: "X-Api-Key")),
                    .authentication(.apiKey("q", query: "key")),
                ])
                _ = try await client.text(server.call("away"))
                _ = try await client.text(server.call("near"))
                let arrived = try #require(foreign.requests.first)
                #expect(!arrived.headers.contains(.authorization) && !arrived.headers.contains("X-Api-Key") && arrived.target == "/end")
                #expect(server.requests.map { $0.headers[.authorization] } == ["Bearer t", "Bearer t", "Bearer t"])
                #expect(server.requests.map(\.target) == ["/away?key=q", "/near?key=q", "/end?key=q"])
            }
        }
    }

    @Test("A 401 without a way to renew the token is the answer")
    func refused() async throws {
        let stub = StubTransport(.status(401))
        #expect(await client(stub, .bearer("t")).data(for: SampleEndpoint()).failure?.caseName == "unauthorized")
        #expect(await client(stub, .bearer { "t" }).data(for: SampleEndpoint()).failure?.caseName == "unauthorized")
        #expect(stub.requests.count == 2)
    }

    @Test("Bad input: a token with a line break isn't sent, and neither is the request", arguments: ["a\r\nX-Evil: 1", "a\nb", "a\0"])
    func lineBreak(token: String) async throws {
        let stub = StubTransport(.status(200))
        for credential in [Credential.bearer(token), .bearer { token }, .apiKey(token, header: "X-Api-Key")] {
            let error = try #require(await client(stub, credential).data(for: SampleEndpoint()).failure)
            #expect(error.caseName == "encode" && !error.description.contains("Evil"))
        }
        _ = try await client(stub, .apiKey(token, query: "key")).data(for: SampleEndpoint()).get()
        #expect(stub.requests.count == 1 && stub.requests.first?.url.absoluteString.contains("%0") == true)
    }

    @Test("Bad input: an empty token, and a user with a colon, send nothing and say so")
    func empty() async throws {
        let stub = StubTransport(.status(200))
        for credential in [Credential.bearer(""), .bearer { "" }, .apiKey("", header: "X-Api-Key"), .apiKey("", query: "key")] {
            let error = try #require(await client(stub, credential).data(for: SampleEndpoint()).failure)
            #expect(error.caseName == "authentication" && error.description.contains("empty"))
        }
        for user in ["a:b", "a:\u{301}b"] {
            let failure = await client(stub, .basic(user: user, password: "c")).data(for: SampleEndpoint()).failure
            #expect(failure?.encodePart == .fieldValue(.authorization))
        }
        #expect(stub.requests.isEmpty)
    }

    @Test("Bad input: a token provider that throws fails the call, with its error and without what that error says")
    func providerThrows() async throws {
        struct Locked: Error, CustomStringConvertible { var description: String { "hunter22" } }
        let stub = StubTransport(.status(200))
        let error = try #require(await client(stub, .bearer { throw Locked() }).data(for: SampleEndpoint()).failure)
        guard case .authentication(let details) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(details.underlying is Locked && error.description.contains("Locked") && !error.description.contains("hunter22"))
        #expect(details.url == url("https://api.example.com") && stub.requests.isEmpty)
    }

    @Test("Bad input: a token provider that never returns is waited for until the deadline, and no longer")
    func providerHangs() async throws {
        let (clock, gate, stub) = (TestClock(), LoopbackGate(), StubTransport(.status(200)))
        // Deaf to its cancellation.
        let credential = Credential.bearer {
            await Task { await gate.wait() }.value
            return "t"
        }
        let client = client(stub, credential, clock: clock)
        async let outcome = client.data(for: SampleEndpoint(options: .init(deadline: .seconds(5))))
        await clock.advance(through: .seconds(5))
        let error = await outcome.failure
        guard case .timedOut(let details) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(details.limit == .deadline && stub.requests.isEmpty)
        let task = Task { await client.data(for: SampleEndpoint()) }
        task.cancel()
        #expect(await task.value.failure?.isCancellation == true)
        gate.open()
    }

    @Test("A token provider may use the session that it gives the token to: those requests go without it")
    func providerInside() async throws {
        let stub = StubTransport(.text("t"))
        let later = Lock<NetworkClient?>(nil)
        let client = client(
            stub,
            .bearer {
                String(decoding: try await later.withLock { $0 }?.data(for: SampleEndpoint(path: "token")).get() ?? Data(), as: UTF8.self)
            })
        later.withLock { $0 = client }
        _ = try await client.data(for: SampleEndpoint(path: "it")).get()
        #expect(stub.requests.map(\.path) == ["/token", "/it"])
        #expect(stub.requests.map { $0.headers[.authorization] } == [nil, "Bearer t"])
        later.withLock { $0 = nil }
    }

    @Test("It explains itself, without the secret")
    func explained() {
        let interceptor: AuthenticationInterceptor = .authentication(.bearer("hunter22").for(url("https://a.test")))
        func text(_ address: String, _ headers: HTTPFields = [:]) -> String? {
            interceptor.describe(HTTPRequest(url: url(address), headers: headers))
        }
        #expect(text("https://a.test/x") == "adds a bearer token in Authorization, for https://a.test")
        #expect(text("https://b.test/x") == "adds nothing: not for https://b.test")
        #expect(text("https://a.test/x", ["Authorization": "Basic x"]) == "adds nothing: the endpoint has its own")
        #expect(!everythingShown(of: interceptor).contains("hunter22"))
    }
}
