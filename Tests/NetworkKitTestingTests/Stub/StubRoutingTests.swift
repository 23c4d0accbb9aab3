import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

@Suite("StubTransport: routes")
struct StubRoutingTests {
    private func status(_ stub: StubTransport, _ url: String, _ method: HTTPMethod = .get, headers: HTTPFields = [:]) async throws -> Int {
        try await stub.send(HTTPRequest(url: sampleURL(url), method: method, headers: headers)).status.code
    }

    @Test(
        "A pattern is the whole path with a slash, its end without; an origin and query items count where they are named",
        arguments: [
            ("/3/film/7", "https://films.test/3/film/7", true), ("/film/7", "https://films.test/3/film/7", false),
            ("film/7", "https://films.test/3/film/7", true), ("film/7", "https://films.test/3/film/7/cast", false),
            ("ilm/7", "https://films.test/3/film/7", false), ("film/:id", "https://films.test/3/film/a%2Fb", true),
            ("film/*", "https://films.test/3/film/7/cast", true), ("*", "https://films.test/", true), ("", "https://films.test", true),
            ("film?page=2", "https://films.test/film?a=b&page=2", true), ("film?page=2", "https://films.test/film?page=3", false),
            ("film?q=a%20b", "https://films.test/film?q=a+b", true), ("film", "https://films.test/film?page=3", true),
            ("https://films.test/film", "https://FILMS.test/film", true), ("https://films.test/film", "https://other.test/film", false),
            ("https://films.test", "https://films.test/", true), ("https://films.test:81/a", "https://films.test/a", false),
        ])
    func patterns(pattern: String, url: String, fits: Bool) async throws {
        let stub = StubTransport {
            $0.any(pattern, .status(200))
            $0.fallback(.status(404))
        }
        #expect(try await status(stub, url) == (fits ? 200 : 404))
    }

    @Test("Routes are told apart by method, in the order in which they were added, and GET answers HEAD without the body")
    func methods() async throws {
        let stub = StubTransport {
            $0.get("/a", .text("get", status: 201))
            $0.post("/a", .status(202))
            $0.on(.delete, "/a", .status(203))
            $0.any("/a", .status(204))
            $0.get("/a", .status(500))
        }
        for (method, code) in [(HTTPMethod.get, 201), (.post, 202), (.delete, 203), (.put, 204), (.head, 201)] {
            #expect(try await status(stub, "https://h.test/a", method) == code)
        }
        let head = try await stub.send(HTTPRequest(url: sampleURL("https://h.test/a"), method: .head))
        #expect(try await head.body.collect(upTo: 10).isEmpty)
        stub.add { $0.get("/a", .status(299)) }
        #expect(try await status(stub, "https://h.test/a") == 299)
    }

    @Test("An endpoint's value is a route: its method, and its URL with the query")
    func endpoints() async throws {
        let stub = StubTransport {
            $0.on(GetFilm(id: 7, language: "de"), .json(Film(id: 7, title: "Metropolis (de)")))
            $0.on(GetFilm(id: 7), returning: Film(id: 7))
            $0.on(AddFilm(film: Film(id: 1)), .status(201))
        }
        let client = stub.client()
        #expect(try await client.send(GetFilm(id: 7)).get().title == "Metropolis")
        #expect(try await client.send(GetFilm(id: 7, language: "de")).get().title == "Metropolis (de)")
        // The body isn't compared.
        #expect(try await client.reply(to: AddFilm(film: Film(id: 2))).get().head.status == 201)
        guard case .unknown = await client.send(GetFilm(id: 8)).error else { return #expect(Bool(false), "expected unknown") }
    }

    @Test("An endpoint's route takes the request also with a credential in its query; other items count")
    func queryCredential() async throws {
        let stub = StubTransport { $0.on(GetFilm(id: 7, language: "de"), .json(Film(id: 7))) }
        let keyed = stub.client([.authentication(.apiKey("hunter 22", query: "api_key"))])
        #expect(try await keyed.send(GetFilm(id: 7, language: "de")).get() == Film(id: 7))
        #expect(stub.requests.first?.query == "language=de&api_key=hunter%2022")
        #expect(
            await keyed.send(GetFilm(id: 7, language: "fr")).error?.description.contains(
                "lacks language=de; its query also has language=fr") == true)
        #expect(await keyed.send(GetFilm(id: 7)).error?.description.contains("its query lacks language=de") == true)
        // Without a secret it is an item as any other.
        let plain = "https://films.test/3/film/7?language=de&api_key=hunter22"
        await #expect { try await status(stub, plain) } throws: { "\($0)".contains("its query also has api_key=hunter22") }
        let secret = StubTransport { $0.on(Secret(key: "hunter22"), .status(204)) }
        #expect(await secret.client().data(for: Secret(key: "hunter22")).error == nil)
        #expect(await secret.client().data(for: Secret(key: "other")).error != nil)
    }

    private struct Secret: FilmEndpoint {
        var key: String
        var path: Path { "film" }
        var query: Query { ["key": .secret(key)] }
    }

    @Test("A condition and a closure see the request with its body, its names and its number")
    func closures() async throws {
        let stub = StubTransport {
            $0.on(where: { $0.headers["X-Beta"] == "1" }, .status(204))
            $0.post("film/:id") { request in
                .text(
                    "\(request.method) \(request.parameters["id"] ?? "-") \(request.query("a") ?? "-") \(request.text) "
                        + "\(request.number).\(request.occurrence)")
            }
            $0.get("boom") { _ in throw RequestError.unauthorized() }
            $0.get("odd") { _ in throw CocoaError(.fileNoSuchFile) }
        }
        #expect(try await status(stub, "https://h.test/x", headers: ["X-Beta": "1"]) == 204)
        let request = HTTPRequest(url: sampleURL("https://h.test/film/a%20b?a=1"), method: .post, body: .json(["id": 1]))
        let answer = try await stub.send(request).body.collect(upTo: 1000)
        #expect(String(decoding: answer, as: UTF8.self) == #"POST a b 1 {"id":1} 2.1"#)
        #expect(try stub.requests[1].json([String: Int].self) == ["id": 1])
        #expect(stub.requests[1].parameters == ["id": "a b"] && stub.requests[1].occurrence == 1)
        await #expect { try await status(stub, "https://h.test/boom") } throws: {
            if case .unauthorized? = $0 as? RequestError { true } else { false }
        }
        await #expect { try await status(stub, "https://h.test/odd") } throws: {
            if case .interceptor(is CocoaError)? = $0 as? RequestError { true } else { false }
        }
    }

    @Test(
        "Several answers are given in order; what comes past the end is chosen",
        arguments: [
            (StubSequenceEnd.repeatsLast, [429, 200, 200, 200]), (.startsOver, [429, 200, 429, 200]), (.fails, [429, 200, 0, 0]),
        ])
    func sequences(end: StubSequenceEnd, expected: [Int]) async throws {
        let stub = StubTransport { $0.get("a", .status(429), .status(200), then: end) }
        var seen: [Int] = []
        for _ in expected { seen.append((try? await status(stub, "https://h.test/a")) ?? 0) }
        #expect(seen == expected)
        guard end == .fails else { return }
        let error = await stub.client().data(for: GetFilm(id: 1)).error
        #expect(error != nil)
        await #expect { try await status(stub, "https://h.test/a") } throws: { "\($0)".contains("its 2 answers have been given") }
    }

    @Test("Requests at once each get an answer of their own, none twice")
    func concurrent() async throws {
        let stub = StubTransport { $0.get("a") { .text("\($0.occurrence)") } }
        let seen = try await withThrowingTaskGroup(of: Data.self) { group in
            for _ in 0..<200 {
                group.addTask { try await stub.send(HTTPRequest(url: sampleURL("https://h.test/a"))).body.collect(upTo: 9) }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(seen.count == 200 && Set(stub.requests.map(\.number)) == Set(1...200))
    }

    @Test("A request that was waited for has its answer before the next one")
    func waitedFor() async throws {
        for _ in 0..<200 {
            let stub = StubTransport { $0.get("a", .status(401), .status(200)) }
            async let first = status(stub, "https://h.test/a")
            _ = await stub.waitForRequests(1)
            #expect(try await status(stub, "https://h.test/a") == 200)
            #expect(try await first == 401)
        }
    }

    @Test("A request that was waited for is known with its body, its names and its number; a stream's may still be on its way")
    func waitedForWhole() async throws {
        for _ in 0..<200 {
            let stub = StubTransport { $0.post("film/:id", .status(200)) }
            async let answer = status(stub, "https://h.test/film/7", body: .json(["id": 1]))
            let request = try #require(await stub.waitForRequests(1).first)
            #expect(request.text == #"{"id":1}"# && request.parameters == ["id": "7"] && request.occurrence == 1)
            #expect(try await answer == 200)
        }
        let stub = StubTransport(.status(200))
        let (chunks, continuation) = AsyncStream<Data>.makeStream()
        async let answer = status(stub, "https://h.test/film/7", body: .stream(chunks, length: 1))
        _ = await stub.waitForRequests(1)
        continuation.yield(Data("x".utf8))
        continuation.finish()
        #expect(try await answer == 200)
        #expect(stub.requests.first?.text == "x")
    }

    @Test("A request whose body fails has been sent all the same, for who waits for it")
    func failingBody() async throws {
        let stub = StubTransport(.status(200))
        let body = RequestBody.stream(length: 3) {
            AsyncThrowingStream<Data, any Error> { $0.finish(throwing: CocoaError(.fileReadUnknown)) }
        }
        async let answer = status(stub, "https://h.test/film/7", body: body)
        #expect(await stub.waitForRequests(1).count == 1)
        do {
            _ = try await answer
            Issue.record("it was answered")
        } catch {
            #expect(error is RequestError)
        }
    }

    private func status(_ stub: StubTransport, _ url: String, body: RequestBody) async throws -> Int {
        try await stub.send(HTTPRequest(url: sampleURL(url), method: .post, body: body)).status.code
    }
}
