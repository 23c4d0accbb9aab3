internal import PlatformBase

/// Dates as RFC 3339 writes them, with and without fractions of a second: `2026-02-28T23:59:60.123+05:30`.
enum RFC3339 {
    /// The date, or `nil` for text of another form or a day that doesn't exist. A space or a small `t` may stand for the `T`, as
    /// §5.6 allows. A leap second is read as the second after it.
    static func date(_ text: String) -> Date? {
        var scanner = DateScanner(text)
        guard let year = scanner.digits(4), scanner.take("-"), let month = scanner.digits(2), scanner.take("-"),
            let day = scanner.digits(2), scanner.take("T", "t", " "), let hour = scanner.digits(2), scanner.take(":"),
            let minute = scanner.digits(2), scanner.take(":"), let second = scanner.digits(2)
        else { return nil }
        let fraction = scanner.take(".") ? scanner.fraction() : 0
        guard let fraction, let offset = scanner.offset(), scanner.isAtEnd, Gregorian.exists(year, month, day),
            hour < 24, minute < 60, second <= 60
        else { return nil }
        let seconds = hour * 3600 + minute * 60 + second - offset
        return Date(timeIntervalSince1970: Gregorian.seconds(Gregorian.daysSinceEpoch(year, month, day), seconds) + fraction)
    }
}

extension DateScanner {
    /// Seconds east of Greenwich.
    fileprivate mutating func offset() -> Int? {
        if take("Z", "z") { return 0 }
        let isWest = take("-")
        guard isWest || take("+"), let hours = digits(2), take(":"), let minutes = digits(2), hours < 24, minutes < 60 else { return nil }
        return (isWest ? -1 : 1) * (hours * 3600 + minutes * 60)
    }
}
