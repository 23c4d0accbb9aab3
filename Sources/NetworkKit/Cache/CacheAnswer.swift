internal import PlatformBase

/// How a stored answer answers a request that asks for less than all of it (RFC 9111 §4.3.2, RFC 9110 §13 and §14).
enum CacheAnswer: Sendable, Equatable {
    /// As it is.
    case whole
    /// What the caller has is the same: a 304.
    case notModified
    /// Some of its bytes: a 206.
    case part(Range<Int64>)
    /// Only the server can say.
    case none

    init(_ entry: CacheEntry, to request: HTTPRequest) {
        guard Self.asksForLess(request.headers) else {
            self = .whole
            return
        }
        self = Self.precondition(entry.response, request.headers) ?? Self.part(of: entry, request)
    }

    /// Whether a request says by itself what it has, or what it wants of the answer.
    static func asksForLess(_ headers: HTTPFields) -> Bool { headers.contains { $0.name == .range || isCondition($0.name) } }

    /// Whether a request has a condition of its own (RFC 9110 §13.1).
    static func isConditional(_ headers: HTTPFields) -> Bool {
        headers.contains { isCondition($0.name) }
    }

    static func isCondition(_ name: HTTPField.Name) -> Bool {
        // By length first: it is asked of every field of every request.
        switch name.rawName.utf8.count {
        case 8: name == ifMatch || name == .ifRange
        case 13: name == .ifNoneMatch
        case 17: name == .ifModifiedSince
        case 19: name == ifUnmodifiedSince
        default: false
        }
    }

    private static let ifMatch: HTTPField.Name = "If-Match"
    private static let ifUnmodifiedSince: HTTPField.Name = "If-Unmodified-Since"

    /// RFC 9110 §13.2.2; `nil` where the request goes on.
    private static func precondition(_ response: StoredResponse, _ headers: HTTPFields) -> CacheAnswer? {
        if headers.contains(ifMatch) || headers.contains(ifUnmodifiedSince) { return CacheAnswer.none }
        guard response.status == 200 else { return nil }
        if let tags = headers[.ifNoneMatch] {
            return EntityTag.list(tags, includes: response.headers[.eTag]) ? .notModified : nil
        }
        guard let since = headers[.ifModifiedSince].flatMap({ CacheDate.date($0, now: response.responseTime) }) else { return nil }
        let changed = response.headers[.lastModified].flatMap { CacheDate.date($0, now: response.responseTime) }
        return (changed ?? response.facts.date) <= since ? .notModified : nil
    }

    private static func part(of entry: CacheEntry, _ request: HTTPRequest) -> CacheAnswer {
        guard let value = request.headers[.range], request.method == .get, entry.response.status == 200 else { return .whole }
        if let condition = request.headers[.ifRange], !EntityTag.isCurrent(condition, entry.response.headers) { return .whole }
        return ByteRange.range(value, of: entry.length).map(CacheAnswer.part) ?? CacheAnswer.none
    }
}

/// Entity tags (RFC 9110 §8.8.3).
enum EntityTag {
    /// Whether a tag is one of a list, by the weak comparison; `*` is any.
    static func list(_ list: String, includes tag: String?) -> Bool {
        let members = ListMembers.members(of: list)
        if members.contains("*") { return true }
        guard let tag = tag.map({ opaque($0[...]) }) else { return false }
        return members.contains { opaque($0) == tag }
    }

    /// Whether `If-Range` names what is stored: by a strong tag, or by the very date of its last change (RFC 9110 §13.1.5).
    static func isCurrent(_ condition: String, _ stored: HTTPFields) -> Bool {
        guard condition.utf8.last == UInt8(ascii: "\"") else { return condition == stored[.lastModified] }
        return !condition.hasPrefix("W/") && condition == stored[.eTag]
    }

    /// Whether two tags are the same, by the weak comparison.
    static func isSame(_ tag: String, _ other: String?) -> Bool { other.map { opaque($0[...]) == opaque(tag[...]) } ?? false }

    static func isWeak(_ tag: String) -> Bool { tag.hasPrefix("W/") }

    private static func opaque(_ tag: Substring) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag }
}

/// Ranges of bytes (RFC 9110 §14.1.2).
enum ByteRange {
    /// The bytes that a `Range` names, of so many; `nil` for several ranges, for another unit, and for one that isn't there.
    static func range(_ value: String, of length: Int64) -> Range<Int64>? {
        let value = value.lowercased()
        guard value.hasPrefix("bytes="), length > 0 else { return nil }
        let ends = value.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        let (first, last) = (number(ends[0]), number(ends[1]))
        switch (first, last) {
        case (nil, let count?) where ends[0].isEmpty && count > 0: return max(0, length - count)..<length
        case (let first?, nil) where ends[1].isEmpty && first < length: return first..<length
        case (let first?, let last?) where first <= last && first < length: return first..<min(last + 1, length)
        default: return nil
        }
    }

    private static func number(_ text: Substring) -> Int64? {
        text.utf8.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") } && text.utf8.count < 19 ? Int64(text) : nil
    }
}
