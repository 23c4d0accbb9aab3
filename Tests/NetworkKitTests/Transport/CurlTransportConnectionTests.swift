import NetworkKit
import NetworkKitTesting
import PlatformBase
import TestSupport
import Testing

extension OneAtATime {
    @Suite("CurlTransport: connections")
    struct CurlTransportConnectionTests {
        @Test("1,000 requests in flight at once are all answered; no more than 64 connect")
        func thousandAtOnce() async throws {
            try await LoopbackServer.with { routes in
                routes.get("/:id") { request in .text(request.parameters["id"] ?? "") }
            } perform: { server in
                let client = TestClient()
                await withTaskGroup(of: (Int, String?).self) { group in
                    for id in 0..<1000 { group.addTask { (id, try? await client.text(server.call("\(id)"))) } }
                    for await (id, text) in group { #expect(text == "\(id)") }
                }
                #expect(server.requestCount == 1000)
                #expect(server.connectionCount <= 64)
            }
        }

        @Test("1,000 requests in flight over 1,000 connections are all answered, where the limits are raised")
        func thousandConnections() async throws {
            let gate = LoopbackGate()
            try await LoopbackServer.with { routes in
                routes.get("/") { request in
                    await gate.wait()
                    return .text("open")
                }
            } perform: { server in
                let client = TestClient(.init(proxy: .none, connectionsPerHost: 1000, connections: 1000))
                await withTaskGroup(of: String?.self) { group in
                    for _ in 0..<1000 { group.addTask { try? await client.text(server.call()) } }
                    _ = await server.waitForRequests(1000)
                    gate.open()
                    for await text in group { #expect(text == "open") }
                }
                #expect(server.connectionCount == 1000)
            }
        }

        @Test("A refused port, a name without an address and a server that says nothing of HTTP are told apart")
        func refused() async throws {
            let deadPort = Call(baseURL: try #require(URL(string: "http://127.0.0.1:\(try LoopbackSocket.freePort())/")))
            let refused = await TestClient().data(for: deadPort).failure
            guard case .connection(let details) = refused else { return #expect(Bool(false)) }
            #expect(details.kind == .refused && refused?.isRetryable == true)
            let nowhere = Call(baseURL: try #require(URL(string: "http://no-such-host.invalid/")))
            guard case .connection(let lookup) = await TestClient().data(for: nowhere).failure else { return #expect(Bool(false)) }
            #expect(lookup.kind == .nameLookup)
        }

        @Test("An IPv6 address is connected to")
        func ipv6() async throws {
            let failure = await TestClient().data(for: Call(baseURL: try #require(URL(string: "http://[::1]:1/x")))).failure
            guard case .connection(let details) = failure else { return #expect(Bool(false)) }
            // Nobody listens there: what counts is that the address was understood.
            #expect(details.kind == .refused || details.kind == .other)
            #expect(!details.reason.contains("resolve"))
        }

        @Test("A proxy gets the whole URL, and its credentials; a proxy that can't be reached is a connection error")
        func proxy() async throws {
            try await LoopbackServer.with { routes in
                routes.fallback { request in .text(request.target) }
            } perform: { proxy in
                let client = TestClient(.init(proxy: .url("http://user:pass@127.0.0.1:\(proxy.port)")))
                let text = try await client.text(Call(baseURL: try #require(URL(string: "http://far.example/a")), path: "b"))
                #expect(text == "http://far.example/a/b")
                #expect(proxy.requests.first?.headers[.proxyAuthorization] == "Basic " + Data("user:pass".utf8).base64EncodedString())
                await proxy.stop()
                let failure = await client.data(for: Call(baseURL: try #require(URL(string: "http://far.example/a")))).failure
                guard case .connection = failure else { return #expect(Bool(false)) }
                #expect(failure?.description.contains("pass") == false)
            }
        }

        @Test("Interceptors see the head of a stream as it comes, and events tell what happens on the wire")
        func events() async throws {
            struct Listener: Interceptor {
                let seen: Lock<[String]>.Shared
                func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
                    var request = request
                    let seen = seen
                    request.context.events = { event in
                        switch event {
                        case .connected(let reused): seen.append(reused ? "kept" : "new")
                        case .interim(let status, _): seen.append("\(status.code)")
                        case .head(let status): seen.append("\(status.code)")
                        case .sent(let count): seen.append("sent \(count)")
                        case .received(let count): seen.append("received \(count)")
                        case .ended: seen.append("ended")
                        default: break
                        }
                    }
                    return try await next(request)
                }
            }
            try await LoopbackServer.with { routes in
                routes.post("/") { request in .text(try await request.text()).interim(103, ["Link": "</a>"]) }
            } perform: { server in
                let call = server.call("/", .post, body: .data(Data("hello".utf8)))
                let seen = Lock<[String]>.Shared([])
                let client = TestClient(interceptors: [Listener(seen: seen)])
                for _ in 0..<2 { _ = try await client.text(call) }
                let exchange = ["sent 5", "103", "200", "received 5", "ended"]
                #expect(seen.value == ["new"] + exchange + ["kept"] + exchange)
            }
        }
    }
}

extension Lock where Value == [String] {
    /// A list that is written to from elsewhere.
    final class Shared: Sendable {
        private let lock: Lock<[String]>
        init(_ value: [String]) { lock = Lock(value) }
        func append(_ element: String) { lock.withLock { $0.append(element) } }
        var value: [String] { lock.withLock { $0 } }
    }
}
