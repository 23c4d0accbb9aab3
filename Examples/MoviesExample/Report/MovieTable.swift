internal import ExampleSupport

/// Movies as a table: rank, title, year, rating, votes.
struct MovieTable {
    let title: String
    let page: Page<Movie>
    /// What stands above, where that isn't title and page.
    var heading: String?
    /// The width to keep to; `nil` cuts no title.
    var width: Int?
    var painter = Painter(isColored: false)

    private static let barWidth = 10

    var lines: [String] {
        guard !page.results.isEmpty else { return TextLayout.wrap("\(title): no movies.", width: width ?? 80) }
        let rows = page.results.enumerated().map { index, movie in row(index, movie) }
        let rank = widest(rows, \.rank)
        let votes = widest(rows, \.votes)
        // Rank, year and rating are always there; a narrow terminal does without bar and votes.
        let narrow = rank + 2 + 2 + 4 + 2 + 4
        let wide = narrow + Self.barWidth + 1 + 2 + votes
        let isNarrow = width.map { $0 < wide + 16 } ?? false
        let longest = rows.map { TextWidth.cells($0.title) }.max() ?? 0
        let room = width.map { min(longest, max(8, $0 - (isNarrow ? narrow : wide))) } ?? longest
        let heading = self.heading ?? "\(title) · page \(page.page) of \(DecimalText.grouped(page.totalPages))"
        return TextLayout.wrap(heading, width: width ?? .max / 2).map { painter($0, .bold) } + [""]
            + rows.map { row in
                var line = TextLayout.leftPadded(row.rank, to: rank) + "  "
                line += painter(TextLayout.padded(TextLayout.truncated(row.title, to: room), to: room), .cyan)
                line += "  " + TextLayout.padded(row.year, to: 4) + "  "
                if !isNarrow { line += painter(Bar.text(row.rating / 10, width: Self.barWidth), .yellow) + " " }
                line += TextLayout.leftPadded(row.votes.isEmpty ? "–" : DecimalText.fixed(row.rating, decimals: 1), to: 4)
                guard !isNarrow, !row.votes.isEmpty else { return line }
                return line + "  " + TextLayout.leftPadded(row.votes, to: votes)
            }
    }

    private struct Row {
        let rank, title, year: String
        let rating: Double
        /// Empty without votes: then the rating means nothing.
        let votes: String
    }

    private func row(_ index: Int, _ movie: Movie) -> Row {
        Row(
            rank: String((page.page - 1) * PageLimit.rows + index + 1), title: TextLayout.printable(movie.title),
            year: year(of: movie.releaseDate) ?? "–", rating: movie.voteAverage,
            votes: movie.voteCount > 0 ? DecimalText.grouped(movie.voteCount) : "")
    }

    private func widest(_ rows: [Row], _ text: (Row) -> String) -> Int { rows.map { TextWidth.cells(text($0)) }.max() ?? 0 }
}
