internal import ExampleSupport
internal import PlatformBase

/// The time of day and the date at a place.
///
/// The zone comes from its name where the platform can tell: Apple's Foundation does; FoundationEssentials knows no names, so that
/// the system's own files are read; and where neither helps, the answer's offset is taken for the whole forecast.
struct PlaceTime: Sendable {
    private let secondsFromUTC: @Sendable (Date) -> Int

    /// The time of a zone.
    ///
    /// - Parameters:
    ///   - zone: its name: `Europe/Paris`.
    ///   - offset: hours from UTC, where the name doesn't help.
    init(zone: String, offset: Double?) {
        let fixed = Int(((offset ?? 0) * 3600).rounded())
        if let zone = TimeZone(identifier: zone) {
            secondsFromUTC = { zone.secondsFromGMT(for: $0) }
        } else if let file = ZoneFile(named: zone) {
            secondsFromUTC = { file.secondsFromUTC(at: $0) ?? fixed }
        } else {
            secondsFromUTC = { _ in fixed }
        }
    }

    /// `Sat`
    func weekday(_ date: Date) -> String {
        let days = localSeconds(date).floorDivided(by: 86_400)
        // The first of January 1970 was a Thursday.
        return Self.weekdays[(days + 4).floorRemainder(by: 7)]
    }

    /// `14 Mar`
    func day(_ date: Date) -> String {
        let (_, month, day) = civil(date)
        return "\(day) \(Self.months[month - 1])"
    }

    /// `13:05`
    func clock(_ date: Date) -> String {
        let minutes = localSeconds(date).floorRemainder(by: 86_400) / 60
        return Self.twoDigits(minutes / 60) + ":" + Self.twoDigits(minutes % 60)
    }

    /// Whether two moments are on one day there.
    func isSameDay(_ one: Date, _ other: Date) -> Bool {
        localSeconds(one).floorDivided(by: 86_400) == localSeconds(other).floorDivided(by: 86_400)
    }

    private func localSeconds(_ date: Date) -> Int {
        // Far dates that a broken answer may hold must not overflow.
        Int(min(max(date.timeIntervalSince1970, -1e12), 1e12).rounded(.down)) + secondsFromUTC(date)
    }

    /// Year, month and day in the Gregorian calendar, by the counting of days from 1 March of the year 0.
    private func civil(_ date: Date) -> (year: Int, month: Int, day: Int) {
        let days = localSeconds(date).floorDivided(by: 86_400) + 719_468
        let era = days.floorDivided(by: 146_097)
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }

    private static func twoDigits(_ number: Int) -> String { TextLayout.leftPadded(String(number), to: 2).replacing(" ", with: "0") }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}

extension Int {
    /// The quotient rounded down, also for numbers below zero.
    fileprivate func floorDivided(by divisor: Int) -> Int { (self - floorRemainder(by: divisor)) / divisor }
    /// What is left then, never below zero.
    fileprivate func floorRemainder(by divisor: Int) -> Int { ((self % divisor) + divisor) % divisor }
}
