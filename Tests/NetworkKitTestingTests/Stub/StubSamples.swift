import NetworkKit
import NetworkKitTesting
import PlatformBase

struct Film: Codable, Sendable, Equatable {
    var id: Int
    var title = "Metropolis"
}

protocol FilmEndpoint: Endpoint {}
extension FilmEndpoint { var baseURL: URL { sampleURL("https://films.test/3") } }

struct GetFilm: FilmEndpoint, ResponseEndpoint, Equatable {
    typealias Response = Film
    var id: Int
    var language: String?
    var path: Path { "film/\(id)" }
    var query: Query { ["language": language] }
}

struct AddFilm: FilmEndpoint, ResponseEndpoint, Equatable {
    typealias Response = EmptyResponse
    var film: Film
    var path: Path { "film" }
    var method: any RequestMethod { .post }
    var body: RequestBody? { .json(film) }
}

func sampleURL(_ text: String) -> URL {
    guard let url = URL(string: text) else { preconditionFailure("\(text) is no URL") }
    return url
}

extension StubTransport {
    /// A client on the stub.
    func client(
        _ interceptors: [any Interceptor] = [], defaults: RequestOptions = .init(), clock: any Clock<Duration> = TestClock()
    ) -> NetworkClient {
        NetworkClient(session: HTTPSession(transport: self, interceptors: interceptors, defaults: defaults, clock: clock))
    }
}

extension Result where Failure == RequestError {
    var error: RequestError? { if case .failure(let error) = self { error } else { nil } }
}

extension RequestError {
    var kind: Connection.Kind? { if case .connection(let details) = self { details.kind } else { nil } }
    var limit: TimedOut.Limit? { if case .timedOut(let details) = self { details.limit } else { nil } }
}
