/// What `Cache-Control` says (RFC 9111 §5.2, RFC 5861, RFC 8246), in a request or an answer.
///
/// Where a directive comes twice, the first counts; one whose number is none counts as 0, which allows the least (§4.2.1).
struct CacheControl: Sendable, Hashable {
    /// Seconds, at most ``limit``.
    typealias Seconds = Int64

    var isNoStore = false
    /// `no-cache` without field names.
    var isNoCache = false
    /// The fields of `no-cache="…"`, in lower case.
    var noCacheFields: [String] = []
    /// `private` without field names.
    var isPrivate = false
    /// The fields of `private="…"`, in lower case.
    var privateFields: [String] = []
    var isPublic = false
    var mustRevalidate = false
    var proxyRevalidate = false
    var mustUnderstand = false
    var isImmutable = false
    var onlyIfCached = false
    var maxAge: Seconds?
    var sharedMaxAge: Seconds?
    var minFresh: Seconds?
    /// ``limit`` for a `max-stale` without a number.
    var maxStale: Seconds?
    var staleWhileRevalidate: Seconds?
    var staleIfError: Seconds?

    /// 2^31, as much as any number may count (RFC 9111 §1.2.2).
    static let limit: Seconds = 1 << 31

    /// Nothing said.
    init() {}

    /// What the field lines of a message say together.
    init(_ lines: [String]) {
        for line in lines {
            for member in ListMembers.members(of: line) { add(member) }
        }
    }

    private mutating func add(_ member: Substring) {
        let (name, argument) = ListMembers.parameter(member)
        switch name {
        case "no-store": isNoStore = true
        case "no-cache": Self.qualify(argument, all: &isNoCache, fields: &noCacheFields)
        case "private": Self.qualify(argument, all: &isPrivate, fields: &privateFields)
        case "public": isPublic = true
        case "must-revalidate": mustRevalidate = true
        case "proxy-revalidate": proxyRevalidate = true
        case "must-understand": mustUnderstand = true
        case "immutable": isImmutable = true
        case "only-if-cached": onlyIfCached = true
        case "max-age": maxAge = maxAge ?? Self.seconds(argument)
        case "s-maxage": sharedMaxAge = sharedMaxAge ?? Self.seconds(argument)
        case "min-fresh": minFresh = minFresh ?? Self.seconds(argument)
        case "max-stale": maxStale = maxStale ?? (argument == nil ? Self.limit : Self.seconds(argument))
        case "stale-while-revalidate": staleWhileRevalidate = staleWhileRevalidate ?? Self.seconds(argument)
        case "stale-if-error": staleIfError = staleIfError ?? Self.seconds(argument)
        default: break
        }
    }

    /// A directive that holds for the fields that it names, or for all of the answer when it names none.
    private static func qualify(_ argument: String?, all: inout Bool, fields: inout [String]) {
        let names = ListMembers.members(of: argument ?? "").map { $0.lowercased() }
        if names.isEmpty { all = true } else { fields += names }
    }

    private static func seconds(_ argument: String?) -> Seconds { argument.flatMap(number) ?? 0 }

    /// A number of seconds (RFC 9111 §1.2.2): digits alone.
    static func number(_ text: some StringProtocol) -> Seconds? {
        guard !text.isEmpty else { return nil }
        var result: Seconds = 0
        for byte in text.utf8 {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            result = Swift.min(result * 10 + Seconds(byte - UInt8(ascii: "0")), limit)
        }
        return result
    }
}

/// Lists in field values (RFC 9110 §5.6.1).
enum ListMembers {
    /// The members of a list: what commas outside of quoted strings separate, without the white space around it, none empty.
    static func members(of value: String) -> [Substring] {
        guard value.utf8.contains(UInt8(ascii: ",")) else {
            let only = trimmed(value[...])
            return only.isEmpty ? [] : [only]
        }
        var members: [Substring] = []
        var scan = QuotedScan()
        var start = value.startIndex
        for index in value.utf8.indices where scan.isOutside(value.utf8[index]) && value.utf8[index] == UInt8(ascii: ",") {
            let member = trimmed(value[start..<index])
            if !member.isEmpty { members.append(member) }
            start = value.utf8.index(after: index)
        }
        let last = trimmed(value[start...])
        if !last.isEmpty { members.append(last) }
        return members
    }

    /// A directive's name in lower case and what stands behind its `=`, without quotes.
    ///
    /// White space around the `=` is no part of the grammar: the name counts, and its value is one that nothing can be read from.
    static func parameter(_ member: Substring) -> (name: String, argument: String?) {
        guard let equals = member.utf8.firstIndex(of: UInt8(ascii: "=")) else { return (lowercased(member), nil) }
        let name = trimmed(member[..<equals])
        let value = member[member.utf8.index(after: equals)...]
        let isPlain = name.utf8.count == member[..<equals].utf8.count && trimmed(value).utf8.count == value.utf8.count
        return (lowercased(name), isPlain ? unquoted(value) : "")
    }

    /// Most names are in lower case already, which is seen faster than they are changed.
    private static func lowercased(_ name: Substring) -> String {
        name.utf8.contains { $0 >= 0x80 || ($0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z")) } ? name.lowercased() : String(name)
    }

    private static func unquoted(_ value: Substring) -> String {
        let bytes = value.utf8
        guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") else { return String(value) }
        return String(value.dropFirst().dropLast())
    }

    static func trimmed(_ text: Substring) -> Substring {
        let isSpace: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        let bytes = text.utf8
        if let first = bytes.first, let last = bytes.last, !isSpace(first), !isSpace(last) { return text }
        guard let first = bytes.firstIndex(where: { !isSpace($0) }), let last = bytes.lastIndex(where: { !isSpace($0) }) else {
            return text[text.endIndex...]
        }
        return text[first...last]
    }
}
