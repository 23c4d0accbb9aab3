internal import NetworkKit
internal import PlatformBase

/// An endpoint of The Movie Database, version 3.
protocol TMDBEndpoint: Endpoint {}

extension TMDBEndpoint {
    /// The public server.
    var baseURL: URL { TMDB.server }
}

/// The public server of The Movie Database.
enum TMDB {
    /// Its address as text.
    static let address = "https://api.themoviedb.org/3"
    /// What its terms ask every user to show.
    static let attribution = "This product uses the TMDB API but is not endorsed or certified by TMDB."

    fileprivate static let server: URL = {
        guard let url = URL(string: address) else { preconditionFailure("the address above is a URL") }
        return url
    }()
}

/// An image. It is on another server, which wants no token, and its address is part of an answer.
struct ImageEndpoint: Endpoint {
    let baseURL: URL
    var path: Path { "" }
}

/// The calls that the program makes.
enum MoviesEndpoint: TMDBEndpoint {
    case topRated(page: Int, language: String?, region: String?)
    case search(text: String, page: Int, language: String?, region: String?)
    case detail(id: Int, language: String?)
    case credits(id: Int, language: String?)
    case configuration

    var path: Path {
        switch self {
        case .topRated: "movie/top_rated"
        case .search: "search/movie"
        case .detail(let id, _): "movie/\(id)"
        case .credits(let id, _): "movie/\(id)/credits"
        case .configuration: "configuration"
        }
    }

    var query: Query {
        switch self {
        case .topRated(let page, let language, let region): ["page": page, "language": language, "region": region]
        case .search(let text, let page, let language, let region):
            ["query": text, "page": page, "language": language, "region": region, "include_adult": false]
        case .detail(_, let language), .credits(_, let language): ["language": language]
        case .configuration: [:]
        }
    }
}
