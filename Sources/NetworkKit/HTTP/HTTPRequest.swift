public import PlatformBase

/// One request as it travels through the stack: what an endpoint became, and what a transport sends.
public struct HTTPRequest: Sendable {
    /// The whole URL. Its bytes go out as they are, without the fragment.
    public var url: URL {
        get { storage.url }
        set {
            let storage = own()
            storage.url = newValue
            storage.checkedOrigin = nil
        }
    }
    /// The method.
    public var method: HTTPMethod {
        get { storage.method }
        set { own().method = newValue }
    }
    /// The fields that are sent, but for those that say where the body ends: the transport makes them from the body.
    public var headers: HTTPFields {
        get { storage.headers }
        _modify {
            let storage = own()
            storage.hasPlainFields = false
            yield &storage.headers
        }
    }
    /// The body; `nil` sends none.
    public var body: RequestBody? {
        get { storage.body }
        _modify { yield &own().body }
    }
    /// How it is sent.
    public var options: RequestOptions {
        get { storage.options }
        _modify { yield &unchecked().options }
    }
    /// The call that it belongs to.
    public var context: CallContext {
        @inline(__always)
        get {
            var context = storage.context
            context.listener = listener
            return context
        }
        _modify {
            let storage = unchecked()
            storage.context.listener = listener.take()
            defer { listener = storage.context.listener.take() }
            yield &storage.context
        }
    }

    // A request goes through many hands, so it is one reference.
    private var storage: Storage
    // Beside the rest: interceptors that observe change it, each of them, and nothing else.
    /// Who hears what happens on the wire.
    var listener: EventListener?
    /// The same as a function: ``CallContext/events``.
    var events: (@Sendable (TransportEvent) -> Void)? { listener?.hear }

    /// The same as ``CallContext/signature``: asked of every request, nearly none of which has one.
    var signature: (any RequestSignature)? { storage.context.signature }

    /// The same as ``CallContext/isCredentialWork``.
    var isCredentialWork: Bool { storage.context.isCredentialWork }

    /// What this request alone refers to, and so may change: a copy, where others refer to it too.
    private mutating func unchecked() -> Storage {
        if !isKnownUniquelyReferenced(&storage) { storage = Storage(copying: storage) }
        return storage
    }

    /// The same for what the last check looks at.
    private mutating func own() -> Storage {
        let storage = unchecked()
        storage.isChecked = false
        return storage
    }

    private final class Storage: @unchecked Sendable {
        // Written through `unchecked` only, while one request alone refers to it; requests are values, which are not shared while they
        // change.
        // So nothing overlaps that could be found by checking each access.
        @exclusivity(unchecked) var url: URL
        @exclusivity(unchecked) var method: HTTPMethod
        @exclusivity(unchecked) var headers: HTTPFields
        @exclusivity(unchecked) var body: RequestBody?
        @exclusivity(unchecked) var options: RequestOptions
        /// Without its listener.
        @exclusivity(unchecked) var context: CallContext
        @exclusivity(unchecked) var checkedOrigin: Origin?
        @exclusivity(unchecked) var isChecked = false
        @exclusivity(unchecked) var hasPlainFields = false

        init(
            url: URL, method: HTTPMethod, headers: HTTPFields, body: RequestBody?, options: RequestOptions, context: CallContext
        ) {
            self.url = url
            self.method = method
            self.headers = headers
            self.body = body
            self.options = options
            self.context = context
            self.context.listener = nil
        }

        init(copying other: Storage) {
            url = other.url
            method = other.method
            headers = other.headers
            body = other.body
            options = other.options
            context = other.context
            checkedOrigin = other.checkedOrigin
            isChecked = other.isChecked
            hasPlainFields = other.hasPlainFields
        }
    }

    /// A request. Sessions make them from endpoints; tests, interceptors and users of a bare transport make them by hand.
    public init(
        url: URL, method: HTTPMethod = .get, headers: HTTPFields = [:], body: RequestBody? = nil, options: RequestOptions = .init(),
        context: CallContext = .init()
    ) {
        storage = Storage(url: url, method: method, headers: headers, body: body, options: options, context: context)
        listener = context.listener
    }

    /// Whether two are copies of one request of which neither has been changed, whoever listens.
    func isSame(as other: HTTPRequest) -> Bool { storage === other.storage }

    /// Where the request goes; `nil` for a URL without a scheme or host that can be asked.
    var origin: Origin? { storage.checkedOrigin ?? Origin(url) }

    /// Where the request goes, if its URL has been found fit to be asked since it was set.
    var checkedOrigin: Origin? { storage.checkedOrigin }

    /// Whether ``checked()`` has found nothing to say since the last change: most requests are changed by nobody on their way.
    var isChecked: Bool { storage.isChecked }

    /// Sets a URL that is known to be fit to be asked.
    mutating func setChecked(_ url: URL, origin: Origin) {
        let storage = own()
        storage.url = url
        storage.checkedOrigin = origin
    }

    /// Adds a field. One that ``HTTPField/isFit`` was found for leaves what has been checked as it is.
    mutating func append(_ field: HTTPField, isFit: Bool) {
        guard isFit else { return headers.append(field) }
        let storage = unchecked()
        storage.hasPlainFields = false
        storage.headers.append(field)
    }

    /// Sets a field that is known to be fit to be sent.
    mutating func setChecked(_ name: HTTPField.Name, _ value: String?) {
        let storage = unchecked()
        storage.hasPlainFields = false
        storage.headers[name] = value
    }

    /// Sets fields that are ``HTTPFields/isPlain``.
    mutating func setPlain(_ headers: HTTPFields) {
        let storage = own()
        storage.headers = headers
        storage.hasPlainFields = true
    }

    /// Whether its fields are known to be plain, so that nobody need look for one that isn't.
    var hasPlainFields: Bool { storage.hasPlainFields }

    /// Notes that all of the request has been found fit to be sent.
    mutating func markChecked() { unchecked().isChecked = true }

    /// Whether the request may be sent again by itself after it may have reached the server: its method is idempotent
    /// (RFC 9110 §9.2.2), or it has an idempotency key.
    public var isIdempotent: Bool {
        method.isIdempotent || options.idempotencyKey != nil || headers.contains(.idempotencyKey)
    }

    /// The call's secrets, those of its body, those among the request's own fields, and the user information of its URL.
    package var allSecrets: SecretValues {
        var secrets = context.secrets
        if let body { secrets.formUnion(body.secrets) }
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
