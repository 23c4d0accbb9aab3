import ExampleTestSupport
import PlatformBase
import Testing

@testable import MoviesExample

@Suite struct MovieTests {
    private func decoded<Model: Decodable>(_ type: Model.Type, _ json: String) throws -> Model {
        try JSONDecoder().decode(type, from: Data(json.utf8))
    }

    @Test func `null images, empty dates and empty overviews are normal`() throws {
        let movie = try #require(try decoded(Page<Movie>.self, Twins.page).results.first)
        #expect(movie.posterPath == nil && movie.backdropPath == nil && movie.releaseDate == nil && movie.overview == nil)
        #expect(movie.title == "Bare")
        let details = try decoded(MovieDetails.self, Twins.bareDetails)
        #expect(details.runtime == nil && details.tagline == nil && details.homepage == nil && details.genres.isEmpty)
    }

    @Test func `the count of pages is clamped to what can be asked for`() throws {
        let page = try decoded(Page<Movie>.self, Twins.page)
        #expect(page.totalPages == 500)
        #expect(page.totalResults == 1_166_420)
        #expect(Page<Movie>(page: .min, results: [], totalPages: .min, totalResults: 0).page == 1)
        #expect(Page<Movie>(page: .max, results: [], totalPages: 7, totalResults: 0).totalPages == 7)
    }

    @Test func `an image's address is made from the configuration`() throws {
        let images = try decoded(ImageConfiguration.self, Twins.configuration)
        #expect(images.poster("/p.jpg", width: 500) == "https://i.example/t/p/w500/p.jpg")
        #expect(images.poster("/p.jpg", width: 400) == "https://i.example/t/p/w500/p.jpg")
        #expect(images.poster("/p.jpg", width: 9000) == "https://i.example/t/p/original/p.jpg")
        #expect(images.backdrop("/b.jpg", width: 1280) == "https://i.example/t/p/w1280/b.jpg")
        #expect(images.poster(nil, width: 500) == nil)
    }

    @Test(arguments: [("1994-09-23", "1994"), ("", nil), ("94", nil), ("soon", nil), (nil, nil)])
    func `a year is read from a date`(date: String?, expected: String?) { #expect(year(of: date) == expected) }

    @Test func `directors are those whose job it was`() throws {
        #expect(try decoded(Credits.self, Twins.credits).directors == ["Fen Oakmoor"])
    }

    @Test(.enabled(if: SharedFixtures.exist, .init(rawValue: SharedFixtures.missing)))
    func `recorded answers decode`() throws {
        func recorded<Model: Decodable>(_ type: Model.Type, _ name: String) throws -> Model {
            try JSONDecoder().decode(type, from: try #require(SharedFixtures.data(name)))
        }
        let page = try recorded(Page<Movie>.self, "tmdb_movie_top_rated_page1.json")
        #expect(page.results.count == 20 && page.totalPages == 456)
        #expect(page.results.allSatisfy { year(of: $0.releaseDate) != nil })
        let details = try recorded(MovieDetails.self, "tmdb_movie_550_details.json")
        #expect(details.runtime == 139)
        let latest = try recorded(MovieDetails.self, "tmdb_movie_latest_nulls.json")
        #expect(latest.posterPath == nil && latest.releaseDate == nil && latest.genres.isEmpty)
        let credits = try recorded(Credits.self, "tmdb_movie_credits_trimmed.json")
        #expect(credits.cast.count == 12)
        let images = try recorded(ImageConfiguration.self, "tmdb_configuration.json")
        #expect(images.poster("/x.jpg", width: 500) == "https://image.tmdb.org/t/p/w500/x.jpg")
        for width in [40, 80] {
            let sheet = MovieSheet(movie: details, credits: credits, images: images, width: width)
            expectFit(sheet.lines, width)
            expectFit(MovieTable(title: "Top rated", page: page, width: width).lines, width)
        }
    }
}
