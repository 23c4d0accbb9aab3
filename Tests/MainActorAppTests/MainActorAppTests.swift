import Dispatch
import Foundation
import NetworkKit
import NetworkKitTesting
import Testing

// The call site in a target whose code belongs to the main actor unless it says otherwise, as in a new app of Xcode's. Endpoints,
// models and services are marked `nonisolated`; the rest is as everywhere.

nonisolated protocol TMDBEndpoint: Endpoint {}
nonisolated extension TMDBEndpoint { var baseURL: URL { URL(string: "https://api.themoviedb.org/3")! } }

nonisolated enum MoviesEndpoint: TMDBEndpoint {
    case topRated(page: Int, region: String?), detail(id: Int)
    var path: Path {
        switch self {
        case .topRated: "movie/top_rated"
        case .detail(let id): "movie/\(id)"
        }
    }
    var query: Query {
        switch self {
        case .topRated(let page, let region): ["page": page, "region": region, "with_genres": [18, 80]]
        case .detail: [:]
        }
    }
}

nonisolated struct TopRated: TMDBEndpoint, ResponseEndpoint {
    typealias Response = Page<Movie>
    var page = 1
    var path: Path { "movie/top_rated" }
    var query: Query { ["page": page] }
}

nonisolated struct Page<Item: Decodable & Sendable>: Decodable, Sendable {
    var page: Int
    var results: [Item]
}

nonisolated struct Movie: Decodable, Sendable {
    var title: String
    /// Whether it was decoded on the main thread.
    var wasOnMainThread: Bool

    enum CodingKeys: CodingKey { case title }

    init(from decoder: any Decoder) throws {
        title = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .title)
        wasOnMainThread = Movie.isOnMainThread
    }

    /// Whether this runs on the main queue. A thread's number doesn't tell: on Linux any thread of the pool may serve that queue, and
    /// decode later.
    static var isOnMainThread: Bool { DispatchQueue.getSpecific(key: mark) == true }
    static func markMainThread() { DispatchQueue.main.setSpecific(key: mark, value: true) }
    private static let mark = DispatchSpecificKey<Bool>()
}

struct MoviesService: HTTPClient {
    let session: HTTPSession
    func topRated(page: Int) async -> Result<Page<Movie>, RequestError> {
        await sendRequest(endpoint: MoviesEndpoint.topRated(page: page, region: nil), responseModel: Page<Movie>.self)
    }
}
struct Plain: HTTPClient {}

/// Main-actor state, as a view model has it.
final class ViewModel {
    var titles: [String] = []
    var decodedOnMain = false
    let service: MoviesService

    init(service: MoviesService) { self.service = service }

    func load() async {
        switch await service.topRated(page: 1) {
        case .success(let page):
            titles = page.results.map(\.title)
            decodedOnMain = page.results.contains(where: \.wasOnMainThread)
        case .failure(.unauthorized): titles = ["sign in"]
        case .failure(let error): titles = [error.customMessage]
        }
    }
}

@Test("A main-actor app calls as everyone does, and decoding is off the main thread")
func mainActorApp() async throws {
    Movie.markMainThread()
    #expect(Movie.isOnMainThread)
    try await LoopbackServer.with { routes in
        routes.get("/3/movie/top_rated") { _ in .json(#"{"page": 1, "results": [{"title": "A"}]}"#) }
    } perform: { server in
        let model = ViewModel(service: MoviesService(session: HTTPSession(interceptors: [Reroute(server: server.baseURL)])))
        await model.load()
        #expect(model.titles == ["A"])
        #expect(!model.decodedOnMain)
        let page = try await model.service.send(TopRated()).get()
        #expect(page.page == 1)
    }
}

private nonisolated struct Reroute: Interceptor {
    let server: URL
    func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
        var request = request
        request.url = URL(string: request.url.absoluteString.replacing("https://api.themoviedb.org", with: server.absoluteString)) ?? server
        return try await next(request)
    }
}
