internal import PlatformBase

// When a jar's file is read and written. All of it is done on the jar's lane, one job after the other, so that no two of them meet.
extension CookieJar {
    /// What a jar holds.
    struct State {
        var store = CookieStore()
        /// Whether the file's cookies are among them.
        var isRead: Bool
        /// What was removed before the file was read, and is to be removed from it.
        var removals: [@Sendable (Cookie) -> Bool] = []
        /// Whether a save has been asked for that hasn't begun.
        var isSaveDue = false

        init(hasFile: Bool) {
            isRead = !hasFile
            store.endings = hasFile ? CookieEndings() : nil
        }
    }
}

extension CookieJar {
    /// Changes the cookies, and has them saved when that changed what is in the file.
    func change<Result: Sendable>(
        removing fits: (@Sendable (Cookie) -> Bool)? = nil, _ work: (inout CookieStore) -> Result
    ) -> Result {
        let (result, saves) = state.withLock { state -> (Result, Bool) in
            let before = state.store.changes
            let result = work(&state.store)
            guard file != nil else { return (result, false) }
            let after = state.store.changes
            var isChanged = keepsSessionCookies ? after.ofAny != before.ofAny : after.ofDated != before.ofDated
            if let fits, !state.isRead {
                state.removals.append(fits)
                isChanged = true
            }
            guard isChanged, !state.isSaveDue else { return (result, false) }
            state.isSaveDue = true
            return (result, true)
        }
        if saves { lane.add { self.reporting { () throws(RequestError) in try self.saveNow() } } }
        return result
    }

    /// Reads the file if that hasn't been done, and writes it. On the lane.
    func saveNow() throws(RequestError) {
        guard let file else { return }
        var damage: RequestError?
        do throws(RequestError) {
            try readNow(at: nil)
        } catch {
            state.withLock { $0.isSaveDue = false }
            // A damaged file is out of the way by now; one that can't be read is still there, and must not be written over.
            guard state.withLock(\.isRead) else { throw error }
            damage = error
        }
        let cookies = state.withLock { state in
            // From here on a change needs a save of its own.
            state.isSaveDue = false
            return state.store.all
        }
        try file.write(keepsSessionCookies ? cookies : cookies.filter { $0.expires != nil })
        if let damage { throw damage }
    }

    /// Reads the file if that hasn't been done. On the lane.
    func readNow(at now: Date?) throws(RequestError) {
        guard let file, !state.withLock(\.isRead) else { return }
        switch try file.read() {
        case .none: merge([], at: now)
        case .cookies(let cookies): merge(cookies, at: now)
        case .damaged(let reason):
            let name = try file.setAside()
            merge([], at: now)
            throw .file(
                .init(
                    .init(path: file.path),
                    reason:
                        "the cookies in \(Token.quoted(file.path)) are damaged: \(reason). The file is now \(Token.quoted(name, limit: 1000))"
                ))
        }
    }

    /// Puts the file's cookies below those that came meanwhile.
    private func merge(_ cookies: [Cookie], at now: Date?) {
        state.withLock { state in
            let now = now ?? (state.store.all + cookies).map(\.lastAccess).max() ?? Date()
            let newer = state.store.all
            let endings = state.store.endings
            state.store.endings = nil
            state.store.remove { _ in true }
            let kept = cookies.filter { cookie in !state.removals.contains { $0(cookie) } }
            state.store.insert(kept.map { .success($0) }, isFromSecure: true, now: now)
            endings?.apply(to: &state.store, now: now)
            state.store.insert(newer.map { .success($0) }, isFromSecure: true, now: now)
            state.isRead = true
            state.removals = []
        }
    }

    /// Does what nobody waits for, and tells what fails.
    func reporting(_ work: () throws(RequestError) -> Void) {
        do throws(RequestError) { try work() } catch { onError(error) }
    }
}
