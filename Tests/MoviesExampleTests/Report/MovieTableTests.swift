import ExampleSupport
import Testing

@testable import MoviesExample

/// Expects lines to keep to a width, addresses apart, and to hold nothing that a terminal obeys.
func expectFit(_ lines: [String], _ width: Int) {
    for line in lines where !line.contains("://") {
        #expect(TextWidth.cells(line) <= width, "\(line)")
        #expect(line.unicodeScalars.allSatisfy { $0.value >= 0x20 })
    }
}

@Suite struct MovieTableTests {
    private let page = Page<Movie>(
        page: 2,
        results: [
            Movie(id: 1, title: "Short", releaseDate: "1994-09-23", voteAverage: 8.7, voteCount: 25_411),
            Movie(id: 2, title: "星屑郵便局の長い長い夜", releaseDate: nil, voteAverage: 0, voteCount: 0),
            Movie(
                id: 3, title: "A title with an e\u{301} and \u{1B}[31mno colour", releaseDate: "2010-01-01", voteAverage: 10, voteCount: 3),
        ], totalPages: 500, totalResults: 10_000)

    @Test func `a wide terminal shows all columns, a narrow one the needed ones`() {
        #expect(
            MovieTable(title: "Top rated", page: page, width: 60).lines == [
                "Top rated · page 2 of 500", "",
                "21  Short                      1994  ████████▊   8.7  25,411",
                "22  星屑郵便局の長い長い夜     –                   –",
                "23  A title with an e\u{301} and  […  2010  ██████████ 10.0       3",
            ])
        #expect(
            MovieTable(title: "Top rated", page: page, width: 40).lines == [
                "Top rated · page 2 of 500", "",
                "21  Short                     1994   8.7", "22  星屑郵便局の長い長い夜    –        –",
                "23  A title with an e\u{301} and…    2010  10.0",
            ])
    }

    @Test func `through a pipe no title is cut`() {
        let lines = MovieTable(title: "Top rated", page: page).lines
        #expect(lines[4].contains("A title with an e\u{301} and  [31mno colour  2010"))
        #expect(TextWidth.cells(lines[2]) == TextWidth.cells(lines[4]))
    }

    @Test(arguments: [20, 25, 40, 53, 80, 132])
    func `every width is kept`(width: Int) {
        expectFit(MovieTable(title: "Top rated", page: page, width: width).lines, max(width, 30))
    }

    @Test func `no movies is said`() {
        let empty = Page<Movie>(page: 1, results: [], totalPages: 0, totalResults: 0)
        #expect(MovieTable(title: "Movies like “x”", page: empty).lines == ["Movies like “x”: no movies."])
    }
}
