import ExampleSupport
import ExampleTestSupport
import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

@testable import WeatherExample

@Suite struct DarkSkyLiveTests {
    /// What Pirate Weather sends along with an answer.
    private static let fields: HTTPFields = [
        "Cache-Control": "max-age=900, must-revalidate", "X-Node-ID": "node", "X-Response-Time": "12.345", "X-Forecast-API-Calls": "35",
        "Ratelimit-Limit": "10000", "Ratelimit-Remaining": "9965", "Ratelimit-Reset": "1234567",
    ]

    @Test func `the key is a segment of the path, and shown nowhere`() async throws {
        try await LoopbackServer.with { routes in
            routes.get("/forecast/:key/:place") { _ in .json(Twins.missingValues, headers: Self.fields).gzipped() }
        } perform: { server in
            let run = await darkSky(server, "-33.92,18.42", "--verbose")
            #expect(run.status == .success)
            #expect(
                server.requests.map(\.target) == ["/forecast/k3y%2Fwith%2Bsigns/-33.92,18.42?units=si&exclude=minutely"])
            #expect(run.errors.contains("/forecast/***/-33.92,18.42"))
            #expect(!run.errors.contains("k3y"))
            #expect(run.output.contains("! avertissement de neige (moderate)"))
        }
    }

    @Test func `the units asked for are sent, and those of the answer shown where none are asked for`() async throws {
        try await LoopbackServer.with { routes in
            routes.get("/forecast/:key/:place") { request in
                request.query("units") == "us" ? .json(Twins.halfHour) : .json(Twins.polarNight)
            }
        } perform: { server in
            #expect(await darkSky(server, "--units", "us").output.contains("84°F"))
            // Without flags an answer is in what was asked for.
            #expect(await darkSky(server).output.contains("-21°C"))
        }
    }

    @Test(arguments: [401, 403, 404, 500])
    func `a key that the server says back isn't shown`(status: Int) async throws {
        try await LoopbackServer.with { routes in
            routes.get("/forecast/:key/:place") { _ in .json(#"{"message": "Unknown key \#(key)"}"#, status: .init(status)) }
        } perform: { server in
            let run = await darkSky(server)
            #expect(run.errors.contains("It says: Unknown key ***."), "\(run.errors)")
            #expect(!run.errors.contains(key))
        }
    }

    @Test(arguments: [
        (
            HTTPStatus(400), #"{"detail": "Invalid Location Specification"}"#, "application/json", ExitCode.server,
            "It says: Invalid Location Specification."
        ),
        (
            400, #"{"code": 400, "error": "The given location is invalid."}"#, "application/json", .server,
            "It says: The given location is invalid."
        ),
        (400, "Bad Request", "text/plain", .server, "answered with 400 Bad Request."),
        (401, "<html>Kong Error Invalid authentication credentials.</html>", "text/html", .refusedKey, "Check DARK_SKY_API_KEY."),
        (403, #"{"message": "Forbidden", "Help": "write to us"}"#, "application/json", .refusedKey, "It says: Forbidden."),
        (
            404, #"{"message": "no Route matched with those values"}"#, "application/json", .server,
            "It says: no Route matched with those values. Check DARK_SKY_BASE_URL."
        ),
        (429, "<html>Kong Error API rate limit exceeded.</html>", "text/html", .rateLimit, "Try again in 15 days."),
        (500, #"{"message": "Internal Server Error"}"#, "application/json", .server, "It says: Internal Server Error."),
        (
            502, #"{"message": "An invalid response was received from the upstream server"}"#, "application/json", .server,
            "502 Bad Gateway."
        ),
    ])
    func `each shape of its errors becomes one line`(
        status: HTTPStatus, body: String, type: String, code: ExitCode, words: String
    ) async throws {
        try await LoopbackServer.with { routes in
            routes.get("/forecast/:key/:place") { _ in
                var fields = Self.fields
                if status == 429 { fields["Ratelimit-Remaining"] = "0" }
                return .data(Data(body.utf8), contentType: type, status: status, headers: fields)
            }
        } perform: { server in
            let run = await darkSky(server)
            #expect(run.status == code)
            #expect(run.errorLines.count == 1)
            #expect(run.errors.contains(words))
            #expect(!run.errors.contains("<html>"))
        }
    }

    @Test(.enabled(if: SharedFixtures.exist, .init(rawValue: SharedFixtures.missing)))
    func `a recorded answer goes all the way`() async throws {
        let data = try #require(SharedFixtures.data("darksky_nyc_2019_us_alert.json"))
        try await LoopbackServer.with { routes in
            routes.get("/forecast/:key/:place") { _ in
                // Its Expires ends in an offset, as no standard allows.
                .data(
                    data, contentType: "application/json; charset=utf-8",
                    headers: ["Cache-Control": "max-age=60", "Expires": "Wed, 20 Nov 2019 16:46:17 +0000"]
                ).gzipped()
            }
        } perform: { server in
            let run = await darkSky(server, "New York", "--days", "3")
            #expect(run.status == .success)
            #expect(run.lines[2].hasPrefix("! Winter Storm Watch (watch), until "))
            #expect(run.output.contains("and 6 more"))
            #expect(run.output.contains("31°F  Clear"))
            #expect(run.lines.allSatisfy { TextWidth.cells($0) <= 80 || $0.contains("://") })
        }
    }

    @Test(
        .enabled(if: ObservedAnswers.all != nil, .init(rawValue: SharedFixtures.missing)),
        arguments: ObservedAnswers.errors(of: "darksky", "pirateweather"))
    func `every error seen of the real services becomes one line with its words`(failure: ObservedAnswers.Failure) async throws {
        try await LoopbackServer.with { routes in
            routes.any("*") { _ in .data(Data(failure.body.utf8), contentType: failure.contentType, status: .init(failure.status)) }
        } perform: { server in
            let run = await darkSky(server)
            let codes: [Int: ExitCode] = [401: .refusedKey, 403: .refusedKey, 429: .rateLimit]
            #expect(run.status == codes[failure.status] ?? .server)
            #expect(run.output.isEmpty && run.errorLines.count == 1)
            #expect(!run.errors.contains("<"))
            if let words = failure.words { #expect(run.errors.contains(words)) }
        }
    }

    @Test(
        .enabled(if: ObservedAnswers.all != nil, .init(rawValue: SharedFixtures.missing)),
        arguments: ObservedAnswers.headers(of: "darksky", "pirateweather"))
    func `fields seen of the real services are no obstacle`(observed: ObservedAnswers.Fields) async throws {
        let framing: Set<String> = ["content-length", "content-encoding", "connection"]
        let fields = HTTPFields(
            observed.headers.filter { !framing.contains($0.key.lowercased()) }.map { HTTPField(name: .init($0.key), value: $0.value) })
        let data = try #require(SharedFixtures.data("darksky_mumbai_2020_no_minutely.json"))
        try await LoopbackServer.with { routes in
            routes.any("*") { _ in .data(data, headers: fields).gzipped() }
        } perform: { server in
            let run = await darkSky(server, "mumbai")
            #expect(run.status == .success)
            #expect(run.lines[0].hasPrefix("Mumbai, India · Tue 24 Mar, 21:21 (Asia/Kolkata)"))
            #expect(run.output.contains("84°F  Humid and Partly Cloudy"))
        }
    }
}
