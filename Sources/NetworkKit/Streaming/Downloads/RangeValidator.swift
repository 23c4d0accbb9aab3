internal import PlatformBase

/// What tells that a rest is one of the same bytes as the beginning: a strong validator (RFC 9110 §8.8.1), as `If-Range` needs it.
enum RangeValidator: Sendable, Hashable, Codable {
    /// An entity tag, quotes included (§8.8.3).
    case tag(String)
    /// A `Last-Modified`, as the server wrote it.
    case date(String)

    /// The validator of an answer, or why it has none that can be relied on.
    static func of(_ headers: HTTPFields, now: @autoclosure () -> Date) -> Result<RangeValidator, Missing> {
        let tag = headers[.eTag]?.trimmingSpaces()
        if let tag, isStrong(tag) { return .success(.tag(tag)) }
        // A date is no substitute for a tag that says less than it (§13.1.5).
        if let tag, tag.hasPrefix("W/") { return .failure(.weak) }
        // Of something that was changed just now, two states may have one date (§8.8.2.2).
        if let text = headers[.lastModified]?.trimmingSpaces(), let changed = HTTPDate.date(text, now: now()),
            let sent = headers[.date].flatMap({ HTTPDate.date($0.trimmingSpaces(), now: now()) }),
            sent.timeIntervalSince(changed) >= leastAge
        {
            return .success(.date(text))
        }
        return .failure(tag == nil ? .none : .weak)
    }

    /// Why an answer has no validator to resume with.
    enum Missing: Error { case none, weak }

    private static let leastAge = 60.0

    private static func isStrong(_ tag: String) -> Bool { tag.utf8.count >= 2 && tag.hasPrefix("\"") && tag.hasSuffix("\"") }

    /// What `If-Range` says.
    var text: String {
        switch self {
        case .tag(let text), .date(let text): text
        }
    }

    /// Whether an answer with these fields can be of the same bytes. One that says nothing can.
    func allows(_ headers: HTTPFields) -> Bool {
        switch self {
        case .tag(let text): headers[.eTag].map { $0.trimmingSpaces() == text } ?? true
        case .date(let text): headers[.lastModified].map { $0.trimmingSpaces() == text } ?? true
        }
    }
}

/// `Content-Range` (RFC 9110 §14.4), for bytes.
enum ContentRange: Equatable {
    /// These bytes, of so many.
    case part(ClosedRange<Int64>, total: Int64?)
    /// None: there are so many.
    case unsatisfied(total: Int64)

    /// `nil` for another unit, and for what isn't right in itself.
    init?(_ text: String) {
        let words = text.split(whereSeparator: { $0 == " " || $0 == "\t" })
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let halves = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        let total = Self.number(halves[1])
        guard total != nil || halves[1] == "*" else { return nil }
        if halves[0] == "*" {
            guard let total else { return nil }
            self = .unsatisfied(total: total)
            return
        }
        let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last, last < total ?? .max else {
            return nil
        }
        self = .part(first...last, total: total)
    }

    private static func number(_ text: Substring) -> Int64? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int64(text) : nil
    }
}
