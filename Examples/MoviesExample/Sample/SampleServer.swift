internal import NetworkKit
internal import NetworkKitTesting
internal import PlatformBase

/// The server of the sample: it listens on this machine only, answers as The Movie Database does, and compresses what it sends.
enum SampleServer {
    /// The token that it wants, as the real server wants one.
    static let token = "sample"
    /// What a person is told who sees a sample.
    static let notice =
        "Sample data: movies made up by a server inside this program; --details 9001 shows the first. For real ones set "
        + "\(Configuration.tokenName) to an API Read Access Token of The Movie Database; --help tells more."

    /// Starts it. Whoever does stops it.
    static func start() async throws(LoopbackError) -> LoopbackServer {
        try await LoopbackServer.start { routes in
            routes.get("/3/movie/top_rated") { request in try page(SampleCatalogue.movies, request) }
            routes.get("/3/search/movie") { request in
                guard let text = request.query("query"), !text.isEmpty else {
                    return .json(#"{"errors": ["query must be provided"]}"#, status: 422)
                }
                let found = SampleCatalogue.movies.filter { movie in
                    [movie.title, movie.originalTitle].contains { $0.lowercased().contains(text.lowercased()) }
                }
                return try page(found, request)
            }
            routes.get("/3/movie/:id") { request in
                guard var movie = movie(request) else { return unknown }
                movie.isDetailed = true
                return try answer(movie, request)
            }
            routes.get("/3/movie/:id/credits") { request in
                guard let movie = movie(request) else { return unknown }
                return try answer(SampleCredits(movie), request)
            }
            routes.get("/t/p/:size/:name") { request in SamplePoster.answer(size: request.parameters["size"] ?? "") }
            routes.get("/3/configuration") { request in try answer(SampleImages(), request) }
        }
    }

    private static let unknown = LoopbackResponse.json(
        #"{"success": false, "status_code": 34, "status_message": "The resource you requested could not be found."}"#, status: 404)

    private static func movie(_ request: LoopbackRequest) -> SampleMovie? {
        SampleCatalogue.movies.first { String($0.id) == request.parameters["id"] }
    }

    private struct SamplePage: Encodable {
        let page: Int
        let results: [SampleMovie]
        let total_pages, total_results: Int
    }

    private static func page(_ movies: [SampleMovie], _ request: LoopbackRequest) throws -> LoopbackResponse {
        guard let page = Int(request.query("page") ?? "1"), (1...PageLimit.last).contains(page) else {
            return .json(
                #"{"success": false, "status_code": 22, "status_message": "Invalid page: Pages start at 1 and max at 500."}"#, status: 400)
        }
        let rows = Array(movies.dropFirst((page - 1) * PageLimit.rows).prefix(PageLimit.rows))
        let pages = (movies.count + PageLimit.rows - 1) / PageLimit.rows
        return try answer(SamplePage(page: page, results: rows, total_pages: pages, total_results: movies.count), request)
    }

    private static func answer(_ value: some Encodable, _ request: LoopbackRequest) throws -> LoopbackResponse {
        guard request.headers[.authorization] == "Bearer \(token)" else {
            return .json(
                #"{"status_code": 7, "status_message": "Invalid API key: You must be granted a valid key.", "success": false}"#, status: 401
            )
        }
        let data = try JSONEncoder().encode(value)
        return LoopbackResponse.json(String(decoding: data, as: UTF8.self), headers: ["Cache-Control": "public, max-age=3600"]).gzipped()
    }
}
