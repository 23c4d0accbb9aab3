import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

/// What happens to a request whose kept connection dies: it is counted on the server how often it ran.
@Suite("CurlTransport: sending again")
struct CurlTransportResendTests {
    private let client = TestClient()

    /// A server that answers a connection's first request and, on a reused one, acts and then cuts the connection.
    private let routes = LoopbackRoutes { routes in
        routes.any("/warm") { _ in .text("warm") }
        routes.any("/act") { request in
            _ = try await request.body()
            return request.isReused ? .reset : .text("done")
        }
        routes.any("/drop") { request in
            _ = try await request.body()
            return request.isReused ? .dropped : .text("done")
        }
        // What was left of the answer before, and came late.
        routes.any("/surplus") { request in
            _ = try await request.body()
            return request.isReused ? .raw("the rest of a longer answer") : .text("done")
        }
        routes.any("/always") { _ in .reset }
    }

    @Test(
        "A POST that the server acts on and cuts off runs once, with and without a body", arguments: ["act", "drop", "surplus"],
        [true, false])
    func postRunsOnce(_ path: String, _ hasBody: Bool) async throws {
        try await LoopbackServer.with(routes) { server in
            _ = try await client.data(for: server.call("warm")).get()
            let call = server.call(Path(path), .post, body: hasBody ? .json(Item(id: 1)) : nil)
            guard case .connection(let details) = await client.data(for: call).failure else { return #expect(Bool(false)) }
            #expect(details.kind == .stale)
            #expect(server.requests.count { $0.path == "/\(path)" } == 1)
        }
    }

    @Test(
        "A GET, or a PUT with its body, is sent again once on a new connection", arguments: ["act", "drop", "surplus"],
        [HTTPMethod.get, .put])
    func idempotentGoesAgain(_ path: String, _ method: HTTPMethod) async throws {
        try await LoopbackServer.with(routes) { server in
            _ = try await client.data(for: server.call("warm")).get()
            let call = server.call(Path(path), method, body: method == .put ? .data(Data("whole".utf8)) : nil)
            let reply = try await client.reply(endpoint: call, responseModel: String.self).get()
            #expect(reply.value == "done")
            #expect(reply.metrics.sends == 2 && !reply.metrics.isConnectionReused)
            let sent = server.requests.filter { $0.path == "/\(path)" }
            #expect(sent.count == 2)
            if method == .put { #expect(sent.map(\.text) == ["whole", "whole"]) }
        }
    }

    @Test("A POST with an idempotency key is sent again, with the same key")
    func keyedPostGoesAgain() async throws {
        try await LoopbackServer.with(routes) { server in
            _ = try await client.data(for: server.call("warm")).get()
            let call = server.call("act", .post, body: .json(Item(id: 1)), options: .init(idempotencyKey: "k-1"))
            let text = try await client.text(call)
            #expect(text == "done")
            #expect(server.requests.filter { $0.path == "/act" }.map { $0.headers[.idempotencyKey] } == ["k-1", "k-1"])
        }
    }

    @Test("A stream that was read can't be sent again: the error says so, and no empty body goes out")
    func streamDoesNotGoAgain() async throws {
        try await LoopbackServer.with(routes) { server in
            _ = try await client.data(for: server.call("warm")).get()
            let call = server.call("act", .put, body: .stream([Data("once".utf8)].stream))
            guard case .connection(let details) = await client.data(for: call).failure else { return #expect(Bool(false)) }
            #expect(details.kind == .stale)
            #expect(server.requests.count { $0.path == "/act" } == 1)
        }
    }

    @Test("A new connection that dies unanswered is not tried again")
    func newConnectionIsNotTriedAgain() async throws {
        try await LoopbackServer.with(routes) { server in
            for method in [HTTPMethod.get, .post] {
                let failure = await client.data(for: server.call("always", method)).failure
                guard case .connection(let details) = failure else { return #expect(Bool(false), "\(String(describing: failure))") }
                #expect(details.kind == .reset)
            }
            #expect(server.requestCount == 2)
        }
    }

    @Test("Bytes that are no answer, on a new connection, are named as that and not asked for again")
    func noAnswerOnANewConnection() async throws {
        try await LoopbackServer.with { routes in
            routes.any("/") { _ in .raw("220 mail is served here\r\n") }
        } perform: { server in
            guard case .connection(let details) = await client.data(for: server.call("/")).failure else { return #expect(Bool(false)) }
            #expect(details.kind == .malformed)
            #expect(server.requestCount == 1)
        }
    }

    @Test("100 POSTs to a server that closes each connection behind its answer run once each")
    func closingServer() async throws {
        try await LoopbackServer.with { routes in
            routes.post("/") { _ in .text("done").closingSilently() }
        } perform: { server in
            var failures = 0
            for _ in 0..<100 {
                let result = await client.data(for: server.call("/", .post, body: .json(Item(id: 1))))
                if case .connection(let details) = result.failure {
                    #expect(details.kind == .stale)
                    failures += 1
                } else {
                    _ = try result.get()
                }
            }
            #expect(server.requestCount + failures >= 100 && server.requestCount <= 100)
        }
    }
}
