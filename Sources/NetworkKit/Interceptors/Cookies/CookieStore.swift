internal import PlatformBase

/// The cookies of a jar: what is kept, what goes, and which belong to a request (RFC 6265bis §5.7 and §5.8). A value; the date is given.
struct CookieStore: Sendable {
    /// The most cookies of one domain. The least that the RFC asks for, and enough for any server that is well.
    static let domainLimit = 50
    /// The most cookies in all.
    static let limit = 3000

    /// A cookie, and its place in the order in which they came, for those of the same date.
    private struct Entry {
        var cookie: Cookie
        let number: Int
    }

    // By domain, so that a request asks about its host and those above it only.
    private var domains: [String: [Entry]] = [:]
    private(set) var count = 0
    private var lastNumber = 0

    /// How often a cookie came or went, and how often one that has a date did: what is kept in a file has changed with it.
    private(set) var changes = (ofAny: 0, ofDated: 0)

    /// What servers have ended that may be in a file which hasn't been read; `nil` where there is none.
    var endings: CookieEndings?

    /// All cookies, the oldest first.
    var all: [Cookie] { domains.values.joined().sorted { $0.number < $1.number }.map(\.cookie) }

    /// Puts a cookie in, in the place of one with the same name, domain and path, and makes room for it. One that has ended already
    /// only removes what is in its place.
    ///
    /// - Parameter isFromSecure: whether it came over https. One that didn't takes no place of a `Secure` one.
    /// - Returns: why it wasn't stored.
    @discardableResult
    mutating func insert(_ cookie: Cookie, isFromSecure: Bool, now: Date) -> Cookie.Refusal? {
        insert([.success(cookie)], isFromSecure: isFromSecure, now: now).first
    }

    /// Puts several in, and makes room once, behind them all: a full store is looked through once for each answer, however many it sets.
    ///
    /// - Parameter cookies: the cookies, and why some are none.
    /// - Returns: why some weren't stored, in their order.
    @discardableResult
    mutating func insert(_ cookies: [Result<Cookie, Cookie.Refusal>], isFromSecure: Bool, now: Date) -> [Cookie.Refusal] {
        // Over http none comes that is `Secure`, so those that are there can be looked up in what they were at the beginning.
        let secure = isFromSecure ? [:] : Dictionary(grouping: secureCookies(at: now)) { $0.name }
        let refusals = cookies.compactMap { cookie -> Cookie.Refusal? in
            switch cookie {
            case .failure(let refusal): return refusal
            case .success(let cookie):
                if !cookie.isSecure, let others = secure[cookie.name], others.contains(where: { hides(cookie, $0) }) { return .hidesSecure }
                put(cookie, isFromSecure: isFromSecure, now: now)
                return nil
            }
        }
        if count > Self.limit { makeRoom(now: now) }
        return refusals
    }

    private mutating func put(_ cookie: Cookie, isFromSecure: Bool, now: Date) {
        var cookie = cookie
        cookie.expires = cookie.expires.map { CookieRules.bounded($0, now: now) }
        var entries = domains[cookie.domain] ?? []
        entries.removeAll { drops($0.cookie, if: $0.cookie.isExpired(at: now)) }
        var number = lastNumber + 1
        let place = entries.firstIndex {
            $0.cookie.name == cookie.name && $0.cookie.path == cookie.path && $0.cookie.isHostOnly == cookie.isHostOnly
        }
        if let place {
            let old = entries.remove(at: place)
            noteChange(of: old.cookie, by: -1)
            cookie.created = old.cookie.created
            number = old.number
        }
        if cookie.isExpired(at: now) {
            if endings?.note(cookie, isFromSecure: isFromSecure) == true { changes = (changes.ofAny + 1, changes.ofDated + 1) }
        } else {
            lastNumber = max(lastNumber, number)
            entries.append(Entry(cookie: cookie, number: number))
            noteChange(of: cookie, by: 1)
        }
        if entries.count > Self.domainLimit { makeRoom(in: &entries) }
        set(entries, for: cookie.domain)
    }

    /// The cookies for a request, in the order in which they are sent: longer paths first, then older ones.
    mutating func cookies(for place: CookiePlace, now: () -> Date) -> [Cookie] {
        guard count > 0 else { return [] }
        var found: [Entry] = []
        collect(place.host, isHost: true, for: place, now, &found)
        if !CookieScope.isAddress(place.host[...]) {
            var rest = place.host[...].utf8
            while let dot = rest.firstIndex(of: UInt8(ascii: ".")) {
                rest = rest[dot...].dropFirst()
                // No cookie goes to all hosts below one label.
                guard rest.contains(UInt8(ascii: ".")) else { break }
                collect(String(Substring(rest)), isHost: false, for: place, now, &found)
            }
        }
        guard found.count > 1 else { return found.map(\.cookie) }
        found.sort { left, right in
            let (leftLength, rightLength) = (left.cookie.path.utf8.count, right.cookie.path.utf8.count)
            return leftLength != rightLength ? leftLength > rightLength : left.number < right.number
        }
        return found.map(\.cookie)
    }

    private mutating func collect(
        _ domain: String, isHost: Bool, for place: CookiePlace, _ now: () -> Date, _ found: inout [Entry]
    ) {
        guard let bucket = domains.index(forKey: domain) else { return }
        let now = now()
        let path = place.path
        var hasEnded = false
        // In place: a domain may have many, and a request changes nothing but dates.
        for index in domains.values[bucket].indices {
            guard !domains.values[bucket][index].cookie.isExpired(at: now) else {
                hasEnded = true
                continue
            }
            guard domains.values[bucket][index].cookie.isFor(path, isHost: isHost, isSecure: place.isSecure) else { continue }
            domains.values[bucket][index].cookie.lastAccess = now
            found.append(domains.values[bucket][index])
        }
        guard hasEnded, var entries = domains[domain] else { return }
        entries.removeAll { drops($0.cookie, if: $0.cookie.isExpired(at: now)) }
        set(entries, for: domain)
    }

    /// Removes those that fit.
    mutating func remove(where fits: (Cookie) -> Bool) {
        for (domain, var entries) in domains where entries.contains(where: { fits($0.cookie) }) {
            entries.removeAll { drops($0.cookie, if: fits($0.cookie)) }
            set(entries, for: domain)
        }
    }

    private mutating func drops(_ cookie: Cookie, if fits: Bool) -> Bool {
        if fits { noteChange(of: cookie, by: -1) }
        return fits
    }

    private mutating func noteChange(of cookie: Cookie, by difference: Int) {
        count += difference
        changes.ofAny += 1
        if cookie.expires != nil { changes.ofDated += 1 }
    }

    private mutating func set(_ entries: [Entry], for domain: String) {
        domains[domain] = entries.isEmpty ? nil : entries
    }

    private func secureCookies(at now: Date) -> [Cookie] {
        domains.values.joined().lazy.map(\.cookie).filter { $0.isSecure && !$0.isExpired(at: now) }
    }

    /// Whether a cookie that came over http would be sent in front of, or instead of, a `Secure` one of its name (RFC 6265bis §5.7,
    /// "Leave Secure Cookies Alone").
    private func hides(_ cookie: Cookie, _ secure: Cookie) -> Bool {
        CookieScope.path(secure.path, includes: cookie.path)
            && (CookieScope.domain(secure.domain, includes: cookie.domain) || CookieScope.domain(cookie.domain, includes: secure.domain))
    }

    /// Brings a domain down to its limit, once what has ended has gone: what isn't `Secure` goes first, then the rest; among equals the one
    /// that was sent the longest time ago.
    private mutating func makeRoom(in entries: inout [Entry]) {
        while entries.count > Self.domainLimit, let index = entries.indices.min(by: { rank(entries[$0]) < rank(entries[$1]) }) {
            noteChange(of: entries.remove(at: index).cookie, by: -1)
        }
    }

    private func rank(_ entry: Entry) -> (Int, Date, Int) { (entry.cookie.isSecure ? 1 : 0, entry.cookie.lastAccess, entry.number) }

    /// Brings all down to the limit: what has ended goes first, all of it; then those that were sent the longest time ago.
    private mutating func makeRoom(now: Date) {
        remove { $0.isExpired(at: now) }
        guard count > Self.limit else { return }
        let oldest = domains.values.joined().sorted { age($0) < age($1) }.prefix(count - Self.limit)
        for (domain, gone) in Dictionary(grouping: oldest, by: \.cookie.domain) {
            let numbers = Set(gone.map(\.number))
            var entries = domains[domain] ?? []
            entries.removeAll { drops($0.cookie, if: numbers.contains($0.number)) }
            set(entries, for: domain)
        }
    }

    private func age(_ entry: Entry) -> (Date, Int) { (entry.cookie.lastAccess, entry.number) }
}

extension Cookie {
    /// Whether it is sent with a request for a path of its domain, or of a host below it.
    fileprivate func isFor(_ path: String, isHost: Bool, isSecure isSafe: Bool) -> Bool {
        (isHost || !isHostOnly) && (isSafe || !isSecure) && CookieScope.path(self.path, includes: path)
    }
}
