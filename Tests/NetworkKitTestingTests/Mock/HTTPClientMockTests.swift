import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

@Suite("HTTPClientMock")
struct HTTPClientMockTests {
    /// A model that can be read and not written.
    private struct Poster: Decodable, Sendable, Equatable { var name: String }
    private struct GetPoster: FilmEndpoint, ResponseEndpoint {
        typealias Response = Poster
        var path: Path { "poster" }
    }
    private struct Answered<Response: Decodable & Sendable>: FilmEndpoint, ResponseEndpoint {
        var path: Path { "any" }
        var decoder: (any ResponseDecoder)?
    }
    private enum Calls: FilmEndpoint {
        case one, two
        var path: Path { self == .one ? "one" : "two" }
    }

    @Test("A value's answer wins over that of its type where it was added first, through any client")
    func answers() async throws {
        let mock = HTTPClientMock {
            $0.answer(GetFilm(id: 2), with: .failure(.unauthorized()))
            $0.answer(GetFilm(id: 3), with: .success(Film(id: 3, title: "Third")))
            $0.answer(GetFilm.self) { Film(id: $0.id, title: "Film \($0.id)") }
        }
        let client: any HTTPClient = mock
        #expect(try await client.send(GetFilm(id: 1)).get().title == "Film 1")
        guard case .failure(.unauthorized) = await client.send(GetFilm(id: 2)) else { return #expect(Bool(false)) }
        #expect(try await NetworkClient(session: mock.session).send(GetFilm(id: 3)).get().title == "Third")
        #expect(mock.calls(of: GetFilm.self).map(\.id) == [1, 2, 3] && mock.calls.count == 3)
        #expect(mock.stub.requests.map(\.path) == ["/3/film/1", "/3/film/2", "/3/film/3"])
    }

    @Test("An endpoint's answer is found also where a credential is put into the query")
    func queryCredential() async throws {
        let mock = HTTPClientMock(interceptors: [.authentication(.apiKey("hunter22", query: "key"))]) {
            $0.answer(GetPoster(), with: .success(Poster(name: "p")))
        }
        #expect(try await mock.send(GetPoster()).get() == Poster(name: "p"))
        #expect(mock.stub.requests.first?.query == "key=hunter22")
    }

    @Test("A model is handed over as it is, whatever it can be written as")
    func models() async throws {
        let mock = HTTPClientMock {
            $0.answer(GetPoster(), with: .success(Poster(name: "p")))
            $0.answer(Answered<Data>.self) { _ in Data([1, 2]) }
            $0.answer(Answered<String>.self) { _ in "text" }
            $0.answer(Answered<EmptyResponse>.self) { _ in EmptyResponse() }
            $0.answer(Answered<Film?>.self) { _ in nil }
            $0.answer(Answered<Film>.self) { _ in Film(id: 9) }
            $0.answer(Answered<Poster>.self) { _ in Poster(name: "q") }
        }
        #expect(try await mock.send(GetPoster()).get() == Poster(name: "p"))
        #expect(try await mock.send(Answered<Data>()).get() == Data([1, 2]))
        #expect(try await mock.send(Answered<String>()).get() == "text")
        _ = try await mock.send(Answered<EmptyResponse>()).get()
        #expect(try await mock.send(Answered<Film?>()).get() == nil)
        #expect(try await mock.send(Answered<Film>(decoder: JSONDecoder())).get() == Film(id: 9))
        let error = await mock.send(Answered<Poster>(decoder: JSONDecoder())).error
        #expect(error?.description.contains("has a decoder of its own") == true)
    }

    @Test("Endpoints without a model are answered by bytes, and what isn't answered says so")
    func bytes() async throws {
        let mock = HTTPClientMock {
            $0.answer(Calls.self, by: { $0 == .one ? .json(Film(id: 1)) : .status(404) })
        }
        #expect(try await mock.sendRequest(endpoint: Calls.one, responseModel: Film.self).get().id == 1)
        #expect(await mock.data(for: Calls.two).error?.statusCode == 404)
        let error = await mock.send(GetFilm(id: 1)).error
        #expect(error?.description.contains("it isn't a call of Calls") == true)
    }

    @Test("An answer may fail, and may wait by the mock's clock")
    func time() async throws {
        let clock = TestClock()
        let mock = HTTPClientMock(defaults: .init(deadline: .seconds(3)), clock: clock) {
            $0.answer(GetFilm.self) { _ in
                try await clock.sleep(for: .seconds(9))
                return Film(id: 1)
            }
        }
        async let outcome = mock.send(GetFilm(id: 1))
        await clock.advance(through: .seconds(3))
        #expect(await outcome.error?.limit == .deadline)
    }
}
