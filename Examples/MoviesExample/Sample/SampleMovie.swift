/// A movie that doesn't exist, as the sample server writes it.
struct SampleMovie: Encodable, Sendable {
    let id: Int
    let title: String
    let originalTitle: String
    let language: String
    let year: Int?
    let runtime: Int
    let genres: [Int]
    let overview: String
    let voteAverage: Double
    let voteCount: Int
    /// Written as null where there is none, as TMDB does.
    let posterPath: String?
    /// Only in the details.
    var isDetailed = false

    private enum CodingKeys: String, CodingKey {
        case id, title, overview, adult, video, genres, runtime, tagline, homepage, status, popularity
        case originalTitle = "original_title"
        case originalLanguage = "original_language"
        case releaseDate = "release_date"
        case posterPath = "poster_path"
        case backdropPath = "backdrop_path"
        case genreIDs = "genre_ids"
        case voteAverage = "vote_average"
        case voteCount = "vote_count"
    }

    private struct Genre: Encodable {
        let id: Int
        let name: String
    }

    static let genreNames = [12: "Adventure", 18: "Drama", 35: "Comedy", 53: "Thriller", 99: "Documentary", 878: "Science Fiction"]

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(id, forKey: .id)
        try values.encode(title, forKey: .title)
        try values.encode(originalTitle, forKey: .originalTitle)
        try values.encode(language, forKey: .originalLanguage)
        try values.encode(overview, forKey: .overview)
        try values.encode(year.map { "\($0)-05-01" } ?? "", forKey: .releaseDate)
        try values.encode(posterPath, forKey: .posterPath)
        try values.encode(posterPath.map { $0.replacing(".jpg", with: "-wide.jpg") }, forKey: .backdropPath)
        try values.encode(voteAverage, forKey: .voteAverage)
        try values.encode(voteCount, forKey: .voteCount)
        try values.encode(Double(voteCount) / 250, forKey: .popularity)
        try values.encode(false, forKey: .adult)
        try values.encode(false, forKey: .video)
        guard isDetailed else {
            try values.encode(genres, forKey: .genreIDs)
            return
        }
        try values.encode(genres.map { Genre(id: $0, name: Self.genreNames[$0] ?? "Other") }, forKey: .genres)
        try values.encode(runtime, forKey: .runtime)
        try values.encode("Made up for a sample.", forKey: .tagline)
        try values.encode("", forKey: .homepage)
        try values.encode("Released", forKey: .status)
    }
}
