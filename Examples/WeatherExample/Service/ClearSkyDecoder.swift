internal import PlatformBase

/// Reads Clear Sky's answers: dates are seconds since 1970, with fractions.
// Sendable like JSONDecoder itself: it adds no state, and its strategy is set before anybody else can see it.
final class ClearSkyDecoder: JSONDecoder, @unchecked Sendable {
    override init() {
        super.init()
        dateDecodingStrategy = .secondsSince1970
    }
}
