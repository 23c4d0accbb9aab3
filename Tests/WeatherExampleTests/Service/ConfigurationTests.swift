import ExampleSupport
import PlatformBase
import Testing

@testable import WeatherExample

@Suite struct ConfigurationTests {
    private func configuration(
        _ environment: [String: String] = [:], file: String? = nil, provider: Provider? = nil, apiKey: String? = nil,
        baseURL: String? = nil
    ) throws(Failure) -> Configuration {
        try Configuration(
            provider: provider, apiKey: apiKey, baseURL: baseURL, settings: Settings(environment: environment, file: file))
    }

    @Test func `without a key it is a sample of Clear Sky`() throws {
        let configuration = try configuration()
        #expect(configuration.provider == .clearsky)
        #expect(configuration.apiKey == nil)
        #expect(configuration.lines.contains("key       none (CLEAR_SKY_API_KEY is not set)"))
    }

    @Test func `the provider is the one whose key is set`() throws {
        #expect(try configuration(["DARK_SKY_API_KEY": "k"]).provider == .darksky)
        #expect(try configuration(["DARK_SKY_API_KEY": "k", "CLEAR_SKY_API_KEY": "c"]).provider == .clearsky)
        #expect(try configuration(["DARK_SKY_API_KEY": "k"], apiKey: "c").provider == .clearsky)
        #expect(try configuration(file: "DARK_SKY_API_KEY=k").apiKey == "k")
    }

    @Test func `a key is masked, also where the base URL repeats it or holds a password`() throws {
        let configuration = try configuration(
            ["CLEAR_SKY_API_KEY": "s3cr3t", "CLEAR_SKY_BASE_URL": "https://me:pa55word@example.com/s3cr3t"])
        let text = configuration.lines.joined(separator: "\n")
        #expect(!text.contains("s3cr3t") && !text.contains("pa55word"))
        #expect(text.contains("key       *** (CLEAR_SKY_API_KEY, from the environment)"))
    }

    @Test func `a base URL without its colon is refused`() {
        #expect(throws: Failure.self) { try configuration(["CLEAR_SKY_BASE_URL": "https//cocoacasts.com/clearsky"]) }
    }

    @Test func `the addresses are the services' own unless told otherwise`() throws {
        #expect(try configuration().baseURL.absoluteString == "https://cocoacasts.com/clearsky")
        #expect(try configuration(provider: .darksky).baseURL.absoluteString == "https://api.pirateweather.net")
        #expect(try configuration(["CLEAR_SKY_BASE_URL": "http://a/"], baseURL: "http://b/").baseURL.absoluteString == "http://b/")
    }
}
