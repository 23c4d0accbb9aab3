internal import PlatformBase

extension Interceptor where Self == CookieInterceptor {
    /// Sends a jar's cookies, and stores those that answers set (RFC 6265bis). No session has cookies unless its list has this.
    ///
    /// It stands inside of redirects, so that each hop has the cookies of where it goes and those that a redirect set are stored; and outside
    /// of the cache and of retries, so that what it sees is the answer that the call goes on with: a cached answer's `Set-Cookie` counted
    /// when it came from the server and isn't stored again, and that of an interim answer (1xx) never is.
    ///
    /// In front of redirects it sees the last answer alone, and stores its cookies for the URL that answered.
    ///
    /// One `Cookie` field is sent. What the endpoint sets itself comes first, and wins over a cookie of the same name in the jar.
    ///
    /// - Parameter jar: where they are kept. Default: one in memory, for this session alone.
    public static func cookies(_ jar: CookieJar = CookieJar()) -> CookieInterceptor { CookieInterceptor(jar: jar) }
}

/// Sends and stores cookies: see ``Interceptor/cookies(_:)``.
public struct CookieInterceptor: PerHopInterceptor {
    let jar: CookieJar

    /// Sends the request with the cookies that belong to it.
    public func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
        try await jar.prepare(for: request.context)
        // A URL that can't be asked is refused further in.
        guard let place = CookiePlace(request) else { return try await next(request) }
        let cookies = jar.cookies(for: place, at: request.context.clock.date)
        let response: HTTPResponse
        if cookies.isEmpty {
            response = try await next(request)
        } else {
            var sent = request
            sent.headers[.cookie] = CookieField.value(own: request.headers[values: .cookie], cookies)
            response = try await next(sent)
        }
        guard Self.isOfServer(response.metrics.cache) else { return response }
        let set = response.headers[values: .setCookie]
        // In front of redirects, who answered isn't who was asked.
        if !set.isEmpty, let source = CookiePlace(response.url) { jar.store(set, from: source, at: request.context.clock.date) }
        return response
    }

    /// Whether an answer's fields are what a server has just sent.
    private static func isOfServer(_ use: RequestMetrics.CacheUse?) -> Bool {
        switch use {
        case nil, .miss, .revalidated: true
        case .hit, .stale: false
        }
    }
}

extension CookieInterceptor {
    /// How many cookies it would send.
    public func describe(_ request: HTTPRequest) -> String? {
        let cookies = CookiePlace(request).map { jar.preview(for: $0, at: request.context.clock.date) } ?? []
        return cookies.isEmpty ? "has no cookies for it" : "sends \(cookies.count == 1 ? "a cookie" : "\(cookies.count) cookies")"
    }
}

/// The value of the one `Cookie` field of a request (RFC 6265bis §5.8.3).
enum CookieField {
    /// - Parameter own: the values that the endpoint set. They stand in front, and a cookie that they name isn't sent twice.
    static func value(own: [String], _ cookies: [Cookie]) -> String {
        guard !own.isEmpty else { return joined(cookies) }
        let names = Set(
            own.flatMap { $0.split(separator: ";") }.filter { $0.contains("=") }.map { $0.prefix { $0 != "=" }.trimmingSpaces() })
        return (own.filter { !$0.isEmpty } + cookies.filter { !names.contains($0.name) || $0.name.isEmpty }.map(\.pair))
            .joined(separator: "; ")
    }

    // Appended to one text: it is done for every request.
    private static func joined(_ cookies: [Cookie]) -> String {
        var text = ""
        for cookie in cookies {
            if !text.isEmpty { text += "; " }
            if !cookie.name.isEmpty {
                text += cookie.name
                text += "="
            }
            text += cookie.value
        }
        return text
    }
}
