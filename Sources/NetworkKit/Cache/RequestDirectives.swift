internal import PlatformBase

/// What a request asks of caches: by its `Cache-Control` and by its options.
struct RequestDirectives: Sendable, Equatable {
    let policy: CachePolicy
    let control: CacheControl

    init(_ request: HTTPRequest) {
        policy = request.options.cachePolicy ?? .protocol
        var control = CacheControl()
        if request.headers.contains(.cacheControl) {
            control = CacheControl(request.headers[values: .cacheControl])
        } else if request.headers.contains("Pragma") {
            // RFC 9111 §5.4.
            control.isNoCache = request.headers["Pragma"]?.lowercased().contains("no-cache") ?? false
        }
        self.control = control
    }

    /// Whether the answer is neither taken from the store nor put there.
    var isNoStore: Bool { policy == .noStore || control.isNoStore }
    /// Whether nobody is asked but the store.
    var isOnlyIfCached: Bool { policy == .cacheOnly || control.onlyIfCached }

    /// The request with what other caches on its way need to know, as Fetch does it, unless it says something itself.
    func telling(_ request: HTTPRequest) -> HTTPRequest {
        guard let value = told, !request.headers.contains(.cacheControl) else { return request }
        var request = request
        request.headers[.cacheControl] = value
        return request
    }

    private var told: String? {
        switch policy {
        case .reload, .noStore: "no-cache"
        case .revalidate: "max-age=0"
        case .protocol, .preferCache, .cacheOnly: nil
        }
    }
}
