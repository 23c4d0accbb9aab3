internal import PlatformBase

/// What becomes of a request, given what is stored (RFC 9111 §4).
enum CacheDecision: Sendable {
    /// The stored answer is the answer. With `refreshing`, it is stale, and the server is asked behind the caller's back
    /// (RFC 5861 §3).
    case use(CacheEntry, Freshness, refreshing: Bool)
    /// The server is asked whether the stored answer is still good. When `isForced`, by the request itself, whatever its age.
    case validate(CacheEntry, Freshness, isForced: Bool)
    /// The server is asked.
    case ask(Reason)
    /// There is no usable answer, and the server may not be asked (RFC 9111 §5.2.1.7).
    case refuse

    /// Why the server is asked, in the words of RFC 9211 §2.2.
    enum Reason: String, Sendable {
        case bypass, method, request, stale, partial
        case nothingStored = "uri-miss"
        case noVariant = "vary-miss"
    }

    /// Decides.
    ///
    /// - Parameters:
    ///   - entries: what is stored for the request's URL.
    ///   - identity: whose request it is; `nil` in a shared cache.
    ///   - hasQuery: whether the URL has a query; then no freshness is guessed.
    static func decide(
        _ request: HTTPRequest, _ directives: RequestDirectives, entries: [CacheEntry], identity: String?, isShared: Bool, hasQuery: Bool,
        now: Date
    ) -> CacheDecision {
        guard let entry = CacheSelection.entry(of: entries, for: request, identity: identity) else {
            return directives.isOnlyIfCached ? .refuse : .ask(entries.isEmpty ? .nothingStored : .noVariant)
        }
        let freshness = Freshness(of: entry.response, at: now, isShared: isShared, hasQuery: hasQuery)
        switch use(of: entry.response, freshness, directives, isShared: isShared) {
        case .now: return .use(entry, freshness, refreshing: false)
        case .whileRefreshing: return .use(entry, freshness, refreshing: !directives.isOnlyIfCached)
        case .afterValidation(let isForced): return directives.isOnlyIfCached ? .refuse : .validate(entry, freshness, isForced: isForced)
        case .never: return directives.isOnlyIfCached ? .refuse : .ask(.request)
        }
    }

    /// Whether a stored answer may stand in for one that couldn't be had from the server (RFC 5861 §4).
    static func mayStandIn(
        _ response: StoredResponse, _ freshness: Freshness, _ directives: RequestDirectives, isShared: Bool, standard: Double
    ) -> Bool {
        let asked = directives.control
        guard directives.policy == .protocol, !asked.isNoCache, !response.forbidsStale(isShared: isShared) else { return false }
        // Whoever wants no old answer wants none now, unless it says so.
        if asked.staleIfError == nil, asked.maxAge != nil || asked.minFresh != nil { return false }
        let window = asked.staleIfError ?? response.facts.control.staleIfError
        return -freshness.remaining <= (window.map(Double.init) ?? standard)
    }

    private enum Use {
        case now, whileRefreshing
        case afterValidation(isForced: Bool)
        case never
    }

    private static func use(
        of response: StoredResponse, _ freshness: Freshness, _ directives: RequestDirectives, isShared: Bool
    ) -> Use {
        switch directives.policy {
        case .preferCache, .cacheOnly: return .now
        case .reload, .noStore: return .never
        case .revalidate:
            // RFC 8246: what never changes needn't be asked for while it is fresh.
            let isSure = response.facts.control.isImmutable && freshness.isFresh && !response.facts.control.isNoCache
            return isSure ? .now : .afterValidation(isForced: true)
        case .protocol: break
        }
        let asked = directives.control
        if asked.isNoCache { return .afterValidation(isForced: true) }
        if let oldest = asked.maxAge, oldest == 0 || freshness.age > Double(oldest) { return .afterValidation(isForced: true) }
        if let rest = asked.minFresh, freshness.remaining < Double(rest) { return .afterValidation(isForced: true) }
        if response.facts.control.isNoCache { return .afterValidation(isForced: false) }
        if freshness.isFresh { return .now }
        guard !response.forbidsStale(isShared: isShared) else { return .afterValidation(isForced: false) }
        let staleness = -freshness.remaining
        if let most = asked.maxStale, staleness <= Double(most) { return .now }
        if let window = response.facts.control.staleWhileRevalidate, staleness <= Double(window) { return .whileRefreshing }
        return .afterValidation(isForced: false)
    }
}

extension StoredResponse {
    /// Whether the server has said that it is never to be used when it is stale (RFC 9111 §4.2.4).
    fileprivate func forbidsStale(isShared: Bool) -> Bool {
        let control = facts.control
        return control.mustRevalidate || control.isNoCache
            || (isShared && (control.proxyRevalidate || control.sharedMaxAge != nil))
    }

    /// A request that asks the server whether this answer is still good (RFC 9111 §4.3.1).
    func validating(_ request: HTTPRequest) -> HTTPRequest {
        let tag = headers[.eTag]
        let date = headers[.lastModified]
        guard tag != nil || date != nil else { return request }
        var request = request
        request.headers[.ifNoneMatch] = tag
        request.headers[.ifModifiedSince] = date
        return request
    }

    /// Whether a 304 is about this answer: the request named it, and the tag that the 304 may have is its own (RFC 9111 §4.3.4).
    ///
    /// - Parameters:
    ///   - newer: the fields of the 304.
    ///   - sent: those of its request.
    func isConfirmed(by newer: HTTPFields, to sent: HTTPFields) -> Bool {
        let own = headers[.eTag]
        // A weak one that this answer never had says no more than the date that was asked by.
        if let tag = newer[.eTag], !EntityTag.isSame(tag, own), own != nil || !EntityTag.isWeak(tag) { return false }
        if let asked = sent[.ifNoneMatch] { return EntityTag.isSame(asked, own) }
        return sent.contains(.ifModifiedSince) && sent[.ifModifiedSince] == headers[.lastModified]
    }

    /// This answer, validated by a newer one without a body (RFC 9111 §4.3.4).
    func updated(with newer: HTTPFields, requestTime: Date, responseTime: Date, isShared: Bool) -> StoredResponse {
        var headers = StoredHeaders.updated(headers, with: newer, isShared: isShared)
        // RFC 9110 §6.6.1.
        if !headers.contains(.date) { headers[.date] = HTTPDate.text(responseTime) }
        return StoredResponse(variant: variant, status: status, headers: headers, requestTime: requestTime, responseTime: responseTime)
    }
}
