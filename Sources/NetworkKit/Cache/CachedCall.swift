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
        guard Self.isAnswerable(request, directives) else {
            guard !directives.isOnlyIfCached else { return refusal }
            return try await passed(Self.isRead(request) ? .bypass : .method)
        }
        let entries = await cache.store.entries(for: key)
        let decision = CacheDecision.decide(
            request, directives, entries: entries, identity: identity, isShared: cache.isShared, hasQuery: key.hasQuery,
            now: request.context.clock.date)
        switch decision {
        case .use(let entry, let freshness, let isRefreshing):
            let use: RequestMetrics.CacheUse = freshness.isFresh ? .hit : .stale
            guard let response = await stored(entry, freshness, as: use, CacheStatusField.hit(freshness)) else {
                return directives.isOnlyIfCached ? refusal : try await asked(.partial, Filling(cache, key))
            }
            // A refresh might outlive the work, and be sent with the credential then.
            if isRefreshing, !request.isCredentialWork { refresh(entry) }
            return response
        case .validate(let entry, let freshness, let isForced):
            guard !isForced, request.method == .get, !CacheAnswer.asksForLess(request.headers) else {
                return try await validated(entry, isForced && freshness.isFresh ? .request : .stale)
            }
            return try await validatedOnce(entry)
        case .ask(let reason): return try await asked(reason, Filling(cache, key))
        case .refuse: return refusal
        }
    }

    /// Whether a request may be answered from the store. A body may say what is asked for, and is no part of what answers are found by.
    static func isAnswerable(_ request: HTTPRequest, _ directives: RequestDirectives) -> Bool {
        isRead(request) && request.body == nil && !directives.isNoStore
    }

    private static func isRead(_ request: HTTPRequest) -> Bool { request.method == .get || request.method == .head }

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
    private nonisolated(nonsending) func asked(
        _ reason: CacheDecision.Reason, _ filling: Filling
    ) async throws(RequestError) -> HTTPResponse {
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
    private nonisolated(nonsending) func validatedOnce(_ entry: CacheEntry) async throws(RequestError) -> HTTPResponse {
        // That other one may wait for the credential that this one is sent for.
        guard !request.isCredentialWork else { return try await validated(entry, .stale) }
        let wait = CallWait<ValidationEnd>()
        guard !cache.flights.withLock({ $0.beginValidation(of: entry.id, orAwaitBy: wait) }) else {
            return try await validated(entry, .stale, Validation(cache, of: entry))
        }
        switch try await wait.value(in: request.context) {
        case .upToDate:
            if let new = CacheSelection.entry(of: await cache.store.entries(for: key), for: request, identity: identity),
                let response = await stored(new, age(of: new), as: .revalidated, CacheStatusField.collapsed)
            {
                return response
            }
        case .outage: if let standIn = await standIn(entry) { return standIn }
        // One of those who waited asks then for all the others, which may have been done by now.
        case .abandoned: return try await response()
        case .notStored: break
        }
        // It came to nothing for others; whoever waited asks for itself then, and all at once.
        return try await validated(entry, .stale)
    }

    /// What is stored, if the server says that it still holds; else what the server says.
    ///
    /// - Parameter reason: why it is asked: what is stored is stale, or the request wants it to be asked all the same.
    nonisolated(nonsending) func validated(
        _ entry: CacheEntry, _ reason: CacheDecision.Reason, _ validation: Validation? = nil
    ) async throws(RequestError) -> HTTPResponse {
        // A request with a condition of its own asks about what its caller has; and there is no use in a 304 to HEAD.
        let isOurs = request.method == .get && !CacheAnswer.isConditional(request.headers)
        let sent = directives.telling(isOurs ? entry.response.validating(request) : request)
        let filling = Filling(cache, key, validation)
        let requestTime = request.context.clock.date
        let response: HTTPResponse
        do throws(RequestError) {
            response = try await next(sent)
        } catch {
            guard request.context.scope?.ending == nil, !Task.isCancelled else {
                filling.end(.abandoned)
                throw error
            }
            guard error.isServerOutOfReach else { throw error }
            filling.end(.outage)
            guard let standIn = await standIn(entry) else { throw error }
            return standIn
        }
        if response.status == 304 {
            let isConfirmed = entry.response.isConfirmed(by: response.headers, to: sent.headers)
            if isOurs {
                response.body.discard()
                if isConfirmed, let served = await confirmed(entry, by: response, reason, filling, requestTime: requestTime) {
                    return served
                }
                // The server means another answer, or there is no body to go with this one.
                await cache.store.remove(entry, of: key)
                // What has changed meanwhile has changed before this is asked.
                return try await asked(reason, filling.isValid ? filling : Filling(cache, key))
            }
            // What the caller has is what is stored, too.
            if isConfirmed, filling.isValid { await renew(entry, with: response.headers, requestTime: requestTime) }
        }
        if response.status.isOutage {
            filling.letOthersGo(.outage)
            if let standIn = await standIn(entry) {
                response.body.discard()
                return standIn
            }
        }
        return await kept(response, reason, filling, requestTime: requestTime)
    }

    /// What is stored, after a 304 that is about it; `nil` when its body is gone.
    private nonisolated(nonsending) func confirmed(
        _ entry: CacheEntry, by answer: HTTPResponse, _ reason: CacheDecision.Reason, _ filling: Filling, requestTime: Date
    ) async -> HTTPResponse? {
        let (new, mayStay) = renewed(entry, with: answer.headers, requestTime: requestTime)
        let isKept = mayStay && filling.isValid
        if isKept { await cache.store.update(entry, of: key, to: new.response) }
        let status = CacheStatusField.forwarded(reason, status: 304, isStored: isKept)
        guard var served = await stored(new, age(of: new), as: .revalidated, status) else { return nil }
        // This caller asked before the server said so.
        if !mayStay { await cache.store.remove(entry, of: key) }
        filling.end(isKept ? .upToDate : .notStored)
        for field in answer.headers where field.name == .setCookie { served.head.headers.append(field) }
        served.metrics = answer.metrics
        served.metrics.cache = .revalidated
        served.head.interim = answer.head.interim
        return served
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
