import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

@Suite("StubTransport: requests that no route takes")
struct StubMismatchTests {
    @Test("The message names the nearest routes, nearest first, and what differs")
    func nearest() async throws {
        let stub = StubTransport {
            $0.get("/3/person/:id", .status(200))
            $0.post("/3/film/7", .status(200))
            $0.get("/3/film/:id?language=de", .status(200))
            $0.on(GetFilm(id: 9, language: "fr"), .status(200))
            $0.on("a request of the beta", where: { _ in false }, .status(200))
        }
        let error = try #require(await stub.client().send(GetFilm(id: 7, language: "en")).error)
        guard case .unknown(let details) = error else { return #expect(Bool(false), "expected unknown, got \(error)") }
        let expected = """
            no route of the stub takes it. Nearest:
              GET /3/film/:id?language=de: its query has language=en, not language=de
              POST /3/film/7: its method is GET
            """
        #expect(details.reason.hasPrefix(expected))
        #expect(details.reason.contains("its path is /3/film/7"))
        #expect(!error.isRetryable)
        #expect(stub.mismatches.map(\.request.target) == ["/3/film/7?language=en"])
        #expect(details.underlying is StubMismatch)
    }

    @Test("Of an endpoint's route the items of the query are told that are too many or missing")
    func items() async throws {
        let stub = StubTransport { $0.on(GetFilm(id: 7, language: "fr"), .status(200)) }
        let error = try #require(await stub.client().send(GetFilm(id: 7)).error)
        #expect(error.description.contains("GET https://films.test/3/film/7?language=fr: its query lacks language=fr"))
        let other = await stub.client().send(GetFilm(id: 7, language: "en")).error
        #expect(other?.description.contains("lacks language=fr; its query also has language=en") == true)
    }

    @Test("A stub without routes says how to add one, and a secret isn't shown")
    func empty() async throws {
        struct Keyed: FilmEndpoint {
            var path: Path { "key/\(secret: "hunter22")" }
        }
        let stub = StubTransport()
        let error = try #require(await stub.client().data(for: Keyed()).error)
        #expect(error.description.contains("the stub has no routes; add one"))
        var shown = "\(error)"
        dump(error, to: &shown)
        dump(stub.mismatches, to: &shown)
        #expect(!shown.contains("hunter22") && shown.contains("***"))
    }

    @Test("The nearest routes show no secret of the request's query")
    func nearestSecrets() async throws {
        struct Keyed: FilmEndpoint {
            var path: Path { "film" }
            var query: Query { ["key": .secret("hunter22"), "page": 1] }
        }
        let stub = StubTransport {
            $0.get("/3/film?key=other", .status(200))
            $0.on(GetFilm(id: 7), .status(200))
        }
        _ = await stub.client().data(for: Keyed())
        let nearest = try #require(stub.mismatches.first?.nearest)
        #expect(nearest.first == "GET /3/film?key=other: its query has key=***, not key=other")
        #expect(!nearest.joined().contains("hunter22"))
    }
}
