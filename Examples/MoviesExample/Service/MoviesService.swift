internal import ExampleSupport
internal import NetworkKit
internal import PlatformBase

/// The Movie Database.
struct MoviesService: HTTPClient, MoviesServiceable {
    let session: HTTPSession
    private let baseURL: URL
    private let isRefresh: Bool
    private let log: CallLog?

    /// A service.
    ///
    /// - Parameters:
    ///   - baseURL: the server, with the version's path.
    ///   - token: the API Read Access Token, sent as a bearer; never shown.
    ///   - isRefresh: whether the server is asked although the cache has an answer that is fresh.
    ///   - stack: what stands between the calls and the server.
    init(baseURL: URL, token: String, isRefresh: Bool = false, stack: Stack) {
        self.baseURL = baseURL
        self.isRefresh = isRefresh
        log = stack.log
        // Without an identity a cache on disk would keep answers for this process alone. It is the same for every token: these are lists
        // and texts that the server has for everybody.
        let bearer: AuthenticationInterceptor = .authentication(.bearer(token).for(baseURL), identity: "any user")
        session = HTTPSession(interceptors: stack.interceptors(bearer))
    }

    func topRated(page: Int, language: String?, region: String?) async -> Result<Page<Movie>, RequestError> {
        await get(.topRated(page: page, language: language, region: region), Page<Movie>.self)
    }

    func search(_ text: String, page: Int, language: String?, region: String?) async -> Result<Page<Movie>, RequestError> {
        await get(.search(text: text, page: page, language: language, region: region), Page<Movie>.self)
    }

    func all(_ search: String?, limit: Int, language: String?, region: String?) async -> Result<[Movie], RequestError> {
        let list = MovieList(
            search: search, language: language, region: region, baseURL: baseURL,
            options: RequestOptions(cachePolicy: isRefresh ? .revalidate : nil))
        var movies: [Movie] = []
        do throws(RequestError) {
            for try await movie in items(list, \.results, limit: limit) { movies.append(movie) }
        } catch {
            await log?.flush()
            return .failure(error)
        }
        await log?.flush()
        return .success(movies)
    }

    func detail(id: Int, language: String?) async -> Result<MovieDetails, RequestError> {
        await get(.detail(id: id, language: language), MovieDetails.self)
    }

    func credits(id: Int, language: String?) async -> Result<Credits, RequestError> {
        await get(.credits(id: id, language: language), Credits.self)
    }

    func configuration() async -> Result<ImageConfiguration, RequestError> {
        await get(.configuration, ImageConfiguration.self)
    }

    func image(
        at address: URL, to file: URL, progress: @escaping @Sendable (TransferProgress) -> Void
    ) async -> Result<URL, RequestError> {
        let result = await download(ImageEndpoint(baseURL: address), to: file, progress: progress)
        await log?.flush()
        return result
    }

    private func get<Model: Decodable & Sendable>(_ endpoint: MoviesEndpoint, _ model: Model.Type) async -> Result<Model, RequestError> {
        let endpoint = endpoint.with(baseURL: baseURL) { if isRefresh { $0.cachePolicy = .revalidate } }
        let result = await sendRequest(endpoint: endpoint, responseModel: model)
        await log?.flush()
        return result
    }
}
