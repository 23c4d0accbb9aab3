internal import PlatformBase

/// How long a request may take before a second one is sent beside it.
public struct HedgingDelay: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case fixed(Duration)
        case percentile(Double, initially: Duration, atLeast: Duration)
    }

    let kind: Kind

    /// Always the same.
    public static func fixed(_ delay: Duration) -> HedgingDelay { HedgingDelay(kind: .fixed(delay)) }

    /// What 95 % of the recent requests keep to, so that about one in twenty is hedged.
    ///
    /// - Parameters:
    ///   - initially: the delay until 20 requests have been seen.
    ///   - atLeast: the shortest delay, however fast the requests are.
    public static func p95(initially: Duration = .seconds(1), atLeast: Duration = .milliseconds(10)) -> HedgingDelay {
        percentile(0.95, initially: initially, atLeast: atLeast)
    }

    /// What another share of the recent requests keep to: of the last 128 that this interceptor saw.
    public static func percentile(
        _ share: Double, initially: Duration = .seconds(1), atLeast: Duration = .milliseconds(10)
    ) -> HedgingDelay {
        HedgingDelay(kind: .percentile(share, initially: initially, atLeast: atLeast))
    }
}

extension HedgingDelay: CustomStringConvertible {
    /// In a few words.
    public var description: String {
        switch kind {
        case .fixed(let delay): delay.shortText
        case .percentile(let share, let initially, _):
            "the time that \(share.percentText) of recent requests keep to (\(initially.shortText) at first)"
        }
    }
}
