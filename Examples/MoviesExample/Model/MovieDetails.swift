/// A movie with all that is known of it.
struct MovieDetails: Codable, Sendable, Hashable, Identifiable {
    struct Genre: Codable, Sendable, Hashable {
        let id: Int
        let name: String
    }

    let id: Int
    let title: String
    let originalTitle: String?
    let tagline: String?
    let overview: String?
    let releaseDate: String?
    let posterPath: String?
    let backdropPath: String?
    let genres: [Genre]
    /// In minutes; `nil` where it isn't known, which TMDB writes as 0.
    let runtime: Int?
    let homepage: String?
    let voteAverage: Double
    let voteCount: Int

    enum CodingKeys: String, CodingKey {
        case id, title, tagline, overview, genres, runtime, homepage
        case originalTitle = "original_title"
        case releaseDate = "release_date"
        case posterPath = "poster_path"
        case backdropPath = "backdrop_path"
        case voteAverage = "vote_average"
        case voteCount = "vote_count"
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(Int.self, forKey: .id)
        title = try values.decode(String.self, forKey: .title)
        originalTitle = try values.words(.originalTitle)
        tagline = try values.words(.tagline)
        overview = try values.words(.overview)
        releaseDate = try values.words(.releaseDate)
        posterPath = try values.words(.posterPath)
        backdropPath = try values.words(.backdropPath)
        genres = try values.decodeIfPresent([Genre].self, forKey: .genres) ?? []
        runtime = try values.decodeIfPresent(Int.self, forKey: .runtime).flatMap { $0 > 0 ? $0 : nil }
        homepage = try values.words(.homepage)
        voteAverage = try values.decodeIfPresent(Double.self, forKey: .voteAverage) ?? 0
        voteCount = try values.decodeIfPresent(Int.self, forKey: .voteCount) ?? 0
    }
}
