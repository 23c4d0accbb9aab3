internal import PlatformBase

extension CachedCall {
    /// A stored answer as the answer to the request; `nil` when only the server can give that, or the body is gone.
    nonisolated(nonsending) func stored(
        _ entry: CacheEntry, _ freshness: Freshness, as use: RequestMetrics.CacheUse, _ status: String
    ) async -> HTTPResponse? {
        let answer = CacheAnswer(entry, to: request)
        var head = ResponseHead(status: entry.response.status, headers: entry.response.headers, url: request.url)
        var body = ResponseBody.empty
        switch answer {
        case .none: return nil
        case .notModified: head.beNotModified()
        case .whole, .part:
            let range = head.limit(to: answer, of: entry.length)
            if request.method != .head {
                guard let source = await cache.store.body(of: entry, in: range) else { return nil }
                body = ResponseBody(source)
            }
        }
        // What it was worth when it came has been counted in (RFC 9111 §5.1).
        let age = "\(Int64(min(freshness.age, Double(CacheControl.limit))))"
        head.headers = head.headers.replacing(age: age, cacheStatus: status)
        var response = HTTPResponse(head: head, body: body)
        response.metrics.cache = use
        response.request = request
        return response
    }
}

extension HTTPFields {
    /// The fields of a stored answer with its age now and what the cache did, in one go.
    fileprivate func replacing(age: String, cacheStatus: String) -> HTTPFields {
        var fields = HTTPFields()
        fields.reserveCapacity(count + 2)
        for field in self where field.name != .age { fields.append(field) }
        fields.append(HTTPField(name: .age, value: age))
        fields.add(cacheStatus: cacheStatus)
        return fields
    }
}

extension ResponseHead {
    /// Makes the head that of a part of the body.
    fileprivate mutating func limit(to answer: CacheAnswer, of length: Int64) -> Range<Int64>? {
        guard case .part(let range) = answer else { return nil }
        status = 206
        headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(length)"
        headers[.contentLength] = "\(range.count)"
        return range
    }

    /// Makes the head that of a 304, which says what may have changed and not what is the same (RFC 9110 §15.4.5).
    fileprivate mutating func beNotModified() {
        status = 304
        headers.removeAll { [.contentLength, .contentType, .contentEncoding, .contentLanguage].contains($0.name) }
    }
}

extension HTTPStatus {
    /// Whether the server couldn't answer, so that an older answer is better (RFC 5861 §4).
    var isOutage: Bool { [500, 502, 503, 504].contains(code) }

    /// Whether an answer with this status says something of the resource that contradicts what is stored.
    var replacesStored: Bool { (isSuccess && code != 206) || (isRedirection && code != 304) || code == 404 || code == 410 }
}

extension RequestError {
    /// Whether the server didn't answer, or wasn't asked because it doesn't at the moment.
    var isServerOutOfReach: Bool {
        switch self {
        case .connection, .timedOut, .noResponse, .rejected: true
        default: false
        }
    }
}
