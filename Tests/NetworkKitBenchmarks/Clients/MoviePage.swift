import PlatformBase

/// A page of films, as an API of films answers: the model of `typed-20k-json`.
struct MoviePage: Codable, Sendable {
    var page: Int
    var results: [Movie]
    var totalPages: Int
    var totalResults: Int

    struct Movie: Codable, Sendable {
        var id: Int
        var title: String
        var originalTitle: String
        var originalLanguage: String
        var overview: String
        var releaseDate: String
        var posterPath: String?
        var backdropPath: String?
        var genreIDs: [Int]
        var popularity: Double
        var voteAverage: Double
        var voteCount: Int
        var adult: Bool
        var video: Bool

        enum CodingKeys: String, CodingKey {
            case id, title, overview, popularity, adult, video
            case originalTitle = "original_title"
            case originalLanguage = "original_language"
            case releaseDate = "release_date"
            case posterPath = "poster_path"
            case backdropPath = "backdrop_path"
            case genreIDs = "genre_ids"
            case voteAverage = "vote_average"
            case voteCount = "vote_count"
        }
    }

    enum CodingKeys: String, CodingKey {
        case page, results
        case totalPages = "total_pages"
        case totalResults = "total_results"
    }

    /// Twenty made-up films, about 19 KB of JSON.
    static let synthetic = MoviePage(page: 1, results: (1...20).map(movie), totalPages: 500, totalResults: 10_000)

    private static func movie(_ number: Int) -> Movie {
        let sentence = "In the harbour town of Veldt \(number), a keeper of clocks finds that every hour was borrowed — and is due. "
        return Movie(
            id: 100_000 + number, title: "The Borrowed Hour, Part \(number)", originalTitle: "Die geborgte Stunde \(number)",
            originalLanguage: "de", overview: String(repeating: sentence, count: 5),
            releaseDate: "20\(10 + number % 15)-0\(1 + number % 9)-17",
            posterPath: "/poster\(number)x0f3a9c.jpg", backdropPath: number % 5 == 0 ? nil : "/backdrop\(number)x77b1.jpg",
            genreIDs: [18, 80, 9648], popularity: 41.5 + Double(number) / 8, voteAverage: 7.25 + Double(number % 4) / 8,
            voteCount: 1200 + 37 * number, adult: false, video: false)
    }
}
