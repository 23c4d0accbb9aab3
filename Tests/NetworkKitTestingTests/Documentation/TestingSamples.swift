import Foundation
import NetworkKit
import NetworkKitTesting
import NetworkKitTestingTraits
import Testing

// The samples of Documentation/Testing.md, as they stand there: TestingDocumentTests sees that each of its blocks is here or in
// MoviesServiceTests.swift.

struct Movie: Codable, Sendable, Equatable {
    var id: Int
    var title: String
}

struct Page: Codable, Sendable, Equatable {
    var page: Int
    var results: [Movie]
}

struct TopRated: ResponseEndpoint, Equatable {
    typealias Response = Page
    var page = 1
    var baseURL: URL { URL(string: "https://api.themoviedb.org/3")! }
    var path: Path { "movie/top_rated" }
    var query: Query { ["page": page] }
}

struct MoviesService: HTTPClient {
    var session = HTTPSession()
    func topRated(page: Int) async -> Result<Page, RequestError> { await send(TopRated(page: page)) }
}

let page = Page(page: 1, results: [Movie(id: 7, title: "Metropolis")])

struct MoviesServiceResilienceTests {
    @Test func aBusyServerIsAskedAgainWhenItSays() async throws {
        let (clock, stub) = (TestClock(), StubTransport(.status(429, headers: ["Retry-After": "7"]), .json(page)))
        let service = MoviesService(session: .standard(transport: stub, clock: clock))
        async let outcome = service.topRated(page: 1)
        await clock.advance(through: .seconds(7))
        #expect(try await outcome.get() == page)
    }

    @Test func anEndedTokenIsRenewedOnce() async throws {
        let stub = StubTransport { $0.get("movie/top_rated") { $0.headers[.authorization] == "Bearer new" ? .json(page) : .status(401) } }
        let token = Credential.refreshing(AccessToken("old")) { _ in AccessToken("new") }
        let service = MoviesService(session: .standard(transport: stub, authentication: .authentication(token)))
        #expect(try await service.topRated(page: 1).get() == page)
        #expect(stub.requests.map { $0.headers[.authorization] } == ["Bearer old", "Bearer new"])
    }
}

struct RoutesSample {
    @Test func requestsAreAnsweredByRoutes() async throws {
        let stub = StubTransport {
            $0.get("movie/top_rated", .json(page))  // the end of the path
            $0.get("/3/movie/:id") { .json(Movie(id: Int($0.parameters["id"] ?? "") ?? 0, title: "Any")) }  // all of it
            $0.get("movie/popular?page=2", .status(404))  // whatever else the query has
            $0.on(TopRated(page: 3), .failure(.unauthorized()))  // what an endpoint becomes
            $0.post("https://upload.example/files", .status(201))  // at one server only
            $0.on(where: { $0.headers["X-Beta"] == "1" }, .status(204))
        }
        let service = MoviesService(session: HTTPSession(transport: stub))
        #expect(try await service.topRated(page: 1).get() == page)
        #expect(stub.requests.map(\.target) == ["/3/movie/top_rated?page=1"])
        #expect(stub.requests.first?.headers[.accept] == "application/json")
    }
}

struct SequenceSample {
    @Test func theSecondCallSucceeds() async throws {
        let stub = StubTransport(.status(429, headers: ["Retry-After": "1"]), .json(page))
        let service = MoviesService(session: HTTPSession(transport: stub))
        guard case .failure(.unexpectedStatusCode) = await service.topRated(page: 1) else { return #expect(Bool(false), "expected 429") }
        #expect(try await service.topRated(page: 1).get() == page)
    }
}

struct FaultSample {
    @Test(arguments: [
        StubAnswer.connection(.refused),
        .json(page).cut(afterBodyBytes: 10),
        .json(page).resetting(afterBodyBytes: 0),
    ])
    func aBrokenConnectionIsTold(_ answer: StubAnswer) async {
        let outcome = await MoviesService(session: .stubbed(answer)).topRated(page: 1)
        guard case .failure(.connection) = outcome else { return #expect(Bool(false), "\(outcome)") }
    }
}

struct TimeSample {
    @Test func aSlowStreamTakesItsTime() async throws {
        let clock = TestClock()
        let stub = StubTransport(.chunks(["one\n", "two\n"]).pausing(.seconds(60)))
        let client = NetworkClient(session: HTTPSession(transport: stub, defaults: .init(timeout: .seconds(90)), clock: clock))
        let response = try await client.response(for: TopRated()).get()
        async let chunks = response.body.reduce(into: [Data]()) { $0.append($1) }
        await clock.advance(through: .seconds(60))
        #expect(try await chunks.count == 2)
    }
}

struct MockSample {
    @Test func aModelIsAnswered() async throws {
        let mock = HTTPClientMock {
            $0.answer(TopRated(page: 2), with: .failure(.unauthorized()))
            $0.answer(TopRated.self) { endpoint in Page(page: endpoint.page, results: []) }
        }
        let service = MoviesService(session: mock.session)
        #expect(try await service.topRated(page: 1).get().page == 1)
        guard case .failure(.unauthorized) = await service.topRated(page: 2) else { return #expect(Bool(false), "expected unauthorized") }
        #expect(mock.calls(of: TopRated.self) == [TopRated(page: 1), TopRated(page: 2)])
    }
}

struct CassetteSample {
    @Test func theRecordedPageIsRead() async throws {
        let cassette = try Cassette("top-rated")  // Cassettes/top-rated.har, beside this source
        let service = MoviesService(session: HTTPSession(transport: cassette))
        #expect(try await service.topRated(page: 1).get().results.first?.title == "Metropolis")
    }
}

func signedCassette() throws -> Cassette {
    try Cassette(
        "signed", mode: .new,
        options: .init(
            matching: .init(ignoredQueryItems: ["timestamp"], ignoredBodyKeys: ["nonce"]),
            masking: .init(fields: ["X-Signature"], queryItems: ["signature"], bodyKeys: ["session_id"])))
}

struct TraitSample {
    @Test(.stubbed { $0.get("movie/top_rated", .status(503), .json(page)) }, arguments: [1, 2, 3])
    func eachCaseHasAStubOfItsOwn(_ number: Int) async throws {
        let service = MoviesService(session: .ofTest())
        guard case .failure(.unexpectedStatusCode) = await service.topRated(page: number) else {
            return #expect(Bool(false), "expected 503")
        }
        #expect(try await service.topRated(page: number).get() == page)
        #expect(StubTransport.ofTest.requests.count == 2)
    }

    @Test(.cassette("top-rated"))
    func theRecordedPageIsRead() async throws {
        #expect(try await MoviesService(session: .ofTest()).topRated(page: 1).get().page == 1)
    }
}

struct RandomSample {
    @Test func jitterIsTheSameOnEveryRun() {
        var (random, again) = (SeededRandom(seed: 7), SeededRandom(seed: 7))
        #expect(Double.random(in: 0..<1, using: &random) == Double.random(in: 0..<1, using: &again))
    }
}

struct GetMovie: ResponseEndpoint {
    typealias Response = Movie
    var baseURL: URL
    var id: Int
    var path: Path { "movies/\(id)" }
}

struct LoopbackSample {
    @Test func bytesGoOverASocket() async throws {
        try await LoopbackServer.with { routes in
            routes.get("/movies/:id") { request in .json(#"{"id": \#(request.parameters["id"] ?? "0"), "title": "Any"}"#) }
            routes.get("/movies/8") { _ in .raw("HTTP/1.1 200 OK\r\nContent-Le") }
        } perform: { server in
            let movie = try await NetworkClient().send(GetMovie(baseURL: server.baseURL, id: 7)).get()
            #expect(movie.id == 7)
            #expect(server.requests.map(\.target) == ["/movies/7"])
        }
    }
}

func report() async {
    let results = await TransportConformance.run(exceptions: ["obs-text": "the platform refuses bytes outside ASCII"]) {
        MyTransport()
    }
    for result in results where result.isFailure { print(result) }
}

// The scaffold.
struct MyTransport: Transport {
    func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse { throw .noResponse() }
}

@Suite("Documentation/Testing.md")
struct TestingDocumentTests {
    private static let root = URL(filePath: #filePath).appending(path: "../../../..").standardized

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    }

    private func normalised(_ text: String) -> String { text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }

    @Test("Every sample is among those that compile")
    func everySampleCompiles() throws {
        let compiled = try ["MoviesServiceTests", "TestingSamples"]
            .map { normalised(try text("Tests/NetworkKitTestingTests/Documentation/\($0).swift")) }
        let samples = try text("Documentation/Testing.md").matches(of: /```swift\n(.*?)```/.dotMatchesNewlines()).map { String($0.1) }
        #expect(samples.count >= 12)
        for sample in samples {
            let sample = normalised(sample)
            #expect(compiled.contains { $0.contains(sample) }, "not in the tests: \(sample)")
        }
    }

    @Test("A user's test file has fewer than 25 lines, and the document has all of it")
    func testFile() throws {
        let file = try text("Tests/NetworkKitTestingTests/Documentation/MoviesServiceTests.swift")
        #expect(file.split(separator: "\n", omittingEmptySubsequences: false).count <= 25)
        #expect(normalised(try text("Documentation/Testing.md")).contains(normalised(file)))
    }
}
