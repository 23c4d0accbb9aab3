internal import PlatformBase

/// What the fields of an answer say about its use again, read once.
final class ResponseFacts: Sendable {
    let control: CacheControl
    /// When the server made it; when it came, where the server doesn't say (RFC 9110 §6.6.1).
    let date: Date
    /// What the caches on its way say of its age.
    let age: CacheControl.Seconds
    /// Until when it is fresh by `Expires`; the distant past for one that is no date (RFC 9111 §5.3).
    let expires: Date?
    /// When it was last changed, where it doesn't say how long it is fresh, so that this must be guessed.
    let lastModified: Date?

    init(_ headers: HTTPFields, control: CacheControl, responseTime: Date) {
        self.control = control
        date = headers[.date].flatMap { CacheDate.date($0, now: responseTime) } ?? responseTime
        age = Self.age(headers[values: .age])
        let dates = headers[values: .expires]
        expires = dates.first.map { first in
            dates.allSatisfy { $0 == first } ? CacheDate.date(first, now: responseTime) ?? .distantPast : .distantPast
        }
        lastModified =
            control.maxAge == nil && dates.isEmpty ? headers[.lastModified].flatMap { CacheDate.date($0, now: responseTime) } : nil
    }

    /// RFC 9111 §5.1: of several values the first counts, and one that is no number doesn't.
    private static func age(_ lines: [String]) -> CacheControl.Seconds {
        guard let first = lines.first, let member = ListMembers.members(of: first).first else { return 0 }
        return CacheControl.number(member) ?? 0
    }
}

/// Dates as a cache reads them: a little more leniently than they must be written.
enum CacheDate {
    /// The date; in any case of letters, and with `+0000` for `GMT`, as some weather services write it. Nothing else counts: what isn't
    /// understood must not make an answer fresh (RFC 9111 §5.3).
    static func date(_ text: String, now: Date) -> Date? {
        if let date = HTTPDate.date(text, now: now) { return date }
        return HTTPDate.date(normalized(text), now: now)
    }

    private static func normalized(_ text: String) -> String {
        var words = text.split(separator: " ", omittingEmptySubsequences: false).map { word in
            let word = word.lowercased()
            return word == "gmt"
                ? "GMT" : word.split(separator: "-", omittingEmptySubsequences: false).map(capitalized).joined(separator: "-")
        }
        if words.last == "+0000" { words[words.endIndex - 1] = "GMT" }
        return words.joined(separator: " ")
    }

    private static func capitalized(_ word: Substring) -> String { word.prefix(1).uppercased() + word.dropFirst() }
}
