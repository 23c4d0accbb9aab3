import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

@Suite("CurlTransport: options")
struct CurlTransportOptionsTests {
    @Test("Options say at once what every request would say; whole ones say nothing, and connect to nothing")
    func check() async throws {
        typealias Options = CurlTransport.Options
        let bad: [Options] = [
            .init(tls: TLSOptions(pins: ["sha1/x"])), .init(tls: TLSOptions(pins: [])), .init(tls: TLSOptions(authorityFile: "/none")),
            .init(tls: TLSOptions(clientCertificate: .pem("/none"))), .init(proxy: .url("proxy.example:3128")),
            .init(addresses: ["a": ["b"]]), .init(unixSocket: ""), .init(addresses: ["a.example:1": ["::1"]], unixSocket: "/tmp/x.sock"),
        ]
        for options in bad {
            do throws(RequestError) {
                try options.check()
                Issue.record("nothing is wrong with \(options)")
            } catch {
                let failure = await TestClient(options).data(for: Call(baseURL: try #require(URL(string: "http://127.0.0.1:1/")))).failure
                guard case .connection(let early) = error, case .connection(let late)? = failure else { return #expect(Bool(false)) }
                #expect(early.reason == late.reason && early.kind == late.kind)
            }
        }
        let pin = "sha256//fI5iwM32uymhM1+UYyH/z56HMkjAOjJ3RXGWoJ9Iv0o="
        let proxy = Options.Proxy.url("https://proxy.example:3128", user: "a", password: "b", except: ["c.example"])
        try Options().check()
        try Options(tls: TLSOptions(pins: [pin, pin], minimumVersion: .v1_3), proxy: proxy, addresses: ["a.example:1": ["::1"]]).check()
        try Options(unixSocket: "/tmp/none.sock").check()
    }

    @Test("A transport of the platform's kind is made by what it is to trust, and refused at once where that can't be")
    func connecting() throws {
        let transport: any Transport = try .connecting(tls: TLSOptions(minimumVersion: .v1_3))
        #expect(transport is CurlTransport)
        let failure = failure { () throws(RequestError) in try CurlTransport.connecting(tls: TLSOptions(pins: ["sha256//x"])) }
        #expect(failure?.connectionKind == .tls)
    }

    /// How many requests are being answered, and how many were at most.
    private struct Crowd {
        var now = [0, 0]
        var most = [0, 0]
        var mostInAll = 0

        mutating func enter(_ server: Int) {
            now[server] += 1
            most[server] = max(most[server], now[server])
            mostInAll = max(mostInAll, now[0] + now[1])
        }
    }

    @Test("Connections to one origin, and in all, are no more than the options allow")
    func limits() async throws {
        let gate = LoopbackGate()
        let crowd = Lock(Crowd())
        let answer: @Sendable (Int) async -> LoopbackResponse = { server in
            crowd.withLock { $0.enter(server) }
            await gate.wait()
            crowd.withLock { $0.now[server] -= 1 }
            return .text("open")
        }
        try await LoopbackServer.with { routes in
            routes.fallback { _ in await answer(0) }
        } perform: { one in
            try await LoopbackServer.with { routes in
                routes.fallback { _ in await answer(1) }
            } perform: { other in
                let client = TestClient(.init(proxy: .none, connectionsPerHost: 2, connections: 3))
                await withTaskGroup(of: String?.self) { group in
                    for server in [one, other] {
                        for _ in 0..<5 { group.addTask { try? await client.text(server.call()) } }
                    }
                    _ = await one.waitForRequests(1)
                    _ = await other.waitForRequests(1)
                    gate.open()
                    for await text in group { #expect(text == "open") }
                }
                let (most, inAll) = crowd.withLock { ($0.most, $0.mostInAll) }
                #expect(most.allSatisfy { (1...2).contains($0) } && inAll <= 3, "\(most) \(inAll)")
            }
        }
    }

    @Test("A connection that nobody uses is closed after its lifetime, without another request", .timeLimit(.minutes(1)))
    func idle() async throws {
        try await LoopbackServer.with { routes in
            routes.fallback { _ in .text("x") }
        } perform: { server in
            let client = TestClient(.init(proxy: .none, idleLifetime: .seconds(1)))
            let start = ContinuousClock.now
            for _ in 0..<3 { _ = try await client.text(server.call()) }
            // On a busy machine three requests may take longer than the lifetime.
            let opened = server.connectionCount
            await server.waitForOpenConnections(atMost: 0)
            #expect(ContinuousClock.now - start >= .seconds(1))
            _ = try await client.text(server.call())
            #expect(server.connectionCount == opened + 1)
        }
    }
}
