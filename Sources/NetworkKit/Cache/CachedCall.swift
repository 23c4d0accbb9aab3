internal import PlatformBase

/// One request on its way through a cache: what was decided, carried out.
struct CachedCall: Sendable {
    let cache: HTTPCache
    let request: HTTPRequest
    let directives: RequestDirectives
    let key: CacheKey
    /// Whose answers it may get; `nil` in a shared cache.
    let identity: String?
    let next: Next

    init(_ cache: HTTPCache, _ request: HTTPRequest, _ next: Next) {
        self.cache = cache
        self.request = request
        self.next = next
        directives = RequestDirectives(request)
        key = CacheKey(request.url)
        identity = cache.isShared ? nil : CacheIdentity.identity(of: request)
    }

    /// The answer.
    nonisolated(nonsending) func response() async throws(RequestError) -> HTTPResponse {
        guard request.method == .get || request.method == .head else { return try await passed(.method) }
        guard !directives.isNoStore else { return try await passed(.bypass) }
        let entries = await cache.store.entries(for: key)
        let decision = CacheDecision.decide(
            request, directives, entries: entries, identity: identity, isShared: cache.isShared, hasQuery: key.hasQuery,
            now: request.context.clock.date)
        switch decision {
        case .use(let entry, let freshness, let isRefreshing):
            let use: RequestMetrics.CacheUse = freshness.isFresh ? .hit : .stale
            guard let response = await stored(entry, freshness, as: use, CacheStatusField.hit(freshness)) else {
                return directives.isOnlyIfCached ? refusal : try await asked(.partial)
            }
            if isRefreshing { refresh(entry) }
            return response
        case .validate(let entry, let freshness, let isForced):
            guard !isForced, request.method == .get, !CacheAnswer.asksForLess(request.headers) else {
                return try await validated(entry, freshness)
            }
            return try await validatedOnce(entry, freshness)
        case .ask(let reason): return try await asked(reason)
        case .refuse: return refusal
        }
    }

    /// Sends a request on that neither takes nor leaves an answer; but what it changes on the server is forgotten here.
    private nonisolated(nonsending) func passed(_ reason: CacheDecision.Reason) async throws(RequestError) -> HTTPResponse {
        let requestTime = request.context.clock.date
        var response = try await next(directives.telling(request))
        for key in CacheInvalidation.keys(of: request, answeredBy: response.head) { await cache.remove(key) }
        if request.method == .post, !directives.isNoStore {
            return await kept(response, .method, Filling(cache, key), requestTime: requestTime)
        }
        response.metrics.cache = .miss
        response.head.headers.add(cacheStatus: CacheStatusField.forwarded(reason, status: nil, isStored: false))
        return response
    }

    /// What the server says, kept if it may be.
    private nonisolated(nonsending) func asked(_ reason: CacheDecision.Reason) async throws(RequestError) -> HTTPResponse {
        let filling = Filling(cache, key)
        let requestTime = request.context.clock.date
        let response = try await next(directives.telling(request))
        return await kept(response, reason, filling, requestTime: requestTime)
    }

    /// RFC 9111 §5.2.1.7.
    private var refusal: HTTPResponse {
        var response = HTTPResponse(head: ResponseHead(status: 504, url: request.url))
        response.head.headers.add(cacheStatus: CacheStatusField.refused)
        response.metrics.cache = .miss
        response.request = request
        return response
    }
}

extension CachedCall {
    /// What is stored, validated by the server: by this request, or by another one that is at it already.
    private nonisolated(nonsending) func validatedOnce(
        _ entry: CacheEntry, _ freshness: Freshness
    ) async throws(RequestError) -> HTTPResponse {
        let wait = CallWait<Bool>()
        guard !cache.flights.withLock({ $0.beginValidation(of: entry.id, orAwaitBy: wait) }) else {
            return try await validated(entry, freshness, Validation(cache, of: entry))
        }
        guard try await wait.value(in: request.context),
            let new = CacheSelection.entry(of: await cache.store.entries(for: key), for: request, identity: identity),
            let response = await stored(new, age(of: new), as: .revalidated, CacheStatusField.collapsed)
            // It came to nothing for others; whoever waited asks for itself then, and all at once.
        else { return try await validated(entry, freshness) }
        return response
    }

    /// What is stored, if the server says that it still holds; else what the server says.
    nonisolated(nonsending) func validated(
        _ entry: CacheEntry, _ freshness: Freshness, _ validation: Validation? = nil
    ) async throws(RequestError) -> HTTPResponse {
        // A request with a condition of its own asks about what its caller has; and there is no use in a 304 to HEAD.
        let isOurs = request.method == .get && !CacheAnswer.isConditional(request.headers)
        let sent = directives.telling(isOurs ? entry.response.validating(request) : request)
        let filling = Filling(cache, key, validation)
        let requestTime = request.context.clock.date
        var response: HTTPResponse
        do throws(RequestError) {
            response = try await next(sent)
        } catch {
            guard request.context.scope?.ending == nil, error.isServerOutOfReach, let standIn = await standIn(entry) else { throw error }
            return standIn
        }
        if response.status == 304 && isOurs {
            response.body.discard()
            let updated = entry.response.updated(
                with: response.headers, requestTime: requestTime, responseTime: request.context.clock.date, isShared: cache.isShared)
            if filling.isValid { await cache.store.update(entry, of: key, to: updated) }
            filling.end(isUpToDate: true)
            let new = CacheEntry(id: entry.id, response: updated, length: entry.length)
            let status = CacheStatusField.forwarded(.stale, status: 304, isStored: true)
            // Without its body an entry is good for nothing.
            guard var served = await stored(new, age(of: new), as: .revalidated, status) else { return try await asked(.stale) }
            for field in response.headers where field.name == .setCookie { served.head.headers.append(field) }
            response.metrics.cache = .revalidated
            served.metrics = response.metrics
            served.head.interim = response.head.interim
            return served
        }
        if response.status.isOutage, let standIn = await standIn(entry) {
            response.body.discard()
            return standIn
        }
        return await kept(response, .stale, filling, requestTime: requestTime)
    }

    /// A stale answer in place of none.
    private nonisolated(nonsending) func standIn(_ entry: CacheEntry) async -> HTTPResponse? {
        let freshness = age(of: entry)
        guard CacheDecision.mayStandIn(entry.response, freshness, directives, isShared: cache.isShared, standard: cache.standIn) else {
            return nil
        }
        return await stored(entry, freshness, as: freshness.isFresh ? .hit : .stale, CacheStatusField.hit(freshness))
    }

    func age(of entry: CacheEntry) -> Freshness {
        Freshness(of: entry.response, at: request.context.clock.date, isShared: cache.isShared, hasQuery: key.hasQuery)
    }
}
