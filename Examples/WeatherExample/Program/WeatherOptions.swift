internal import ExampleSupport

/// The command line of WeatherExample.
struct WeatherOptions {
    static let provider = Option(
        "provider", "p", value: "NAME", help: "Who is asked: clearsky, darksky (Pirate Weather) or preview. Default: whose key is set.")
    static let units = Option(
        "units", "u", value: "NAME", help: "us, si, ca or uk2. Default: those of the answer, which JSON always keeps to.")
    static let days = Option("days", "d", value: "COUNT", help: "How many days are shown, 1 to 8. Default: all.")
    static let refresh = Option(
        "refresh", "r",
        help: "Asks the server, whatever is in the cache: what hasn't changed isn't sent again. Also for a place within about a kilometre "
            + "of one already asked for.")
    static let apiKey = Option("api-key", value: "KEY", help: "The provider's key. Other users can see it here; a variable is better.")
    static let baseURL = Option("base-url", value: "URL", help: "The provider's address.")
    static let all = [provider, units, days, refresh, Option.cache, Option.json, Option.verbose, apiKey, baseURL, Option.help]

    let locations: [Location]
    let provider: Provider?
    let units: Units?
    let days: Int
    let isRefresh, isJSON, isVerbose, isHelp: Bool
    let apiKey, baseURL, cache: String?

    init(_ arguments: [String]) throws(Failure) {
        let arguments = try Arguments(arguments, options: Self.all)
        isHelp = arguments.has(.help)
        provider = try arguments.choice(Self.provider, of: Provider.self)
        units = try arguments.choice(Self.units, of: Units.self)
        days = try arguments.number(Self.days, in: 1...8) ?? 8
        isRefresh = arguments.has(Self.refresh)
        isJSON = arguments.has(.json)
        isVerbose = arguments.has(.verbose)
        apiKey = arguments.value(Self.apiKey)
        baseURL = arguments.value(Self.baseURL)
        cache = arguments.value(.cache)
        var locations: [Location] = []
        // What is asked for help needn't be right.
        if !isHelp {
            for text in arguments.operands { locations.append(try Gazetteer.location(text)) }
        }
        self.locations = locations.isEmpty ? [.preview] : locations
    }

    /// The help.
    static let help = HelpText(
        usage: "WeatherExample [options] [place | latitude,longitude] …",
        about: "Shows the weather: warnings, now, the next hours and days. Several places are asked for at once. Without a key it shows "
            + "a sample from a server in the program itself.",
        options: all,
        sections: [
            (
                title: "Environment, or a file .env in the working directory",
                rows: [
                    ("CLEAR_SKY_API_KEY", "the key for Clear Sky"),
                    ("CLEAR_SKY_BASE_URL", "its address, \(Provider.clearsky.standardBaseURL)"),
                    ("DARK_SKY_API_KEY", "the key for Pirate Weather or a like API"),
                    ("DARK_SKY_BASE_URL", "its address, \(Provider.darksky.standardBaseURL)"), ("NO_COLOR", "any value: no colours"),
                ]
            ),
            (title: "Places", rows: Gazetteer.places.map { ($0.name, $0.country) }),
        ])
}
