/// Who answers.
enum Provider: String, CaseIterable, Sendable {
    /// Clear Sky, the API of the tutorial.
    case clearsky
    /// Pirate Weather, or another API in Dark Sky's shape.
    case darksky
    /// Nobody: made-up data, without a network.
    case preview

    /// The variable that holds its key.
    var keyName: String { self == .darksky ? "DARK_SKY_API_KEY" : "CLEAR_SKY_API_KEY" }
    /// The variable that holds its address.
    var baseURLName: String { self == .darksky ? "DARK_SKY_BASE_URL" : "CLEAR_SKY_BASE_URL" }
    /// Its address, unless told otherwise.
    var standardBaseURL: String { self == .darksky ? "https://api.pirateweather.net" : "https://cocoacasts.com/clearsky" }
}
