internal import ExampleSupport
internal import NetworkKit
internal import PlatformBase

/// Where The Movie Database is, and with which token it is asked.
struct Configuration: Sendable {
    static let tokenName = "TMDB_ACCESS_TOKEN"
    static let baseURLName = "TMDB_BASE_URL"

    let baseURL: URL
    /// `nil` without a token: a sample is shown then.
    let token: String?
    private let baseURLSource: Settings.Source
    private let tokenSource: Settings.Source?

    /// The configuration that options and settings give.
    ///
    /// - Throws: ``Failure`` with ``ExitCode/usage`` for a base URL that is none.
    init(token: String?, baseURL: String?, settings: Settings) throws(Failure) {
        let token = settings.setting(Self.tokenName, option: token)
        let base = try settings.baseURL(Self.baseURLName, option: baseURL, standard: TMDB.address)
        self.token = token?.value
        tokenSource = token?.source
        self.baseURL = base.url
        baseURLSource = base.source
    }

    /// What no line may show, whoever wrote it.
    var secrets: SecretValues {
        var secrets = SecretValues()
        if let token { secrets.insert(token) }
        if let password = baseURL.password(percentEncoded: false) { secrets.insert(password) }
        return secrets
    }

    /// What `--verbose` shows, the token masked.
    var lines: [String] {
        [
            "base URL  " + (token == nil ? "the sample server" : "\(secrets.masking(baseURL.absoluteString)) (\(baseURLSource.rawValue))"),
            "token     "
                + (tokenSource.map { "\(SecretValues.mask) (\(Self.tokenName), from the \($0.rawValue))" }
                    ?? "none (\(Self.tokenName) is not set)"),
        ]
    }
}
