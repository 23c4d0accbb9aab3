internal import NetworkKit
internal import PlatformBase

/// What the program asks of The Movie Database, so that a test can answer in its place.
protocol MoviesServiceable: Sendable {
    /// A page of the best movies, by the votes of TMDB's users.
    func topRated(page: Int, language: String?, region: String?) async -> Result<Page<Movie>, RequestError>
    /// A page of the movies whose titles fit a text.
    func search(_ text: String, page: Int, language: String?, region: String?) async -> Result<Page<Movie>, RequestError>
    /// The movies of all pages behind one another, up to a number of movies; of a search, where there is a text.
    func all(_ search: String?, limit: Int, language: String?, region: String?) async -> Result<[Movie], RequestError>
    /// One movie.
    func detail(id: Int, language: String?) async -> Result<MovieDetails, RequestError>
    /// Who made it.
    func credits(id: Int, language: String?) async -> Result<Credits, RequestError>
    /// Where images are.
    func configuration() async -> Result<ImageConfiguration, RequestError>
    /// Downloads an image to a file.
    func image(
        at address: URL, to file: URL, progress: @escaping @Sendable (TransferProgress) -> Void
    ) async -> Result<URL, RequestError>
}
