internal import PlatformBase

/// What an unsafe request makes of answers that are stored, or on their way (RFC 9111 §4.4).
enum CacheInvalidation {
    /// The keys whose answers may not be true any more: that of the request, and those that its answer names on the same origin.
    /// None, when the server refused it.
    static func keys(of request: HTTPRequest, answeredBy head: ResponseHead) -> [CacheKey] {
        guard !request.method.isSafe, head.status.isSuccess || head.status.isRedirection else { return [] }
        let base = request.url.absoluteString
        var keys = [CacheKey(base)]
        for name in [HTTPField.Name.location, .contentLocation] {
            guard let value = head.headers[name] else { continue }
            let target = CacheKey.target(value, relativeTo: URIReference(base))
            guard let origin = Origin(target), origin == request.origin else { continue }
            let key = CacheKey(target.text)
            if !keys.contains(key) { keys.append(key) }
        }
        return keys
    }
}
