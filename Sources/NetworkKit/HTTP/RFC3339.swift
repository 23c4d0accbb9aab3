internal import PlatformBase

/// Dates as RFC 3339 writes them, with and without fractions of a second: `2026-02-28T23:59:60.123+05:30`.
enum RFC3339 {
    /// The date, or `nil` for text of another form or a day that doesn't exist. A space or a small `t` may stand for the `T`, as
    /// §5.6 allows. A leap second is read as the second after it.
    static func date(_ text: String) -> Date? {
        var scanner = Scanner(text)
        guard let year = scanner.digits(4), scanner.take("-"), let month = scanner.digits(2), scanner.take("-"),
            let day = scanner.digits(2), scanner.take("T", "t", " "), let hour = scanner.digits(2), scanner.take(":"),
            let minute = scanner.digits(2), scanner.take(":"), let second = scanner.digits(2)
        else { return nil }
        let fraction = scanner.take(".") ? scanner.fraction() : 0
        guard let fraction, let offset = scanner.offset(), scanner.isAtEnd,
            (1...12).contains(month), (1...days(in: month, of: year)).contains(day), hour < 24, minute < 60, second <= 60
        else { return nil }
        let seconds = daysSinceEpoch(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset
        return Date(timeIntervalSince1970: Double(seconds) + fraction)
    }

    private static func days(in month: Int, of year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// Days from 1970-01-01 in the Gregorian calendar: years begin in March, so that the leap day is the last.
    static func daysSinceEpoch(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private struct Scanner {
        var rest: Substring.UTF8View
        init(_ text: String) { rest = text[...].utf8 }

        var isAtEnd: Bool { rest.isEmpty }

        mutating func take(_ options: Unicode.Scalar...) -> Bool {
            guard let first = rest.first, options.contains(where: { UInt8(ascii: $0) == first }) else { return false }
            rest.removeFirst()
            return true
        }

        mutating func digits(_ count: Int) -> Int? {
            let taken = rest.prefix(count)
            guard taken.count == count, taken.allSatisfy(isDigit) else { return nil }
            rest.removeFirst(count)
            return taken.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        }

        mutating func fraction() -> Double? {
            let taken = rest.prefix(while: isDigit)
            guard !taken.isEmpty else { return nil }
            rest.removeFirst(taken.count)
            return Double("0." + String(decoding: taken, as: UTF8.self))
        }

        /// Seconds east of Greenwich.
        mutating func offset() -> Int? {
            if take("Z", "z") { return 0 }
            let isWest = rest.first == UInt8(ascii: "-")
            guard take("+", "-"), let hours = digits(2), take(":"), let minutes = digits(2), hours < 24, minutes < 60 else { return nil }
            return (isWest ? -1 : 1) * (hours * 3600 + minutes * 60)
        }

        private func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
    }
}
