internal import PlatformBase

extension CachedCall {
    /// Asks the server for a stale answer anew, after its caller has been given the old one (RFC 5861 §3). One an entry; nobody waits
    /// for it but those for whom the old one has become too old meanwhile.
    ///
    /// It is the one thing here that outlives its call: it has a context of its own, whose deadline is the standard one.
    func refresh(_ entry: CacheEntry) {
        guard cache.flights.withLock({ $0.beginValidation(of: entry.id) }) else { return }
        let validation = Validation(cache, of: entry)
        let call = CachedCall(cache, refreshing, next)
        Task { await call.refreshed(entry, validation) }
    }

    /// The same request as a call of its own, which asks for the whole answer, whatever its caller has or wants of it.
    private var refreshing: HTTPRequest {
        var request = request
        let old = request.context
        var context = CallContext(callClock: old.clock)
        context.homeOrigin = old.homeOrigin
        context.identity = old.identity
        context.secrets = old.secrets
        context.endpoint = old.endpoint
        context.delivery = .value
        context.scope = CallScope()
        context.deadline = old.clock.now + RequestOptions.Standard.deadline
        request.context = context
        if CacheAnswer.asksForLess(request.headers) {
            request.headers.removeAll { $0.name == .range || CacheAnswer.isCondition($0.name) }
        }
        request.options.deadline = RequestOptions.Standard.deadline
        return request
    }

    private func refreshed(_ entry: CacheEntry, _ validation: Validation) async {
        let context = request.context
        let timer = Task { [clock = context.clock, deadline = context.deadline, scope = context.scope] in
            guard let deadline, (try? await clock.sleep(until: deadline)) != nil else { return }
            scope?.end(.timedOut(.init(reason: "the refresh was not over by its deadline")))
        }
        defer { timer.cancel() }
        do throws(RequestError) {
            let response = try await validated(entry, .stale, validation)
            // What it reads, it stores.
            for try await _ in response.body {}
        } catch {
            // The old answer stays, for as long as it may.
            validation.end(.notStored)
        }
    }
}
