internal import ExampleSupport
internal import NetworkKit
internal import PlatformBase

/// One run's work: asks the service, and prints what it answers.
struct MoviesVisit {
    let surroundings: Surroundings
    let options: MoviesOptions
    let service: any MoviesServiceable
    /// What no line may show, though a server may say it back.
    var secrets = SecretValues()

    private var console: Console { surroundings.console }
    private var terminal: Terminal { surroundings.terminal }

    /// Does what the options ask.
    ///
    /// - Throws: the failed call in words for a person.
    func show() async throws(Failure) -> ExitCode {
        switch options.task {
        case .topRated where options.limit != nil: try await showAll(nil, title: "Top rated")
        case .search(let text) where options.limit != nil:
            try await showAll(text, title: "Movies like “\(TextLayout.printable(text))”")
        case .topRated:
            let page = await asking("the top rated movies") {
                await service.topRated(page: options.page, language: options.language, region: options.region)
            }
            try show(page, title: "Top rated")
        case .search(let text):
            let page = await asking("movies") {
                await service.search(text, page: options.page, language: options.language, region: options.region)
            }
            try show(page, title: "Movies like “\(TextLayout.printable(text))”")
        case .details(let id):
            try await showDetails(id)
        case .poster(let id, let file):
            try await savePoster(id, to: file)
        }
        // A program that reads the JSON wants nothing else on standard output.
        if options.isJSON {
            console.note(TMDB.attribution)
        } else {
            console.print([""] + TextLayout.wrap(TMDB.attribution, width: terminal.columns).map { terminal.painter($0, .dim) })
        }
        return .success
    }

    private func asking<Value: Sendable>(_ what: String, _ call: () async -> Value) async -> Value {
        await console.withProgress("Asking TMDB for \(what) …", call)
    }

    private func show(_ result: Result<Page<Movie>, RequestError>, title: String) throws(Failure) {
        let page = try value(result)
        if options.isJSON {
            console.print(try json(page))
        } else {
            console.print(
                MovieTable(title: title, page: page, width: terminal.width.map { _ in terminal.columns }, painter: terminal.painter).lines)
        }
    }

    private func showAll(_ search: String?, title: String) async throws(Failure) {
        let found = await asking("movies") {
            await service.all(search, limit: options.limit ?? 0, language: options.language, region: options.region)
        }
        let movies = try value(found)
        // One page with all of them, so that they are counted on from 1.
        let page = Page(page: 1, results: movies, totalPages: 1, totalResults: movies.count)
        if options.isJSON {
            console.print(try json(page))
        } else {
            let heading = "\(title) · \(DecimalText.grouped(movies.count)) movies"
            console.print(
                MovieTable(
                    title: title, page: page, heading: heading, width: terminal.width.map { _ in terminal.columns },
                    painter: terminal.painter
                ).lines)
        }
    }

    private struct Sheet: Encodable {
        let movie: MovieDetails
        let credits: Credits
        let poster, backdrop: String?
    }

    private func showDetails(_ id: Int) async throws(Failure) {
        let (details, credits, configuration) = await asking("movie \(id)") {
            async let details = service.detail(id: id, language: options.language)
            async let credits = service.credits(id: id, language: options.language)
            async let configuration = service.configuration()
            return await (details, credits, configuration)
        }
        let movie = try value(details)
        let people = try value(credits)
        let images = try value(configuration)
        if options.isJSON {
            console.print(
                try json(
                    Sheet(
                        movie: movie, credits: people, poster: images.poster(movie.posterPath, width: 500),
                        backdrop: images.backdrop(movie.backdropPath, width: 1280))))
        } else {
            console.print(
                MovieSheet(movie: movie, credits: people, images: images, width: terminal.columns, painter: terminal.painter).lines)
        }
    }

    private struct Saved: Encodable {
        let file: String
        let bytes: Int64
    }

    private func savePoster(_ id: Int, to file: String) async throws(Failure) {
        let (details, configuration) = await asking("movie \(id)") {
            async let details = service.detail(id: id, language: options.language)
            async let configuration = service.configuration()
            return await (details, configuration)
        }
        let movie = try value(details)
        guard let address = try value(configuration).poster(movie.posterPath, width: 500).flatMap({ URL(string: $0) }) else {
            throw Failure(.notFound, "“\(movie.title)” has no poster.")
        }
        let size = Lock(Int64(0))
        let result = await service.image(at: address, to: URL(filePath: file)) { [console] progress in
            size.withLock { $0 = progress.completed }
            console.progress(TransferLine.text(progress, width: console.columns))
        }
        console.endProgress()
        _ = try value(result)
        let bytes = size.withLock(\.self)
        if options.isJSON {
            console.print(try json(Saved(file: file, bytes: bytes)))
        } else {
            console.print(
                "The poster of “\(TextLayout.printable(movie.title))” is in \(TextLayout.printable(file)), \(TransferLine.size(bytes)).")
        }
    }

    private func value<Value>(_ result: Result<Value, RequestError>) throws(Failure) -> Value {
        switch result {
        case .success(let value): return value
        case .failure(let error):
            throw Failure(
                error, server: "TMDB", key: Configuration.tokenName, hiding: secrets, words: TMDBProblem.words(in: error.response),
                now: surroundings.now)
        }
    }

    private func json(_ value: some Encodable) throws(Failure) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(value), as: UTF8.self)
        } catch {
            throw Failure(.failure, "The answer can't be written as JSON: \(error)")
        }
    }
}
