internal import PlatformBase

/// Dates as HTTP writes them (RFC 9110 §5.6.7): read in all three forms, written in the first.
///
///     Sun, 06 Nov 1994 08:49:37 GMT      IMF-fixdate
///     Sunday, 06-Nov-94 08:49:37 GMT     RFC 850
///     Sun Nov  6 08:49:37 1994           asctime
///
/// The grammar is taken at its word, case and zone included; what follows it not quite is no date. The name of the day must be one, and
/// isn't compared with the date.
enum HTTPDate {
    /// The years that are read and written. 1601 is where other clients begin too (RFC 6265 §5.1.1).
    static let years = 1601...9999

    /// The date that a text names, or `nil` for another form or a day that doesn't exist. A leap second is read as the second after it.
    ///
    /// - Parameter now: a year of two digits that would lie more than 50 years after it is one of the past.
    static func date(_ text: String, now: @autoclosure () -> Date) -> Date? {
        var scanner = DateScanner(text)
        // The long names first: the short ones begin them.
        if text.utf8.count > fixdateLength, scanner.place(in: longDays) != nil { return rfc850(&scanner, now: now()) }
        guard scanner.place(in: days) != nil else { return nil }
        return scanner.take(text: ", ") ? fixdate(&scanner) : asctime(&scanner)
    }

    /// The text of a date, in whole seconds; `nil` for one outside of ``years``.
    static func text(_ date: Date) -> String? {
        let time = date.timeIntervalSince1970.rounded(.down)
        guard abs(time) < 1e12 else { return nil }
        let dayNumber = Int((time / Gregorian.secondsPerDay).rounded(.down))
        let second = Int(time - Double(dayNumber) * Gregorian.secondsPerDay)
        let (year, month, day) = Gregorian.day(dayNumber)
        guard years.contains(year) else { return nil }
        // 1970-01-01 was a Thursday.
        let weekday = ((dayNumber + 3) % 7 + 7) % 7
        let time24 = [second / 3600, second / 60 % 60, second % 60].map(twoDigits).joined(separator: ":")
        return "\(days[weekday]), \(twoDigits(day)) \(months[month - 1]) \(year) \(time24) GMT"
    }

    /// Dates of the first form have this length, those of the second are longer.
    private static let fixdateLength = 29

    private static func fixdate(_ scanner: inout DateScanner) -> Date? {
        guard let day = scanner.digits(2), scanner.take(" "), let month = scanner.place(in: months), scanner.take(" "),
            let year = scanner.digits(4), scanner.take(" "), let time = time(&scanner), scanner.take(text: " GMT"), scanner.isAtEnd
        else { return nil }
        return date(year, month + 1, day, time)
    }

    private static func rfc850(_ scanner: inout DateScanner, now: Date) -> Date? {
        guard scanner.take(text: ", "), let day = scanner.digits(2), scanner.take("-"), let month = scanner.place(in: months),
            scanner.take("-"), let short = scanner.digits(2), scanner.take(" "), let time = time(&scanner), scanner.take(text: " GMT"),
            scanner.isAtEnd
        else { return nil }
        let today = now.timeIntervalSince1970 / 86_400
        guard abs(today) < 1e7 else { return nil }
        let thisYear = Gregorian.day(Int(today.rounded(.down))).year
        var year = thisYear / 100 * 100 + 100 + short
        // The latest such year that isn't more than 50 years ahead.
        let horizon = now.addingTimeInterval(50 * 365.2425 * 86_400)
        while year > thisYear - 100 {
            if let date = date(year, month + 1, day, time), date <= horizon { return date }
            year -= 100
        }
        return nil
    }

    private static func asctime(_ scanner: inout DateScanner) -> Date? {
        guard scanner.take(" "), let month = scanner.place(in: months), scanner.take(" "),
            let day = scanner.take(" ") ? scanner.digits(1) : scanner.digits(2), scanner.take(" "), let time = time(&scanner),
            scanner.take(" "), let year = scanner.digits(4), scanner.isAtEnd
        else { return nil }
        return date(year, month + 1, day, time)
    }

    /// Seconds of the day.
    private static func time(_ scanner: inout DateScanner) -> Int? {
        guard let hour = scanner.digits(2), scanner.take(":"), let minute = scanner.digits(2), scanner.take(":"),
            let second = scanner.digits(2), hour < 24, minute < 60, second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    private static func date(_ year: Int, _ month: Int, _ day: Int, _ seconds: Int) -> Date? {
        guard years.contains(year), Gregorian.exists(year, month, day) else { return nil }
        return Date(timeIntervalSince1970: Gregorian.seconds(Gregorian.daysSinceEpoch(year, month, day), seconds))
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static let days: [StaticString] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let longDays: [StaticString] = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]
    private static let months: [StaticString] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
