public import NetworkKit
public import PlatformBase

/// How long a server asks to be left alone (RFC 9110 §10.2.3).
public struct RetryAfter: Sendable, Equatable {
    /// The time to wait, in seconds.
    public let seconds: Int

    /// So many seconds.
    public init(seconds: Int) { self.seconds = min(max(0, seconds), Self.longest) }

    /// Ten years: no server means more, and a number without a bound would overflow.
    private static let longest = 315_360_000

    /// What the fields of an answer say: `Retry-After` in seconds or as a date, else `RateLimit-Reset` in seconds.
    public init?(_ fields: HTTPFields, now: Date) {
        if let text = fields["Retry-After"] {
            if let seconds = Int(text) {
                self.init(seconds: seconds)
                return
            }
            guard let date = Self.date(text) else { return nil }
            self.init(seconds: Int(min(max(date.timeIntervalSince(now), 0), Double(Self.longest)).rounded(.up)))
        } else if let seconds = fields["RateLimit-Reset"].flatMap({ Int($0) }) {
            self.init(seconds: seconds)
        } else {
            return nil
        }
    }

    /// What a person is told.
    public var advice: String {
        switch seconds {
        case 0...1: "Try again now."
        case ..<120: "Try again in \(seconds) seconds."
        case ..<7200: "Try again in \((seconds + 59) / 60) minutes."
        case ..<172_800: "Try again in \((seconds + 3599) / 3600) hours."
        default: "Try again in \((seconds + 86_399) / 86_400) days."
        }
    }

    /// A date as servers send it: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7).
    private static func date(_ text: String) -> Date? {
        let parts = text.split { $0 == " " || $0 == ":" || $0 == "," }
        guard parts.count == 8, parts[7] == "GMT", let day = number(parts[1], in: 1...31),
            let month = months.firstIndex(of: String(parts[2])), let year = number(parts[3], in: 1970...9999),
            let hour = number(parts[4], in: 0...23), let minute = number(parts[5], in: 0...59),
            let second = number(parts[6], in: 0...60), let zone = TimeZone(secondsFromGMT: 0)
        else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return calendar.date(
            from: DateComponents(year: year, month: month + 1, day: day, hour: hour, minute: minute, second: second))
    }

    /// A calendar takes any number, and counts on to dates that no `Int` can count up to.
    private static func number(_ text: Substring, in bounds: ClosedRange<Int>) -> Int? {
        Int(text).flatMap { bounds.contains($0) ? $0 : nil }
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
