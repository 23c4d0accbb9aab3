import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

/// Faults in redirects that users of other clients reported, each by its number.
@Suite("Field reports: redirects")
struct RedirectReportsTests {
    private let client = TestClient()

    /// A server whose `/go/307` and so on lead to a place, and whose `/echo` answers with the body.
    private func routes(to location: String = "/echo") -> LoopbackRoutes {
        LoopbackRoutes { routes in
            routes.any("/go/:status") { request in
                .status(HTTPStatus(Int(request.parameters["status"] ?? "") ?? 302), headers: ["Location": location])
            }
            routes.any("/echo") { request in .data(try await request.body(), contentType: request.headers[.contentType]) }
            routes.any("/loop") { _ in .status(302, headers: ["Location": "/loop"]) }
            routes.any("/silent") { _ in .stalled }
        }
    }

    @Test("B21: Authorization, cookies and what is marked secret stay with the origin they were meant for")
    func secretsStayHome() async throws {
        try await LoopbackServer.with(routes()) { foreign in
            try await LoopbackServer.with(routes(to: foreign.url("/echo").absoluteString)) { home in
                let call = home.call(
                    "go/302",
                    headers: [
                        "Authorization": "Bearer t", "Cookie": "a=1", "Proxy-Authorization": "Basic eA==", "X-Api-Key": .secret("k"),
                        "X-Plain": "p", "Host": "virtual.example",
                    ])
                _ = try await client.data(for: call).get()
                let arrived = try #require(foreign.requests.first?.headers)
                for name in [HTTPField.Name.authorization, .cookie, .proxyAuthorization, "X-Api-Key"] { #expect(!arrived.contains(name)) }
                #expect(arrived["X-Plain"] == "p")
                #expect(arrived[.host] == "127.0.0.1:\(foreign.port)")
                #expect(home.requests.first?.headers["X-Api-Key"] == "k")
                #expect(home.requests.first?.headers[.host] == "virtual.example")
            }
        }
    }

    @Test("Secrets go along within their origin")
    func secretsGoAlongAtHome() async throws {
        try await LoopbackServer.with(routes()) { server in
            _ = try await client.data(for: server.call("go/302", headers: ["Authorization": "Bearer t"])).get()
            #expect(server.requests.map { $0.headers[.authorization] } == ["Bearer t", "Bearer t"])
        }
    }

    @Test("B25: 307 and 308 send the body again; a stream that was read gives an error and never an empty body", arguments: [307, 308])
    func bodiesAreSentAgain(_ status: Int) async throws {
        try await LoopbackServer.with(routes()) { server in
            let whole = server.call("go/\(status)", .post, body: .json(Item(id: 7)))
            let item = try await client.sendRequest(endpoint: whole, responseModel: Item.self).get()
            #expect(item == Item(id: 7))
            let replayable = RequestBody.stream(open: { [Data("again".utf8)].stream })
            let text = try await client.text(server.call("go/\(status)", .put, body: replayable))
            #expect(text == "again")
            let once = server.call("go/\(status)", .post, body: .stream([Data("once".utf8)].stream))
            guard case .notReplayable = await client.data(for: once).failure else { return #expect(Bool(false)) }
            #expect(server.requestCount == 5)
        }
    }

    @Test("303, and 301 and 302 after a POST, read with GET, without body and its fields", arguments: [301, 302, 303])
    func bodiesAreDropped(_ status: Int) async throws {
        try await LoopbackServer.with(routes()) { server in
            _ = try await client.data(for: server.call("go/\(status)", .post, body: .json(Item(id: 7)))).get()
            let last = try #require(server.requests.last)
            #expect(last.method == .get)
            #expect(last.body.isEmpty && !last.headers.contains(.contentType) && !last.headers.contains(.contentLength))
        }
    }

    @Test("B28: the timeout counts on after a redirect")
    func timeoutAfterRedirect() async throws {
        try await LoopbackServer.with(routes(to: "/silent")) { server in
            let call = server.call("go/302", options: .init(timeout: .milliseconds(300)))
            guard case .timedOut(let details) = await client.data(for: call).failure else { return #expect(Bool(false)) }
            #expect(details.limit == .attempt)
        }
    }

    @Test("B30: a loop ends at 20 with an error that carries the last answer")
    func loop() async throws {
        try await LoopbackServer.with(routes()) { server in
            guard case .redirect(let details) = await client.data(for: server.call("loop")).failure else { return #expect(Bool(false)) }
            #expect(details.fault == .tooMany)
            #expect(details.response?.head.status == 302)
            #expect(server.requestCount == 21)
        }
    }

    @Test("Only http and https are followed", arguments: ["file:///etc/hostname", "ftp://127.0.0.1/x", "data:,x", "javascript:alert(1)"])
    func otherSchemes(_ location: String) async throws {
        try await LoopbackServer.with(routes(to: location)) { server in
            guard case .redirect(let details) = await client.data(for: server.call("go/302")).failure else { return #expect(Bool(false)) }
            #expect(details.fault == .scheme)
            #expect(details.location == location)
            #expect(server.requestCount == 1)
        }
    }

    @Test("A redirect without Location, and one that isn't to be followed, is the answer")
    func delivered() async throws {
        try await LoopbackServer.with { routes in
            routes.get("/bare") { _ in .text("nowhere", status: 302) }
            routes.get("/to") { _ in .text("there", status: 302, headers: ["Location": "/bare"]) }
        } perform: { server in
            let bare = try await client.response(for: server.call("bare")).get()
            let bareBody = try await bare.body.collect(upTo: 100)
            #expect(bare.status == 302 && bareBody == Data("nowhere".utf8))
            let kept = try await client.response(for: server.call("to", options: .init(redirectPolicy: .manual))).get()
            #expect(kept.status == 302 && kept.headers[.location] == "/bare")
        }
    }

    @Test("The final URL is the last one, with the fragment handed down; the connection is used again")
    func finalURL() async throws {
        try await LoopbackServer.with(routes(to: "../echo?a=b")) { server in
            let response = try await client.response(for: Call(baseURL: server.url("/go/302#part"), path: "#part")).get()
            #expect(response.url.absoluteString == server.url("/echo?a=b#part").absoluteString)
            #expect(server.connectionCount == 1)
        }
    }
}
