internal import ExampleSupport

/// One movie as a page of text.
struct MovieSheet {
    let movie: MovieDetails
    let credits: Credits
    let images: ImageConfiguration
    var width = 80
    var painter = Painter(isColored: false)

    private static let mostCast = 10

    var lines: [String] {
        var lines = TextLayout.wrap(printable(movie.title) + (year(of: movie.releaseDate).map { " (\($0))" } ?? ""), width: width)
            .map { painter($0, .bold) }
        if let original = movie.originalTitle, original != movie.title { lines += TextLayout.wrap(printable(original), width: width) }
        if let tagline = movie.tagline { lines += TextLayout.wrap(printable(tagline), width: width).map { painter($0, .dim) } }
        lines += ["", rating]
        let facts = [
            movie.genres.isEmpty ? nil : movie.genres.map(\.name).joined(separator: ", "), movie.runtime.map(Self.duration),
            movie.releaseDate.map { "released \($0)" },
        ].compactMap { $0 }
        if !facts.isEmpty { lines += TextLayout.wrap(printable(facts.joined(separator: " · ")), width: width) }
        lines += [""] + TextLayout.wrap(printable(movie.overview ?? "There is no overview in this language."), width: width)
        if !credits.directors.isEmpty { lines += [""] + row("Directed by", credits.directors.joined(separator: ", ")) }
        lines += cast
        lines += [""] + row("Poster", images.poster(movie.posterPath, width: 500) ?? "none")
        lines += row("Backdrop", images.backdrop(movie.backdropPath, width: 1280) ?? "none")
        if let homepage = movie.homepage { lines += row("Homepage", homepage) }
        return lines
    }

    private var rating: String {
        guard movie.voteCount > 0 else { return "No votes yet" }
        let bar = painter(Bar.text(movie.voteAverage / 10, width: 10), .yellow)
        return "\(bar) \(DecimalText.fixed(movie.voteAverage, decimals: 1)) of \(DecimalText.grouped(movie.voteCount)) votes"
    }

    private var cast: [String] {
        let people = credits.cast.sorted { ($0.order ?? .max) < ($1.order ?? .max) }
        guard !people.isEmpty else { return [] }
        let shown = people.prefix(Self.mostCast).map { person in
            (name: printable(person.name), character: printable(person.character ?? ""))
        }
        let names = min(width / 2, shown.map { TextWidth.cells($0.name) }.max() ?? 0)
        var lines = ["", painter("Cast", .bold)]
        for person in shown {
            let name = TextLayout.padded(TextLayout.truncated(person.name, to: names), to: names)
            let character = TextLayout.truncated(person.character, to: width - names - 4)
            lines.append(
                "  " + (character.isEmpty ? TextLayout.truncated(person.name, to: names) : painter(name, .cyan) + "  " + character))
        }
        if people.count > shown.count { lines.append("  and \(people.count - shown.count) more") }
        return lines
    }

    private func row(_ name: String, _ value: String) -> [String] {
        TextLayout.wrap("\(name): \(printable(value))", width: width, indent: 2)
    }

    private func printable(_ text: String) -> String { TextLayout.printable(text) }

    private static func duration(_ minutes: Int) -> String {
        minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h" + (minutes % 60 == 0 ? "" : " \(minutes % 60) min")
    }
}
