import Foundation  // for URL; a Linux program that wants the small footprint writes FoundationEssentials. NetworkKit re-exports neither
import NetworkKit
import NetworkKitTesting
import Testing

// The call site that everything else serves, as a user writes it. What is here compiles as it stands; it grows with the library.

// Describe an API once …
protocol TMDBEndpoint: Endpoint {}
extension TMDBEndpoint { var baseURL: URL { URL(string: "https://api.themoviedb.org/3")! } }

// … and its endpoints as an enum, in the way of the well-known tutorial, …
enum MoviesEndpoint: TMDBEndpoint {
    case topRated(page: Int, region: String?), detail(id: Int)
    var path: Path {
        switch self {
        case .topRated: "movie/top_rated"
        case .detail(let id): "movie/\(id)"  // an interpolated value is one percent-encoded segment
        }
    }
    var query: Query {
        switch self {
        case .topRated(let page, let region): ["page": page, "region": region, "with_genres": [18, 80]]  // nil is left out
        case .detail: [:]
        }
    }
}

// … or as a value that knows what it answers.
struct TopRated: TMDBEndpoint, ResponseEndpoint {
    typealias Response = Page<Movie>
    var page = 1
    var path: Path { "movie/top_rated" }
    var query: Query { ["page": page] }
}

// A service adopts HTTPClient and is done; its stack is a value.
struct MoviesService: HTTPClient {
    let session: HTTPSession
    func topRated(page: Int) async -> Result<Page<Movie>, RequestError> {
        await sendRequest(endpoint: MoviesEndpoint.topRated(page: page, region: nil), responseModel: Page<Movie>.self)
    }
}
struct Plain: HTTPClient {}  // adopting it with nothing else uses HTTPSession.shared

// The scaffold.
struct Page<Item: Decodable & Sendable>: Decodable, Sendable {
    var page: Int
    var results: [Item]
    var totalPages: Int
}
struct Movie: Decodable, Sendable { var title: String }

/// Leads every request to a server on the loopback, as a user's test might.
private struct Reroute: Interceptor {
    let server: URL
    func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
        var request = request
        let target = request.url.absoluteString.replacing("https://api.themoviedb.org", with: server.absoluteString)
        request.url = URL(string: target) ?? server
        return try await next(request)
    }
}

@Suite("The call site")
struct CallSiteTests {
    @Test("It works as written, against a server that answers like the API")
    func worksAsWritten() async throws {
        try await LoopbackServer.with { routes in
            routes.get("/3/movie/top_rated") { request in
                request.query("page") == "3"
                    ? .status(401)
                    : .json(#"{"page": \#(request.query("page") ?? "0"), "total_pages": 2, "results": [{"title": "A"}]}"#)
            }
        } perform: { server in
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            let service = MoviesService(session: HTTPSession(interceptors: [Reroute(server: server.baseURL)], decoder: decoder))
            var shown: [String] = []
            var signedOut = 0
            func show(_ page: Page<Movie>) { shown += page.results.map(\.title) }
            func show(_ message: String) { shown.append(message) }
            func signIn() { signedOut += 1 }

            for number in [1, 3] {
                switch await service.topRated(page: number) {
                case .success(let page): show(page)
                case .failure(.unauthorized): signIn()
                case .failure(let error): show(error.customMessage)  // what a person can read; error.description for the log, redacted
                }
            }
            let page = try await service.send(TopRated(page: 2)).get()  // Result.get() is `throws(RequestError)`: typed throws for free

            #expect(shown == ["A"] && signedOut == 1)
            #expect(page.page == 2)
            #expect(
                server.requests.map(\.target) == [
                    "/3/movie/top_rated?page=1&with_genres=18&with_genres=80", "/3/movie/top_rated?page=3&with_genres=18&with_genres=80",
                    "/3/movie/top_rated?page=2",
                ])
        }
    }

    @Test("A type with nothing of its own is a client")
    func plain() async {
        let task = Task { await Plain().send(TopRated()) }
        task.cancel()
        _ = await task.value
    }

    @Test("Errors are thrown by their type")
    func typedThrows() async {
        do throws(RequestError) {
            _ = try await NetworkClient().data(for: Call(baseURL: URL(filePath: "/nowhere"))).get()
            Issue.record("a file was asked over HTTP")
        } catch {
            guard case .invalidURL(let details) = error else { return #expect(Bool(false)) }
            #expect(details.component == .scheme)
        }
    }
}
