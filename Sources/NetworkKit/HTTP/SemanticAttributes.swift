internal import PlatformBase

/// A value of an attribute of a span.
public enum TraceAttribute: Sendable, Hashable {
    /// Text.
    case string(String)
    /// A number.
    case int(Int64)
}

extension TraceAttribute: CustomStringConvertible {
    /// The value as text.
    public var description: String {
        switch self {
        case .string(let text): text
        case .int(let number): "\(number)"
        }
    }
}

/// What a request and its outcome are called by the semantic conventions of OpenTelemetry for HTTP clients (version 1.23 and later,
/// which are stable). Secrets are masked.
enum SemanticAttributes {
    private static let knownMethods: Set<String> = [
        "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH", "QUERY",
    ]

    /// What is known when the request is sent.
    static func of(_ request: HTTPRequest, secrets: SecretValues, resend: Int) -> [String: TraceAttribute] {
        var attributes: [String: TraceAttribute] = [
            "url.full": .string(secrets.masking(RequestURL.withoutCredentials(request.url.absoluteString)))
        ]
        let method = request.method.name
        // What isn't known would make as many series of figures as there are spellings.
        attributes["http.request.method"] = .string(knownMethods.contains(method) ? method : "_OTHER")
        if !knownMethods.contains(method) { attributes["http.request.method_original"] = .string(method) }
        if let origin = request.origin {
            attributes["server.address"] = .string(origin.host)
            attributes["server.port"] = .int(Int64(origin.port))
            attributes["url.scheme"] = .string(origin.scheme)
        }
        if resend > 0 { attributes["http.request.resend_count"] = .int(Int64(resend)) }
        if let length = request.body?.length { attributes["http.request.body.size"] = .int(length) }
        return attributes
    }

    /// What is known when it is over.
    static func of(status: HTTPStatus?, error: RequestError?, metrics: RequestMetrics?) -> [String: TraceAttribute] {
        var attributes: [String: TraceAttribute] = [:]
        if let status { attributes["http.response.status_code"] = .int(Int64(status.code)) }
        if let error {
            attributes["error.type"] = .string(type(of: error))
        } else if let status, status.code >= 400 {
            attributes["error.type"] = .string("\(status.code)")
        }
        if let metrics, let version = metrics.version {
            attributes["network.protocol.name"] = .string("http")
            attributes["network.protocol.version"] = .string("\(version)".replacing("HTTP/", with: ""))
        }
        if let metrics, metrics.total != nil { attributes["http.response.body.size"] = .int(metrics.bodyBytesReceived) }
        return attributes
    }

    /// A few words, always the same for the same kind of failure.
    private static func type(of error: RequestError) -> String {
        if case .connection(let details) = error { return "connection.\(details.kind.rawValue)" }
        if case .timedOut(let details) = error { return "timedOut.\(details.limit.rawValue)" }
        return error.caseName
    }
}
