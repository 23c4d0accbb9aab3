internal import PlatformBase

/// The arithmetic of the Gregorian calendar in Greenwich, for the dates that protocols write: no calendar of the system's, whose
/// locale and time zone are a user's choice, is asked.
enum Gregorian {
    /// How many days a month has.
    static func days(in month: Int, of year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// Whether there is such a day.
    static func exists(_ year: Int, _ month: Int, _ day: Int) -> Bool {
        (1...12).contains(month) && (1...days(in: month, of: year)).contains(day)
    }

    /// Days from 1970-01-01: years begin in March, so that the leap day is the last.
    static func daysSinceEpoch(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// Whole seconds from the beginning of 1970: more than an `Int` of 32 bits holds, and few enough for a `Double`.
    static func seconds(_ daysSinceEpoch: Int, _ secondOfDay: Int) -> Double {
        Double(daysSinceEpoch) * secondsPerDay + Double(secondOfDay)
    }

    static let secondsPerDay = 86_400.0

    /// The day that lies so many days after 1970-01-01: the other way round.
    static func day(_ daysSinceEpoch: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = daysSinceEpoch + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let fromMarch = (5 * dayOfYear + 2) / 153
        let month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * fromMarch + 2) / 5 + 1)
    }
}
