public import PlatformBase

/// The cookies of one user: what servers ask to have sent back, and to whom (RFC 6265bis).
///
/// ```swift
/// let jar = CookieJar(file: support.appending(path: "cookies.json")) { error in log.warning("\(error)") }
/// let session = HTTPSession(interceptors: [.logging(), .cookies(jar), .retry()])
/// …
/// jar.removeAll()          // the user signs out
/// try await jar.save()     // before the program ends
/// ```
///
/// Jars are shared by reference: two sessions with one jar are one user. A jar without a file lives as long as it is referred to.
///
/// **What is stored.** A cookie goes to the host that sent it, or to all hosts below its `Domain`, below its `Path`; over https alone when
/// it is `Secure`. Refused, see ``Cookie/Refusal``, are: domains that the sender doesn't belong to, of one label (`com`), or an IP address
/// (but a host may name itself, `localhost` for instance, and the cookie stays there); `Secure` ones that came over http, and those from
/// http that would hide a `Secure` one; names that begin with `__Secure-` or `__Host-` and aren't what that promises; control characters;
/// more than 4096 bytes of name and value; of one answer, what comes behind 500 others. Attributes of more than 1024 bytes are passed over.
/// No cookie lives longer than 400 days.
/// A domain holds 50 cookies and the jar 3,000: then what has ended goes first, then what isn't `Secure`, then what was sent the longest
/// time ago.
///
/// **Public suffixes.** The library has no list of them: that `co.uk` belongs to everybody it doesn't know, unless `isPublicSuffix` tells.
/// A program that talks to servers it trusts needs none.
///
/// **Not a browser.** `SameSite` and `HttpOnly` are kept and have no effect: every request is the program's own, as one is that a person
/// types into a browser, and there are no scripts.
///
/// **The file.** JSON, readable by its owner alone (0600), written beside itself and renamed, on the library's threads for files. It is read
/// once, before the first request or by ``load(at:)``; and saved by itself after each change of what it holds: one save at a time, which
/// takes along what has changed meanwhile. Such a save may outlive the call that caused it; ``save()`` waits for it. Session cookies aren't
/// in it unless `keepsSessionCookies` says so. A file that a jar didn't write, or that was cut, is renamed to `….damaged` and reported, and
/// the jar begins empty; one that can't be read is reported and left alone: nothing is saved until it can be read. Two processes must not
/// share a file: the one that saves last wins.
public final class CookieJar: Sendable {
    // Read and saved in CookieSaving.swift.
    let state: Lock<State>
    private let parser: SetCookieParser
    let file: CookieFile?
    let lane = FileLane()
    private let isToBeRead: Atomic<Bool>
    let keepsSessionCookies: Bool
    let onError: @Sendable (RequestError) -> Void

    /// A jar in memory.
    ///
    /// - Parameter isPublicSuffix: whether a domain, in lower case and ASCII, is one below which hosts belong to different owners, such as
    ///   `co.uk`. Domains of one label always are.
    public convenience init(isPublicSuffix: (@Sendable (String) -> Bool)? = nil) {
        self.init(nil, keepsSessionCookies: false, isPublicSuffix, onError: { _ in })
    }

    /// A jar with a file. Nothing is read yet.
    ///
    /// - Parameters:
    ///   - file: where it is kept. Its folder must be there.
    ///   - keepsSessionCookies: whether cookies without a date are kept as well, so that a session outlives the program.
    ///   - onError: hears of each reading and saving that failed and that nobody waited for, with ``RequestError/file(_:)``. It is called on
    ///     a thread for files, and must not wait.
    ///   - isPublicSuffix: see ``init(isPublicSuffix:)``.
    public convenience init(
        file: URL, keepsSessionCookies: Bool = false, onError: @escaping @Sendable (RequestError) -> Void = { _ in },
        isPublicSuffix: (@Sendable (String) -> Bool)? = nil
    ) {
        self.init(CookieFile(url: file), keepsSessionCookies: keepsSessionCookies, isPublicSuffix, onError: onError)
    }

    private init(
        _ file: CookieFile?, keepsSessionCookies: Bool, _ isPublicSuffix: (@Sendable (String) -> Bool)?,
        onError: @escaping @Sendable (RequestError) -> Void
    ) {
        self.file = file
        self.keepsSessionCookies = keepsSessionCookies
        self.onError = onError
        parser = SetCookieParser(rules: CookieRules(isPublicSuffix: isPublicSuffix))
        state = Lock(State(hasFile: file != nil))
        isToBeRead = Atomic(file != nil)
    }
}

extension CookieJar {
    /// All cookies, the oldest first. Of a jar with a file, those in it only once it has been read. One that has ended may be among them
    /// until it is in the way.
    public var all: [Cookie] { state.withLock(\.store.all) }

    /// The cookies that a request for a URL is sent with, in their order: longer paths first, then older ones.
    ///
    /// - Parameter now: the date by which cookies end.
    public func cookies(for url: URL, at now: Date = Date()) -> [Cookie] {
        CookiePlace(url).map { cookies(for: $0, at: now) } ?? []
    }

    /// Stores the cookies of an answer's fields: each `Set-Cookie` field is one.
    ///
    /// - Parameters:
    ///   - fields: all fields of the answer, or those alone.
    ///   - url: what was asked.
    ///   - now: the date from which `Max-Age` counts.
    /// - Returns: why some weren't stored, in their order.
    @discardableResult
    public func store(_ fields: HTTPFields, from url: URL, at now: Date = Date()) -> [Cookie.Refusal] {
        let texts = fields[values: .setCookie]
        guard !texts.isEmpty, let place = CookiePlace(url) else { return [] }
        return store(texts, from: place, at: now)
    }

    /// Stores cookies made by hand, or of another jar, as if a server had sent them: the same rules hold.
    ///
    /// - Parameters:
    ///   - url: the URL whose server might have sent them.
    ///   - now: the date from which 400 days are counted.
    /// - Returns: why some weren't stored, in their order.
    @discardableResult
    public func store(_ cookies: [Cookie], from url: URL, at now: Date = Date()) -> [Cookie.Refusal] {
        guard let place = CookiePlace(url) else { return [] }
        let judged = cookies.map { cookie -> Result<Cookie, Cookie.Refusal> in
            var cookie = cookie
            if let refusal = parser.rules.refusal(of: &cookie, from: place) { return .failure(refusal) }
            if cookie.created == .distantPast { cookie.created = now }
            cookie.lastAccess = now
            return .success(cookie)
        }
        return put(judged, from: place, at: now)
    }

    /// Removes all cookies; of a jar with a file, those in it too.
    public func removeAll() { remove { _ in true } }

    /// Removes the cookies that fit; of a jar with a file, those in it too.
    ///
    /// - Parameter fits: called while the jar is locked: it must not use the jar.
    public func remove(where fits: @escaping @Sendable (Cookie) -> Bool) {
        change(removing: fits) { $0.remove(where: fits) }
    }

    /// Reads the file now, if that hasn't been done; otherwise it is read before the first request.
    ///
    /// - Parameter now: the date by which cookies have ended. Those aren't taken over.
    /// - Throws: ``RequestError/file(_:)``. When the file was damaged, it has been renamed and the jar can be used; when it can't be read,
    ///   the jar works in memory, and another call tries again.
    public func load(at now: Date = Date()) async throws(RequestError) {
        try await lane.run { () throws(RequestError) in try self.readNow(at: now) }
    }

    /// Writes the file now, and waits until that is done; what was stored before is then in it.
    ///
    /// - Throws: ``RequestError/file(_:)``. The old file is left as it was, also when it can't be read. When it turned out to be damaged, it
    ///   has been renamed, and a new one is there.
    public func save() async throws(RequestError) {
        try await lane.run { () throws(RequestError) in try self.saveNow() }
    }
}

// For the interceptor.
extension CookieJar {
    /// Reads the file before the first request. What fails is reported, and the request goes on without.
    nonisolated(nonsending) func prepare(for context: CallContext) async throws(RequestError) {
        guard isToBeRead.load(ordering: .acquiring) else { return }
        let wait = CallWait<Void>()
        let now = context.clock.date
        lane.add {
            if self.isToBeRead.load(ordering: .acquiring) {
                self.reporting { () throws(RequestError) in try self.readNow(at: now) }
                self.isToBeRead.store(false, ordering: .releasing)
            }
            _ = wait.give(.success(()))
        }
        try await wait.value(in: context)
    }

    func cookies(for place: CookiePlace, at now: @autoclosure () -> Date) -> [Cookie] {
        state.withLock { $0.store.cookies(for: place, now: now) }
    }

    /// The cookies that would be sent, without noting that they were.
    func preview(for place: CookiePlace, at now: Date) -> [Cookie] {
        var store = state.withLock(\.store)
        return store.cookies(for: place) { now }
    }

    @discardableResult
    func store(_ texts: [String], from place: CookiePlace, at now: Date) -> [Cookie.Refusal] {
        let read = texts.prefix(CookieRules.answerLimit).map { parser.cookie($0, from: place, now: now) }
        return put(read, from: place, at: now) + texts.dropFirst(CookieRules.answerLimit).map { _ in .tooMany }
    }

    private func put(_ cookies: [Result<Cookie, Cookie.Refusal>], from place: CookiePlace, at now: Date) -> [Cookie.Refusal] {
        change { $0.insert(cookies, isFromSecure: place.isSecure, now: now) }
    }
}

extension CookieJar: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// How many there are, and nothing of what they are.
    public var description: String { "\(state.withLock(\.store.count)) cookies" }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// What `dump` sees: the description.
    public var customMirror: Mirror { Mirror(self, children: ["jar": description]) }
}
