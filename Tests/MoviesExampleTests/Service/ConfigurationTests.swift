import ExampleSupport
import NetworkKit
import PlatformBase
import Testing

@testable import MoviesExample

@Suite struct ConfigurationTests {
    @Test func `the token is masked, wherever it comes from`() throws {
        for (option, settings, source) in [
            ("t0ken", Settings(environment: ["TMDB_ACCESS_TOKEN": "other"]), "option"),
            (nil, Settings(environment: ["TMDB_ACCESS_TOKEN": "t0ken"]), "environment"),
            (nil, Settings(environment: [:], file: "TMDB_ACCESS_TOKEN=t0ken"), ".env"),
        ] {
            let configuration = try Configuration(token: option, baseURL: nil, settings: settings)
            #expect(configuration.token == "t0ken")
            #expect(configuration.lines[1] == "token     *** (TMDB_ACCESS_TOKEN, from the \(source))")
        }
    }

    @Test func `the address is TMDB's unless told otherwise`() throws {
        let standard = try Configuration(token: "t0ken", baseURL: nil, settings: Settings(environment: [:]))
        #expect(standard.baseURL.absoluteString == "https://api.themoviedb.org/3")
        let other = try Configuration(
            token: "t0ken", baseURL: nil, settings: Settings(environment: ["TMDB_BASE_URL": "http://localhost:1/3"]))
        #expect(other.lines[0] == "base URL  http://localhost:1/3 (environment)")
    }

    @Test(arguments: [
        (MoviesEndpoint.topRated(page: 2, language: nil, region: nil), "https://api.themoviedb.org/3/movie/top_rated?page=2"),
        (
            .topRated(page: 1, language: "pt-BR", region: "BR"),
            "https://api.themoviedb.org/3/movie/top_rated?page=1&language=pt-BR&region=BR"
        ),
        (
            .search(text: "a+b & c", page: 1, language: nil, region: nil),
            "https://api.themoviedb.org/3/search/movie?query=a%2Bb%20%26%20c&page=1&include_adult=false"
        ),
        (.detail(id: 550, language: "en-US"), "https://api.themoviedb.org/3/movie/550?language=en-US"),
        (.credits(id: 550, language: nil), "https://api.themoviedb.org/3/movie/550/credits"),
        (.configuration, "https://api.themoviedb.org/3/configuration"),
    ])
    func `each endpoint is its address`(endpoint: MoviesEndpoint, address: String) throws {
        #expect(try HTTPRequest(endpoint).url.absoluteString == address)
        let local = try #require(URL(string: "http://localhost:8080/x/"))
        let path = address.dropFirst("https://api.themoviedb.org/3".count)
        #expect(try HTTPRequest(endpoint.with(baseURL: local)).url.absoluteString == "http://localhost:8080/x\(path)")
    }
}
