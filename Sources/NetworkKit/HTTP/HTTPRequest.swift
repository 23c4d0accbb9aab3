public import PlatformBase

/// One request as it travels through the stack: what an endpoint became, and what a transport sends.
public struct HTTPRequest: Sendable {
    /// The whole URL. Its bytes go out as they are, without the fragment.
    public var url: URL { didSet { lastCheck = nil } }
    /// The method.
    public var method: HTTPMethod { didSet { lastCheck = nil } }
    /// The fields that are sent, but for those that say where the body ends: the transport makes them from the body.
    public var headers: HTTPFields { didSet { lastCheck = nil } }
    /// The body; `nil` sends none.
    public var body: RequestBody? { didSet { lastCheck = nil } }
    /// How it is sent.
    public var options: RequestOptions
    /// The call that it belongs to.
    public var context: CallContext

    /// What ``checked()`` found, while nothing has changed since: most requests are changed by nobody on their way.
    var lastCheck: Check?

    /// The result of a check.
    struct Check: Sendable {
        /// Where the request goes.
        let origin: Origin
    }

    /// A request. Sessions make them from endpoints; tests, interceptors and users of a bare transport make them by hand.
    public init(
        url: URL, method: HTTPMethod = .get, headers: HTTPFields = [:], body: RequestBody? = nil, options: RequestOptions = .init(),
        context: CallContext = .init()
    ) {
        self.url = url
        self.method = method
        self.headers = headers
        self.body = body
        self.options = options
        self.context = context
    }

    /// Where the request goes; `nil` for a URL without a scheme or host that can be asked.
    var origin: Origin? { lastCheck?.origin ?? Origin(url) }

    /// Whether the request may be sent again by itself after it may have reached the server: its method is idempotent
    /// (RFC 9110 §9.2.2), or it has an idempotency key.
    public var isIdempotent: Bool {
        method.isIdempotent || options.idempotencyKey != nil || headers.contains(.idempotencyKey)
    }

    /// The call's secrets, those among the request's own fields, and the user information of its URL.
    var allSecrets: SecretValues {
        var secrets = context.secrets
        if let credentials = RequestURL.credentials(in: url.absoluteString) { secrets.insert(field: credentials) }
        for field in headers where field.isSecret { secrets.insert(field: field) }
        return secrets
    }
}

extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Method, URL and fields, secrets masked.
    public var description: String {
        allSecrets.masking("\(method) \(url.absoluteString)\n\(headers)")
    }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// What `dump` sees: the description.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}
