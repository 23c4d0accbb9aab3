internal import ExampleSupport

/// The command line of MoviesExample.
struct MoviesOptions {
    /// What is asked for.
    enum Task: Equatable {
        case topRated
        case search(String)
        case details(Int)
        case poster(Int, file: String)
    }

    static let page = Option("page", "p", value: "NUMBER", help: "Which page of 20 movies, 1 to 500. Default: 1.")
    static let isAll = Option("all", "a", help: "Shows the movies of all pages, one page after another.")
    static let limit = Option("limit", value: "COUNT", help: "The most movies that --all shows, 1 to 10000. Default: 100.")
    static let language = Option("language", "l", value: "CODE", help: "The language of titles and texts: de, pt-BR. Default: en-US.")
    static let region = Option("region", "r", value: "CODE", help: "The country whose release dates count: DE, BR.")
    static let details = Option("details", "d", value: "ID", help: "Shows one movie: what it is about, who made it, its pictures.")
    static let poster = Option(
        "poster", value: "ID", help: "Downloads one movie's poster to the FILE that stands behind: --poster 550 a.jpg")
    static let search = Option("search", "s", value: "TEXT", help: "Shows the movies whose titles fit.")
    static let refresh = Option(
        "refresh", help: "Asks the server, whatever is in the cache: what hasn't changed isn't sent again.")
    static let token = Option("token", value: "TOKEN", help: "The access token. Other users can see it here; a variable is better.")
    static let baseURL = Option("base-url", value: "URL", help: "Another server than \(TMDB.address).")
    static let all = [
        page, isAll, limit, language, region, details, poster, search, refresh, Option.cache, Option.json, Option.verbose, token, baseURL,
        Option.help,
    ]

    let task: Task
    let page: Int
    /// How many movies of all pages are shown; `nil` for one page.
    let limit: Int?
    let language, region, token, baseURL, cache: String?
    let isRefresh, isJSON, isVerbose, isHelp: Bool

    init(_ arguments: [String]) throws(Failure) {
        let arguments = try Arguments(arguments, options: Self.all)
        isHelp = arguments.has(.help)
        page = try arguments.number(Self.page, in: 1...PageLimit.last) ?? 1
        let limit = try arguments.number(Self.limit, in: 1...PageLimit.last * PageLimit.rows)
        self.limit = arguments.has(Self.isAll) ? limit ?? 100 : nil
        language = arguments.value(Self.language)
        region = arguments.value(Self.region)
        token = arguments.value(Self.token)
        baseURL = arguments.value(Self.baseURL)
        cache = arguments.value(.cache)
        isRefresh = arguments.has(Self.refresh)
        isJSON = arguments.has(.json)
        isVerbose = arguments.has(.verbose)
        let id = try arguments.number(Self.details, in: 1...Int(Int32.max))
        let text = arguments.value(Self.search)
        let poster = try arguments.number(Self.poster, in: 1...Int(Int32.max))
        var operands = arguments.operands[...]
        let file = poster == nil ? nil : operands.popFirst()
        if poster != nil, file == nil, !isHelp { throw .usage("--poster needs a file: --poster ID FILE") }
        if let extra = operands.first, !isHelp {
            throw .usage(
                "There is nothing to do with “\(extra)”. To look for a title: --search “\(operands.joined(separator: " "))”")
        }
        if self.limit == nil, limit != nil, !isHelp { throw .usage("--limit needs --all.") }
        if self.limit != nil, arguments.value(Self.page) != nil { throw .usage("--page and --all don't go together.") }
        if self.limit != nil, id != nil { throw .usage("--details and --all don't go together.") }
        if let poster, let file {
            if id != nil || text != nil || self.limit != nil {
                throw .usage("--poster goes with neither --details nor --search nor --all.")
            }
            task = .poster(poster, file: file)
            return
        }
        switch (id, text) {
        case (.some, .some): throw .usage("--details and --search don't go together.")
        case (let id?, nil): task = .details(id)
        case (nil, let text?): task = .search(text)
        case (nil, nil): task = .topRated
        }
    }

    /// The help.
    static let help = HelpText(
        usage: "MoviesExample [options]",
        about: "Shows the top rated movies of The Movie Database. Without a token it shows a sample from a server in the program itself.",
        options: all,
        sections: [
            (
                title: "Environment, or a file .env in the working directory",
                rows: [
                    (Configuration.tokenName, "an API Read Access Token of The Movie Database"),
                    (Configuration.baseURLName, "its address, \(TMDB.address)"), ("NO_COLOR", "any value: no colours"),
                ]
            )
        ])
}
