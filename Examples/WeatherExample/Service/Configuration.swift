internal import ExampleSupport
internal import NetworkKit
internal import PlatformBase

/// Who is asked, where, and with which key.
struct Configuration: Sendable {
    let provider: Provider
    let baseURL: URL
    /// `nil` without a key: a sample is shown then.
    let apiKey: String?
    private let baseURLSource: Settings.Source
    private let keySource: Settings.Source?

    /// The configuration that options and settings give.
    ///
    /// Without a provider it is the one whose key is set, Clear Sky before the other.
    ///
    /// - Throws: ``Failure`` with ``ExitCode/usage`` for a base URL that is none.
    init(provider: Provider?, apiKey: String?, baseURL: String?, settings: Settings) throws(Failure) {
        let keyed = Provider.allCases.first { $0 != .preview && settings.setting($0.keyName) != nil }
        let provider = provider ?? (apiKey == nil ? keyed : nil) ?? .clearsky
        let key = provider == .preview ? nil : settings.setting(provider.keyName, option: apiKey)
        let base = try settings.baseURL(provider.baseURLName, option: baseURL, standard: provider.standardBaseURL)
        self.provider = provider
        self.baseURL = base.url
        self.baseURLSource = base.source
        self.apiKey = key?.value
        keySource = key?.source
    }

    /// What errors call the server: the provider, or whoever else is at the address.
    var serverName: String {
        switch provider {
        case .clearsky: "Clear Sky"
        case .darksky: baseURL.host().flatMap { $0 == "api.pirateweather.net" ? nil : $0 } ?? "Pirate Weather"
        case .preview: "The preview"
        }
    }

    /// What no line may show, whoever wrote it.
    var secrets: SecretValues {
        var secrets = SecretValues()
        if let apiKey { secrets.insert(apiKey) }
        // A base URL may carry a password.
        if let password = baseURL.password(percentEncoded: false) { secrets.insert(password) }
        return secrets
    }

    /// What `--verbose` shows, the key masked.
    var lines: [String] {
        guard provider != .preview else { return ["provider  preview (no network)"] }
        let key = keySource.map { "\(SecretValues.mask) (\(provider.keyName), from the \($0.rawValue))" }
        return [
            "provider  \(provider.rawValue)",
            "base URL  " + (apiKey == nil ? "the sample server" : "\(secrets.masking(baseURL.absoluteString)) (\(baseURLSource.rawValue))"),
            "key       \(key ?? "none (\(provider.keyName) is not set)")",
        ]
    }

    /// The service for a provider at an address.
    func service(at baseURL: URL, apiKey: String, units: Units?, isRefresh: Bool, stack: Stack) -> any WeatherService {
        let session = HTTPSession(interceptors: stack.interceptors())
        switch provider {
        case .preview: return WeatherPreviewClient()
        case .clearsky:
            var client = WeatherClient(baseURL: baseURL, apiKey: apiKey, session: session)
            client.isRefresh = isRefresh
            client.log = stack.log
            return client
        case .darksky:
            var client = DarkSkyClient(baseURL: baseURL, apiKey: apiKey, units: units ?? .si, session: session)
            client.isRefresh = isRefresh
            client.log = stack.log
            return client
        }
    }
}
