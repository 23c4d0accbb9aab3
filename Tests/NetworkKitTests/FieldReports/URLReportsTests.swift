import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

/// Faults in URLs that users of other clients reported, each by its number.
@Suite("Field reports: URLs")
struct URLReportsTests {
    private let client = TestClient()
    private let routes = LoopbackRoutes { routes in
        routes.post("/form") { request in .text(try await request.text()) }
        routes.fallback { request in .text(request.target) }
    }

    @Test("B02: form values are escaped once")
    func formValuesAreEscapedOnce() async throws {
        try await LoopbackServer.with(routes) { server in
            let body = RequestBody.form(["username": "x", "pwd": "cool//pass%"])
            let echoed = try await client.sendRequest(endpoint: server.call("form", .post, body: body), responseModel: String.self).get()
            #expect(echoed == "username=x&pwd=cool%2F%2Fpass%25")
            #expect(server.requests.first?.headers[.contentType] == "application/x-www-form-urlencoded")
        }
    }

    @Test(
        "B04: a path never leads to another origin",
        arguments: ["//127.0.0.1:PORT/x", "http://127.0.0.1:PORT/x", #"\\127.0.0.1:PORT/x"#, "/\\127.0.0.1:PORT/x", "@127.0.0.1:PORT/x"])
    func aPathNeverLeavesItsBase(_ path: String) async throws {
        try await LoopbackServer.with(routes) { home in
            try await LoopbackServer.with(routes) { foreign in
                let path = path.replacing("PORT", with: "\(foreign.port)")
                for path in [Path(path), "\(path)"] {
                    let call = home.call(path, headers: ["Authorization": "Bearer secret"])
                    _ = await client.data(for: call)
                }
                #expect(foreign.requestCount == 0)
                #expect(home.requestCount == 2)
            }
        }
    }

    @Test("B05: a path joins a base URL that has a query in front of the query")
    func pathGoesInFrontOfTheBasesQuery() async throws {
        try await LoopbackServer.with(routes) { server in
            let call = Call(baseURL: server.url("/app/?module=a"), path: "x", query: ["p": 1])
            let text = try await client.text(call)
            #expect(text == "/app/x?module=a&p=1")
        }
    }

    @Test("B07: what is percent-encoded already goes out byte for byte")
    func encodedPathsStay() async throws {
        try await LoopbackServer.with(routes) { server in
            for call in [server.call("a%2Fb%20c?x=%26%3D"), Call(baseURL: server.url("/a%2Fb%20c?x=%26%3D"))] {
                let text = try await client.text(call)
                #expect(text == "/a%2Fb%20c?x=%26%3D")
            }
        }
    }

    @Test("Literal dot segments and double slashes go out as written")
    func literalsStay() async throws {
        try await LoopbackServer.with(routes) { server in
            for target in ["/a/../b/./c", "/a//b", "/x?d=1&e=f/g?h", "/~user;v=1,2/@me:x"] {
                let call = server.call(Path(target))
                let text = try await client.text(call)
                #expect(text == target)
            }
        }
    }
}
