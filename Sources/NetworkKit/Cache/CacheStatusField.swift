internal import PlatformBase

/// What the cache did, as a member of `Cache-Status` (RFC 9211).
enum CacheStatusField {
    static let name: HTTPField.Name = "Cache-Status"

    /// An answer from the store. Its time to live is negative where it is stale.
    static func hit(_ freshness: Freshness) -> String {
        let limit = Double(CacheControl.limit)
        return "NetworkKit; hit; ttl=\(Int64(max(-limit, min(limit, freshness.remaining.rounded(.down)))))"
    }

    /// A request that went on, and what its answer was stored as.
    static func forwarded(_ reason: CacheDecision.Reason, to status: HTTPStatus, isStored: Bool) -> String {
        forwarded(reason, status: reason == .stale ? status : nil, isStored: isStored)
    }

    /// A request that went on, with the status of its answer where that is to be said.
    static func forwarded(_ reason: CacheDecision.Reason, status: HTTPStatus?, isStored: Bool) -> String {
        // By far the most are so.
        if reason == .nothingStored, isStored, status == nil { return "NetworkKit; fwd=uri-miss; stored" }
        return "NetworkKit; fwd=\(reason.rawValue)" + (status.map { "; fwd-status=\($0.code)" } ?? "") + (isStored ? "; stored" : "")
    }

    /// An answer that another request for the same has brought (RFC 9211 §2.6).
    static let collapsed = "NetworkKit; fwd=stale; collapsed"

    /// Nothing usable, and nobody asked (RFC 9211 §2.8).
    static let refused = "NetworkKit; detail=only-if-cached"
}

extension HTTPFields {
    /// Says what the cache did, behind what caches nearer to the server say.
    mutating func add(cacheStatus: String) { append(HTTPField(name: CacheStatusField.name, value: cacheStatus)) }
}
