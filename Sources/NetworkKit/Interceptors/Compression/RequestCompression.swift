internal import PlatformBase

extension Interceptor where Self == RequestCompressionInterceptor {
    /// Compresses the bodies of requests with gzip, and says so in `Content-Encoding`.
    ///
    /// ```swift
    /// let session = HTTPSession(interceptors: [.logging(), .requestCompression(over: 4096), .retry()])
    /// ```
    ///
    /// HTTP has no way to find out beforehand whether a server takes that; one that doesn't answers 415 (RFC 9110 §15.5.16). So it is
    /// for servers that are known to.
    ///
    /// Bytes and values are compressed at once, and sent with their new length; where they don't get fewer, as they were. A file or stream
    /// is compressed while it is sent, chunked, since its new length isn't known before. What could be sent again still can. A body stays
    /// as it is when it is small, has a `Content-Encoding`, a `Content-Range` or a digest already, or is of a media type that is compressed
    /// by itself: see ``RequestCompressionInterceptor/isCompressed(_:)``.
    ///
    /// It belongs outside of redirects, authentication and retry, so that a body is compressed once a call and what is signed or digested is
    /// what is sent; and inside of the log, which shows bodies as they were. zlib does it, which is part of every platform that the package
    /// builds for: a program without it doesn't link, or start.
    ///
    /// - Parameters:
    ///   - limit: bodies of up to so many bytes stay as they are. Default: 1024, which is less than a packet. A stream of unknown length
    ///     counts as long.
    ///   - allows: whether a request's body may be compressed, for a session that speaks to several servers. Default: any.
    public static func requestCompression(
        over limit: Int = 1024, where allows: @escaping @Sendable (HTTPRequest) -> Bool = { _ in true }
    ) -> RequestCompressionInterceptor {
        RequestCompressionInterceptor(limit: max(limit, 0), allows: allows)
    }
}

/// Compresses the bodies of requests: see ``Interceptor/requestCompression(over:where:)``.
public struct RequestCompressionInterceptor: StockInterceptor {
    let limit: Int
    let allows: @Sendable (HTTPRequest) -> Bool

    /// Sends the request on, its body compressed where that is worth it.
    public func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
        guard request.body != nil else { return try await next(request) }
        // A value is encoded, and a length of the caller's own has become the body's.
        var checked = try request.checked()
        let scope = request.context.scope
        guard reasonNot(to: checked) == nil, let body = try await checked.body?.gzipped(unless: { scope?.ending }) else {
            return try await next(request)
        }
        checked.body = body
        checked.headers.append(HTTPField(name: .contentEncoding, value: "gzip"))
        return try await next(checked)
    }

    /// Why a body stays as it is; `nil` where it is compressed.
    func reasonNot(to request: HTTPRequest) -> Reason? {
        guard let body = request.body else { return .bodyless }
        if let length = body.length, length <= Int64(limit) { return .small }
        // A part is one of the bytes as they were, and a digest names these too (RFC 9530 §2, §3).
        if request.headers.contains(where: { Self.bindingFields.contains($0.name) }) { return .bound }
        let type = request.headers[.contentType] ?? body.contentType
        if let type = type.flatMap({ MediaType($0) }), Self.isCompressed(type) { return .type }
        return allows(request) ? nil : .refused
    }

    enum Reason: String {
        case bodyless = "there is no body"
        case small = "it is small"
        case bound = "its fields say how it is coded, digested or cut"
        case type = "its media type is compressed by itself"
        case refused = "this request's may not be"
    }

    private static let bindingFields: Set<HTTPField.Name> = [
        .contentEncoding, .contentRange, "Content-Digest", "Repr-Digest", "Digest", "Content-MD5",
    ]

    /// What it would do, or why it does nothing.
    public func describe(_ request: HTTPRequest) -> String? {
        if let reason = reasonNot(to: request) { return "leaves the body as it is: \(reason.rawValue)" }
        return "compresses the body with gzip, where that makes it shorter"
    }
}
