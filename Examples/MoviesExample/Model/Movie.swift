/// A movie as a row of a list.
struct Movie: Codable, Sendable, Hashable, Identifiable {
    let id: Int
    let title: String
    let originalTitle: String?
    let originalLanguage: String?
    /// `nil` where nobody has written one in the language asked for.
    let overview: String?
    /// `yyyy-MM-dd`; `nil` for a movie without a date.
    let releaseDate: String?
    /// Behind an image server's address and a size; `nil` without a picture.
    let posterPath: String?
    let backdropPath: String?
    let genreIDs: [Int]
    /// 0 to 10.
    let voteAverage: Double
    let voteCount: Int

    enum CodingKeys: String, CodingKey {
        case id, title, overview
        case originalTitle = "original_title"
        case originalLanguage = "original_language"
        case releaseDate = "release_date"
        case posterPath = "poster_path"
        case backdropPath = "backdrop_path"
        case genreIDs = "genre_ids"
        case voteAverage = "vote_average"
        case voteCount = "vote_count"
    }

    init(
        id: Int, title: String, originalTitle: String? = nil, originalLanguage: String? = nil, overview: String? = nil,
        releaseDate: String? = nil, posterPath: String? = nil, backdropPath: String? = nil, genreIDs: [Int] = [],
        voteAverage: Double = 0, voteCount: Int = 0
    ) {
        self.id = id
        self.title = title
        self.originalTitle = originalTitle
        self.originalLanguage = originalLanguage
        self.overview = overview
        self.releaseDate = releaseDate
        self.posterPath = posterPath
        self.backdropPath = backdropPath
        self.genreIDs = genreIDs
        self.voteAverage = voteAverage
        self.voteCount = voteCount
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try values.decode(Int.self, forKey: .id), title: try values.decode(String.self, forKey: .title),
            originalTitle: try values.words(.originalTitle), originalLanguage: try values.words(.originalLanguage),
            overview: try values.words(.overview), releaseDate: try values.words(.releaseDate),
            posterPath: try values.words(.posterPath), backdropPath: try values.words(.backdropPath),
            genreIDs: try values.decodeIfPresent([Int].self, forKey: .genreIDs) ?? [],
            voteAverage: try values.decodeIfPresent(Double.self, forKey: .voteAverage) ?? 0,
            voteCount: try values.decodeIfPresent(Int.self, forKey: .voteCount) ?? 0)
    }
}
