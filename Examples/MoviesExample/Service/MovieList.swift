internal import NetworkKit
internal import PlatformBase

/// A list with all of its pages, as far as they can be asked for.
struct MovieList: NumberedPageEndpoint {
    typealias Response = Page<Movie>

    /// What titles are looked for; `nil` for the top rated movies.
    let search: String?
    let language, region: String?
    let baseURL: URL
    var options = RequestOptions()
    var page = 1

    private var list: MoviesEndpoint {
        search.map { .search(text: $0, page: page, language: language, region: region) }
            ?? .topRated(page: page, language: language, region: region)
    }

    var path: Path { list.path }
    var query: Query { list.query }
    var lastPage: Int? { PageLimit.last }
    func pageCount(_ page: Page<Movie>) -> Int? { page.totalPages }
}
