import ExampleSupport
import ExampleTestSupport
import NetworkKit
import NetworkKitTesting
import PlatformBase
import TestSupport
import Testing

@testable import WeatherExample

@Suite struct ClearSkyLiveTests {
    @Test func `the request is the one of the tutorial, and the answer arrives compressed`() async throws {
        try await LoopbackServer.with { routes in
            routes.get("/clearsky") { _ in .json(Twins.clearSky).gzipped() }
        } perform: { server in
            let run = await clearSky(server, "Cape Town")
            #expect(run.status == .success)
            #expect(server.requests.map(\.target) == ["/clearsky?lat=-33.92&long=18.42&api_key=k3y%2Fwith%2Bsigns"])
            #expect(server.requests[0].headers[.acceptEncoding]?.contains("gzip") == true)
            #expect(run.lines[0].hasPrefix("Cape Town, South Africa · Tue 14 Nov, 23:13 (Etc/GMT-1)"))
            #expect(run.output.contains("☁ 67°F  Grey and damp"))
            #expect(run.errors.isEmpty)
        }
    }

    @Test func `verbose shows configuration and requests, and the key nowhere`() async throws {
        try await LoopbackServer.with { routes in
            routes.get("/clearsky") { _ in .json(Twins.clearSky).gzipped() }
        } perform: { server in
            let run = await clearSky(server, "--verbose", "paris")
            #expect(run.errors.contains("key       *** (CLEAR_SKY_API_KEY, from the environment)"))
            #expect(run.errors.contains("GET \(server.baseURL)/clearsky?lat=48.86&long=2.35&api_key=*** → 200 OK, "))
            #expect(run.errors.contains(" bytes, ") && run.errors.contains("wait ") && run.errors.contains("█"))
            #expect(!run.errors.contains(key) && !run.errors.contains("k3y"))
        }
    }

    @Test func `a place within two decimals is asked for once, with refresh each time`() async throws {
        try await LoopbackServer.with { routes in
            routes.get("/clearsky") { _ in .json(Twins.clearSky) }
        } perform: { server in
            let run = await clearSky(server, "48.86,2.35", "48.8612,2.3488", "Paris", "London")
            #expect(run.status == .success)
            #expect(server.requestCount == 2)
            #expect(run.lines.filter { $0.contains("Etc/GMT-1") }.count == 4)
            _ = await clearSky(server, "48.86,2.35", "Paris", "--refresh")
            #expect(server.requestCount == 4)
        }
    }

    @Test func `several places come in their order, and one that fails is told without hiding the others`() async throws {
        try await LoopbackServer.with { routes in
            routes.get("/clearsky") { request in
                request.query("lat") == "51.51" ? .status(503) : .json(Twins.clearSky).delayed(by: .milliseconds(20))
            }
        } perform: { server in
            let run = await clearSky(server, "Tokyo", "London", "Paris")
            #expect(run.status == .server)
            #expect(run.lines.filter { $0.contains("·") && $0.contains("Etc") }.map { $0.prefix(5) } == ["Tokyo", "Paris"])
            #expect(run.errorLines == ["Error: London: Clear Sky answered with 503 Service Unavailable."])
        }
    }

    @Test(arguments: [401, 403, 404, 500])
    func `a key that the server says back isn't shown`(status: Int) async throws {
        try await LoopbackServer.with { routes in
            routes.get("/clearsky") { _ in .json(#"{"error": "Unknown key \#(key)"}"#, status: .init(status)) }
        } perform: { server in
            let run = await clearSky(server)
            #expect(run.errors.contains("It says: Unknown key ***."), "\(run.errors)")
            #expect(!run.errors.contains(key))
        }
    }

    @Test(arguments: [
        (401, "Clear Sky refused the key. Check CLEAR_SKY_API_KEY.", ExitCode.refusedKey),
        (429, "Clear Sky wants fewer requests. It doesn't say when to try again: wait a minute.", .rateLimit),
        (500, "Clear Sky answered with 500 Internal Server Error.", .server),
        (404, "Clear Sky has no weather at that address (404). Check CLEAR_SKY_BASE_URL.", .server),
    ])
    func `a status is told in one line`(status: Int, message: String, code: ExitCode) async throws {
        try await LoopbackServer.with { routes in
            routes.get("/clearsky") { _ in .data(Data("<html>".utf8), contentType: "text/html", status: .init(status)) }
        } perform: { server in
            let run = await clearSky(server)
            #expect(run.status == code)
            #expect(run.output.isEmpty)
            #expect(run.errorLines == ["Error: " + message])
        }
    }

    @Test func `an answer that can't be decoded is told with its place`() async throws {
        try await LoopbackServer.with { routes in
            routes.get("/clearsky") { request in
                request.occurrence == 1
                    ? .json(Twins.clearSky.replacing(#""temperatureMin": 74.1"#, with: #""temperatureMin": "cold""#))
                    : .data(Data("<html>Hello</html>".utf8), contentType: "text/html")
            }
        } perform: { server in
            let wrong = await clearSky(server)
            #expect(wrong.status == .undecodable)
            #expect(wrong.errorLines.count == 1)
            #expect(wrong.errors.contains("can't be read at daily.data[0].temperatureMin, where Double is expected"))
            let page = await clearSky(server)
            #expect(page.status == .undecodable)
            #expect(page.errors.contains("text/html"))
            #expect(page.errorLines.count == 1)
        }
    }

    @Test func `no network is told with the address`() async throws {
        let port = try LoopbackSocket.freePort()
        let run = await weather("--base-url", "http://127.0.0.1:\(port)/x", "--api-key", key, "--verbose")
        #expect(run.status == .noNetwork)
        #expect(run.errorLines.last == "Error: 127.0.0.1:\(port) can't be reached: nobody listens there.")
        #expect(!run.errors.contains("k3y"))
    }

    @Test(arguments: [LoopbackResponse.reset, .dropped, .raw("SSH-2.0-nothing\r\n"), .json(Twins.clearSky).cut(afterBodyBytes: 40)])
    func `a connection that fails on the way is one line`(response: LoopbackResponse) async throws {
        try await LoopbackServer.with { routes in
            routes.get("/clearsky") { _ in response }
        } perform: { server in
            let run = await clearSky(server)
            #expect(run.status == .noNetwork || run.status == .undecodable)
            #expect(run.output.isEmpty)
            #expect(run.errorLines.count == 1)
        }
    }
}
