import ExampleSupport
import ExampleTestSupport
import NetworkKit
import NetworkKitTesting
import PlatformBase
import TestSupport
import Testing

@testable import MoviesExample

@Suite struct MoviesLiveTests {
    /// What TMDB sends along today.
    private static let fields: HTTPFields = [
        "content-type": "application/json; charset=utf-8", "cache-control": "public, max-age=3551", "server": "openresty",
        "etag": "W/\"208fa24198e618aec7a7130ef58226a1\"", "x-cache": "Hit from cloudfront", "alt-svc": "h3=\":443\"", "vary": "Origin",
    ]

    private static func answer(_ json: String) -> LoopbackResponse {
        .data(Data(json.utf8), headers: fields).gzipped()
    }

    @Test func `the token is a bearer, and shown nowhere`() async throws {
        try await LoopbackServer.with { routes in
            routes.get("/3/movie/top_rated") { _ in Self.answer(Twins.page) }
        } perform: { server in
            let run = await movies(at: server, "--verbose", "--page", "2", "--region", "DE")
            #expect(run.status == .success)
            let request = try #require(server.requests.first)
            #expect(request.target == "/3/movie/top_rated?page=2&region=DE")
            #expect(request.headers[.authorization] == "Bearer \(token)")
            #expect(request.headers[.accept] == "application/json")
            #expect(request.headers[.userAgent]?.hasPrefix("NetworkKit/") == true)
            #expect(run.output.contains("The Observatory of Night"))
            #expect(run.errors.contains("token     *** (TMDB_ACCESS_TOKEN, from the environment)"))
            #expect(run.errors.contains("GET \(server.baseURL)/3/movie/top_rated?page=2&region=DE → 200 OK, "))
            #expect(run.errors.contains("wait ") && run.errors.contains("█"))
            #expect(!run.errors.contains(token))
        }
    }

    @Test func `details come from three requests`() async throws {
        try await LoopbackServer.with { routes in
            routes.get("/3/movie/:id") { _ in Self.answer(Twins.details) }
            routes.get("/3/movie/:id/credits") { _ in Self.answer(Twins.credits) }
            routes.get("/3/configuration") { _ in Self.answer(Twins.configuration) }
        } perform: { server in
            let run = await movies(at: server, "--details", "2", "--json")
            #expect(run.status == .success)
            #expect(Set(server.requests.map(\.target)) == ["/3/movie/2", "/3/movie/2/credits", "/3/configuration"])
            #expect(run.output.contains(#""poster" : "https://i.example/t/p/w500/p.jpg""#))
        }
    }

    @Test(arguments: [401, 403, 404, 500])
    func `a token that the server says back isn't shown`(status: Int) async throws {
        try await LoopbackServer.with { routes in
            routes.any("*") { _ in .json(#"{"status_code": 7, "status_message": "Unknown token \#(token)"}"#, status: .init(status)) }
        } perform: { server in
            let run = await movies(at: server)
            #expect(run.errors.contains("It says: Unknown token ***."), "\(run.errors)")
            #expect(!run.errors.contains(token))
        }
    }

    @Test(arguments: [
        (
            HTTPStatus(401),
            #"{"status_code": 7, "status_message": "Invalid API key: You must be granted a valid key.", "success": false}"#,
            ExitCode.refusedKey, "TMDB refused the key. It says: Invalid API key: You must be granted a valid key. Check TMDB_ACCESS_TOKEN."
        ),
        (
            401, #"{"status_code": 7, "status_message": "Invalid API key: You must be granted a valid key."}"#, .refusedKey,
            "TMDB refused the key. It says: Invalid API key: You must be granted a valid key. Check TMDB_ACCESS_TOKEN."
        ),
        (
            404, #"{"success": false, "status_code": 34, "status_message": "The resource you requested could not be found."}"#, .notFound,
            "TMDB has nothing there (404). It says: The resource you requested could not be found."
        ),
        (
            400, #"{"status_code": 22, "status_message": "Invalid page: Pages start at 1 and max at 500.", "success": false}"#, .server,
            "TMDB answered with 400 Bad Request. It says: Invalid page: Pages start at 1 and max at 500."
        ),
        (
            422, #"{"errors": ["query must be provided", "page must be a number"]}"#, .server,
            "TMDB answered with 422 Unprocessable Content. It says: query must be provided; page must be a number."
        ),
        (
            429, #"{"status_code": 25, "status_message": "Your request count (41) is over the allowed limit of 40."}"#, .rateLimit,
            "TMDB wants fewer requests. It doesn't say when to try again: wait a minute. It says: Your request count (41) is over the allowed limit of 40."
        ),
        (
            503, #"{"success": false, "status_code": 9, "status_message": "Service offline: try later."}"#, .server,
            "TMDB answered with 503 Service Unavailable. It says: Service offline: try later."
        ),
        (500, "", .server, "TMDB answered with 500 Internal Server Error."),
        (
            403, "<html>\u{1B}[31mForbidden</html>", .refusedKey,
            "TMDB refused the key, or what it may be used for is used up. Check TMDB_ACCESS_TOKEN."
        ),
    ])
    func `each shape of its errors becomes one line`(status: HTTPStatus, body: String, code: ExitCode, message: String) async throws {
        try await LoopbackServer.with { routes in
            routes.any("*") { _ in .data(Data(body.utf8), status: status, headers: Self.fields) }
        } perform: { server in
            for arguments in [["--search", "x"], ["--details", "9"]] {
                let run = await movies(
                    arguments, environment: ["TMDB_ACCESS_TOKEN": token, "TMDB_BASE_URL": server.url("/3").absoluteString])
                #expect(run.status == code)
                #expect(run.output.isEmpty)
                #expect(run.errorLines == ["Error: " + message])
            }
        }
    }

    @Test(arguments: [("12", "Try again in 12 seconds."), ("Sun, 06 Nov 1994 09:49:37 GMT", "Try again in 60 minutes.")])
    func `a rate limit says when to try again`(field: String, advice: String) async throws {
        try await LoopbackServer.with { routes in
            routes.any("*") { _ in .status(429, headers: ["Retry-After": field]) }
        } perform: { server in
            let run = await movies(at: server)
            #expect(run.status == .rateLimit)
            #expect(run.errorLines == ["Error: TMDB wants fewer requests. \(advice)"])
        }
    }

    @Test func `an answer that can't be decoded is told with its place`() async throws {
        try await LoopbackServer.with { routes in
            routes.any("*") { _ in Self.answer(Twins.page.replacing(#""id": 2"#, with: #""id": "two""#)) }
        } perform: { server in
            let run = await movies(at: server)
            #expect(run.status == .undecodable)
            #expect(run.errorLines.count == 1)
            #expect(run.errors.contains("The answer of TMDB can't be read at results[1].id, where Int is expected: "))
        }
    }

    @Test func `a redirect to another server takes no token along`() async throws {
        let other = try await LoopbackServer.start { routes in routes.any("*") { _ in Self.answer(Twins.page) } }
        let server = try await LoopbackServer.start { routes in
            routes.any("*") { [url = other.url("/elsewhere")] _ in .status(302, headers: ["Location": url.absoluteString]) }
        }
        let run = await movies(at: server)
        #expect(run.status == .success)
        #expect(server.requests[0].headers.contains(.authorization))
        #expect(other.requests.map(\.target) == ["/elsewhere"])
        #expect(!other.requests[0].headers.contains(.authorization))
        await server.stop()
        await other.stop()
    }

    @Test func `no network is told with the address, and the token isn't`() async throws {
        let port = try LoopbackSocket.freePort()
        let run = await movies(
            ["--verbose"], environment: ["TMDB_ACCESS_TOKEN": token, "TMDB_BASE_URL": "http://127.0.0.1:\(port)/3"])
        #expect(run.status == .noNetwork)
        #expect(run.errorLines.last == "Error: 127.0.0.1:\(port) can't be reached: nobody listens there.")
        #expect(!run.errors.contains(token))
    }

    @Test(.enabled(if: ObservedAnswers.all != nil, .init(rawValue: SharedFixtures.missing)), arguments: ObservedAnswers.errors(of: "tmdb"))
    func `every error seen of the real service becomes one line with its words`(failure: ObservedAnswers.Failure) async throws {
        try await LoopbackServer.with { routes in
            routes.any("*") { _ in .data(Data(failure.body.utf8), contentType: failure.contentType, status: .init(failure.status)) }
        } perform: { server in
            let run = await movies(at: server)
            let codes: [Int: ExitCode] = [401: .refusedKey, 404: .notFound, 429: .rateLimit]
            #expect(run.status == codes[failure.status] ?? .server)
            #expect(run.output.isEmpty && run.errorLines.count == 1)
            let words = try #require(failure.words)
            #expect(run.errors.contains(words))
        }
    }

    @Test(.enabled(if: ObservedAnswers.all != nil, .init(rawValue: SharedFixtures.missing)), arguments: ObservedAnswers.headers(of: "tmdb"))
    func `fields seen of the real service are no obstacle`(observed: ObservedAnswers.Fields) async throws {
        let data = try #require(SharedFixtures.data("tmdb_movie_top_rated_page1.json"))
        try await LoopbackServer.with { routes in
            routes.any("*") { _ in .data(data, headers: unframed(observed)).gzipped() }
        } perform: { server in
            let run = await movies(at: server)
            #expect(run.status == .success)
            #expect(run.lines[0] == "Top rated · page 1 of 456")
            #expect(run.lines.count == 25)
        }
    }
}

/// Fields but for those that say how long the recorded body was, and how it was sent.
private func unframed(_ observed: ObservedAnswers.Fields) -> HTTPFields {
    let framing: Set<String> = ["content-length", "content-encoding", "connection"]
    return HTTPFields(
        observed.headers.filter { !framing.contains($0.key.lowercased()) }.map { HTTPField(name: .init($0.key), value: $0.value) })
}
