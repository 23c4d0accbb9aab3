internal import PlatformBase

/// The date of a cookie's `Expires`, in whatever form a server writes it (RFC 6265 §5.1.1): the algorithm that all browsers share. It
/// knows neither locale nor time zone; all dates are Greenwich's.
enum CookieDate {
    /// The date, or `nil` for text in which there is none, or a day that doesn't exist.
    static func date(_ text: String) -> Date? {
        var time: (hour: Int, minute: Int, second: Int)?
        var day: Int?
        var month: Int?
        var year: Int?
        for token in text.utf8.split(whereSeparator: isDelimiter) {
            if time == nil, let found = self.time(token) {
                time = found
            } else if day == nil, let found = number(token, digits: 1...2) {
                day = found
            } else if month == nil, let found = self.month(token) {
                month = found
            } else if year == nil, let found = number(token, digits: 2...4) {
                year = found
            }
        }
        guard let time, let day, let month, var year else { return nil }
        if (70...99).contains(year) { year += 1900 } else if (0...69).contains(year) { year += 2000 }
        guard year >= 1601, day >= 1, time.hour <= 23, time.minute <= 59, time.second <= 59 else { return nil }
        let start = Gregorian.daysSinceEpoch(year, month, 1)
        let end = month == 12 ? Gregorian.daysSinceEpoch(year + 1, 1, 1) : Gregorian.daysSinceEpoch(year, month + 1, 1)
        guard day <= end - start else { return nil }
        let seconds = time.hour * 3600 + time.minute * 60 + time.second
        return Date(timeIntervalSince1970: Gregorian.seconds(start + day - 1, seconds))
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    /// The number that a token begins with, if it has so many digits and no more: what follows them doesn't count.
    private static func number(_ token: Substring.UTF8View, digits: ClosedRange<Int>) -> Int? {
        let taken = token.prefix(while: isDigit)
        guard digits.contains(taken.count) else { return nil }
        return taken.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    private static func time(_ token: Substring.UTF8View) -> (Int, Int, Int)? {
        let parts = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let hour = whole(parts[0]), let minute = whole(parts[1]), let second = number(parts[2], digits: 1...2)
        else {
            return nil
        }
        return (hour, minute, second)
    }

    private static func whole(_ token: Substring.UTF8View) -> Int? {
        token.allSatisfy(isDigit) ? number(token, digits: 1...2) : nil
    }

    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"].map { Array($0.utf8) }

    private static func month(_ token: Substring.UTF8View) -> Int? {
        let start = token.prefix(3).map { $0 | 0x20 }
        return months.firstIndex(of: start).map { $0 + 1 }
    }
}
