internal import PlatformBase

/// Whether an answer may be stored, and what of it is kept (RFC 9111 §3).
enum StorageDecision {
    /// The answer as it is to be kept, or `nil` when it isn't.
    static func stored(
        _ head: ResponseHead, to request: HTTPRequest, directives: RequestDirectives, identity: String?, isShared: Bool,
        requestTime: Date, responseTime: Date
    ) -> StoredResponse? {
        guard !directives.isNoStore else { return nil }
        var head = head
        head.headers = head.headers.read
        let control = CacheControl(head.headers[values: .cacheControl])
        guard mayStore(head, control: control, request: request, as: request.method, isShared: isShared),
            let variant = CacheVariant(of: request, vary: head.headers[values: .vary], identity: identity)
        else { return nil }
        let kept = StoredHeaders.kept(head.headers, control: control, isShared: isShared)
        return StoredResponse(
            variant: variant, status: head.status, headers: kept, control: kept.contains(.cacheControl) ? control : nil,
            requestTime: requestTime, responseTime: responseTime)
    }

    /// Whether a stored answer may stay with the fields that a newer one without a body has given it: it must be one that could be stored
    /// as it is now, for the requests that it is found by.
    static func mayStay(_ response: StoredResponse, with request: HTTPRequest, identity: String?, isShared: Bool) -> Bool {
        let head = ResponseHead(status: response.status, headers: response.headers, url: request.url)
        return mayStore(head, control: response.facts.control, request: request, as: .get, isShared: isShared)
            && CacheVariant(of: request, vary: head.headers[values: .vary], identity: identity) == response.variant
    }

    /// - Parameter method: of the request that the answer is stored for: an answer to HEAD changes that to a GET.
    private static func mayStore(
        _ head: ResponseHead, control: CacheControl, request: HTTPRequest, as method: HTTPMethod, isShared: Bool
    ) -> Bool {
        let status = head.status
        guard status.code >= 200, !status.isOfOneRequest else { return false }
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
        switch method {
        case .get: return isDated || control.isPublic || (!isShared && control.isPrivate) || status.isHeuristicallyCacheable
        case .post: return isDated && status.isSuccess && saysItIsTheResource(head, request.url)
        default: return false
        }
    }

    /// Whether the answer to a POST is what a GET of its URL would give (RFC 9110 §9.3.3).
    private static func saysItIsTheResource(_ head: ResponseHead, _ url: URL) -> Bool {
        guard let location = head.headers[.contentLocation] else { return false }
        let base = url.absoluteString
        return CacheKey(location, relativeTo: URIReference(base)) == CacheKey(base)
    }
}

extension HTTPStatus {
    /// Whether an answer with this status is about what its request alone brought along: a range, which isn't put together with others
    /// (206, 416), a condition (304, 412), or credentials or the lack of them (401, 407).
    fileprivate var isOfOneRequest: Bool { [206, 304, 401, 407, 412, 416].contains(code) }
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
        let named = named(in: headers, control: control, isShared: isShared)
        var kept = HTTPFields()
        kept.reserveCapacity(headers.count)
        for field in headers where !isOfOneConnection(field.name) && !named.contains(field.name) { kept.append(field) }
        return kept
    }

    /// What is kept, with the fields of a newer answer without a body, a 304 or one to HEAD, in place of its own.
    static func updated(_ stored: HTTPFields, with newer: HTTPFields, isShared: Bool) -> HTTPFields {
        var newer = kept(newer, control: CacheControl(newer[values: .cacheControl]), isShared: isShared)
        // They describe the body, which stays as it is: decoded, whole, and as long as it was.
        newer.removeAll { [.contentLength, .contentEncoding, .contentRange].contains($0.name) }
        let names = Set(newer.map(\.name))
        var updated = stored
        // Each answer has an age and a date of its own: by those of the stored one it would be as old as before.
        updated.removeAll { names.contains($0.name) || $0.name == .age || $0.name == .date }
        for field in newer { updated.append(field) }
        return updated
    }

    /// The fields that the answer itself names as not to be kept.
    private static func named(in headers: HTTPFields, control: CacheControl, isShared: Bool) -> [HTTPField.Name] {
        var named = control.noCacheFields.map { HTTPField.Name($0) }
        for line in headers[values: .connection] where !["keep-alive", "close"].contains(line) {
            named += ListMembers.members(of: line).map { HTTPField.Name(String($0)) }
        }
        if isShared { named += control.privateFields.map { HTTPField.Name($0) } }
        return named
    }

    private static func isOfOneConnection(_ name: HTTPField.Name) -> Bool {
        // By length first: it is asked of every field of every answer.
        switch name.rawName.utf8.count {
        case 2: name == "TE"
        case 7: name == "Trailer" || name == "Upgrade"
        case 10: name == .connection || name == .setCookie || name == "Keep-Alive"
        case 16: name == "Proxy-Connection"
        case 17: name == .transferEncoding
        case 18: name == "Proxy-Authenticate"
        case 19: name == .proxyAuthorization
        case 25: name == "Proxy-Authentication-Info"
        default: false
        }
    }
}
