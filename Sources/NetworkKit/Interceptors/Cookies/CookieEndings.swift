internal import PlatformBase

/// Cookies that servers have ended while a jar's file wasn't read: they may be in it, and must not come back from there.
struct CookieEndings: Sendable {
    private struct Place: Hashable {
        let name, domain, path: String
        let isHostOnly, isFromSecure: Bool
    }

    private var cookies: [Place: Cookie] = [:]

    /// Notes one that has ended. No more than a jar holds.
    ///
    /// - Returns: whether it wasn't noted before.
    mutating func note(_ cookie: Cookie, isFromSecure: Bool) -> Bool {
        let place = Place(
            name: cookie.name, domain: cookie.domain, path: cookie.path, isHostOnly: cookie.isHostOnly, isFromSecure: isFromSecure)
        guard cookies.count < CookieStore.limit, cookies[place] == nil else { return false }
        var cookie = cookie
        // Whatever date the file is read by.
        cookie.expires = .distantPast
        cookies[place] = cookie
        return true
    }

    /// Ends them in a store of what was in the file, as far as the store's rules let them.
    func apply(to store: inout CookieStore, now: Date) {
        for isFromSecure in [true, false] {
            let ended = cookies.filter { $0.key.isFromSecure == isFromSecure }.values
            store.insert(ended.map { .success($0) }, isFromSecure: isFromSecure, now: now)
        }
    }
}
