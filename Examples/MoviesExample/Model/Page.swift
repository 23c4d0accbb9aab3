/// One page of a list.
struct Page<Item: Codable & Sendable>: Codable, Sendable {
    /// Counted from 1.
    let page: Int
    let results: [Item]
    /// How many pages can be asked for: TMDB counts more than the 500 that it gives.
    let totalPages: Int
    let totalResults: Int

    enum CodingKeys: String, CodingKey {
        case page, results
        case totalPages = "total_pages"
        case totalResults = "total_results"
    }

    init(page: Int, results: [Item], totalPages: Int, totalResults: Int) {
        // Clamped, since ranks are counted from it and a server may send any number.
        self.page = min(max(1, page), PageLimit.last)
        self.results = results
        self.totalPages = min(max(0, totalPages), PageLimit.last)
        self.totalResults = totalResults
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            page: try values.decode(Int.self, forKey: .page), results: try values.decode([Item].self, forKey: .results),
            totalPages: try values.decode(Int.self, forKey: .totalPages), totalResults: try values.decode(Int.self, forKey: .totalResults))
    }
}

/// What TMDB gives of its lists.
enum PageLimit {
    /// The last page that can be asked for, however many are counted.
    static let last = 500
    /// How many rows a page has.
    static let rows = 20
}
