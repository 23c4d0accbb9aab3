internal import PlatformBase

/// Whether an answer may be stored, and what of it is kept (RFC 9111 §3).
enum StorageDecision {
    /// The answer as it is to be kept, or `nil` when it isn't.
    static func stored(
        _ head: ResponseHead, to request: HTTPRequest, directives: RequestDirectives, identity: String?, isShared: Bool,
        requestTime: Date, responseTime: Date
    ) -> StoredResponse? {
        let control = CacheControl(head.headers[values: .cacheControl])
        guard !directives.isNoStore, mayStore(head, control: control, request: request, isShared: isShared),
            let variant = CacheVariant(of: request, vary: head.headers[values: .vary], identity: identity)
        else { return nil }
        return StoredResponse(
            variant: variant, status: head.status, headers: StoredHeaders.kept(head.headers, control: control, isShared: isShared),
            requestTime: requestTime, responseTime: responseTime)
    }

    private static func mayStore(_ head: ResponseHead, control: CacheControl, request: HTTPRequest, isShared: Bool) -> Bool {
        let status = head.status
        // Partial content isn't put together; a 304 is about another answer.
        guard status.code >= 200, status != 206, status != 304 else { return false }
        if control.mustUnderstand {
            guard status.reasonPhrase != nil else { return false }
        } else if control.isNoStore {
            return false
        }
        if isShared {
            let hasCredentials = CacheIdentity.identity(of: request) != nil
            guard !control.isPrivate, !hasCredentials || control.letsOthersSee else { return false }
        }
        let isDated = head.headers.contains(.expires) || control.maxAge != nil || (isShared && control.sharedMaxAge != nil)
        switch request.method {
        case .get: return isDated || control.isPublic || (!isShared && control.isPrivate) || status.isHeuristicallyCacheable
        case .post: return isDated && status.isSuccess && saysItIsTheResource(head, request.url)
        default: return false
        }
    }

    /// Whether the answer to a POST is what a GET of its URL would give (RFC 9110 §9.3.3).
    private static func saysItIsTheResource(_ head: ResponseHead, _ url: URL) -> Bool {
        guard let location = head.headers[.contentLocation] else { return false }
        let base = url.absoluteString
        return CacheKey(URIReference(location).resolved(against: URIReference(base)).text) == CacheKey(base)
    }
}

extension CacheControl {
    /// Whether a shared cache may store the answer to a request with credentials (RFC 9111 §3.5).
    fileprivate var letsOthersSee: Bool { isPublic || mustRevalidate || sharedMaxAge != nil }
}

/// Which fields of an answer are kept, and how those of a newer one change them (RFC 9111 §3.1, §3.2).
enum StoredHeaders {
    /// All but the fields of one connection, those that may not be used again unasked, and cookies: they were set when the answer came,
    /// and whoever gets it from the cache gets them from the jar.
    static func kept(_ headers: HTTPFields, control: CacheControl, isShared: Bool) -> HTTPFields {
        var kept = headers
        remove(from: &kept, control: control, isShared: isShared)
        return kept
    }

    /// What is kept, with the fields of a newer answer without a body, a 304 or one to HEAD, in place of its own.
    static func updated(_ stored: HTTPFields, with newer: HTTPFields, isShared: Bool) -> HTTPFields {
        var newer = newer
        remove(from: &newer, control: CacheControl(newer[values: .cacheControl]), isShared: isShared)
        // They describe the body, which stays as it is: decoded, whole, and as long as it was.
        newer.removeAll { [.contentLength, .contentEncoding, .contentRange].contains($0.name) }
        let names = Set(newer.map(\.name))
        var updated = stored
        // Each answer has an age of its own.
        updated.removeAll { names.contains($0.name) || $0.name == .age }
        for field in newer { updated.append(field) }
        return updated
    }

    private static func remove(from headers: inout HTTPFields, control: CacheControl, isShared: Bool) {
        var gone = ofOneConnection
        for line in headers[values: .connection] {
            gone.formUnion(ListMembers.members(of: line).map { HTTPField.Name(String($0)) })
        }
        gone.formUnion(control.noCacheFields.map { HTTPField.Name($0) })
        if isShared { gone.formUnion(control.privateFields.map { HTTPField.Name($0) }) }
        headers.removeAll { gone.contains($0.name) }
    }

    private static let ofOneConnection: Set<HTTPField.Name> = [
        .connection, .transferEncoding, .proxyAuthorization, .setCookie, "Keep-Alive", "Proxy-Connection", "Proxy-Authenticate",
        "Proxy-Authentication-Info", "TE", "Trailer", "Upgrade",
    ]
}
