import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

/// Faults with cookies that users of other clients reported, each by its number.
@Suite("Field reports: cookies")
struct CookieReportsTests {
    @Test("B71: Set-Cookie fields are read one by one, commas in dates included")
    func repeatedFields() async throws {
        let jar = CookieJar()
        let clock = TestClock()
        try await LoopbackServer.with { routes in
            routes.get("/login") { _ in
                .status(
                    200,
                    headers: [
                        "Set-Cookie": [
                            "first=1; Expires=Sun, 16 Aug 2026 10:00:00 GMT; Path=/",
                            "second=2, and more; Expires=Sunday, 16-Aug-26 10:00:00 GMT",
                        ]
                    ])
            }
            routes.get("/echo") { request in .text(request.headers[values: .cookie].joined(separator: " | ")) }
        } perform: { server in
            // The answer's dates are in the past of some machines, so the session's clock has a date of its own.
            let session = HTTPSession(transport: CurlTransport(.init(proxy: .none)), interceptors: [.cookies(jar)], clock: clock)
            let client = NetworkClient(session: session)
            _ = try await client.data(for: server.call("/login")).get()
            let echo = try await client.data(for: server.call("/echo")).get()
            #expect(String(decoding: echo, as: UTF8.self) == "first=1; second=2, and more")
            #expect(jar.all.map(\.name) == ["first", "second"])
            #expect(jar.all.map(\.value) == ["1", "2, and more"])
            #expect(jar.all.allSatisfy { $0.domain == "127.0.0.1" && $0.isHostOnly && $0.path == "/" })
            #expect(jar.all.map(\.expires) == Array(repeating: Date(timeIntervalSince1970: 1_786_874_400), count: 2))
        }
    }
}
