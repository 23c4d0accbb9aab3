internal import PlatformBase

extension HTTPClient {
    /// What a call would be, without making it: the URL and the fields, where each part of them comes from, the limits that hold, and
    /// what each interceptor says that it would do.
    ///
    /// ```swift
    /// print(service.explain(TopRated(page: 2)))
    /// ```
    ///
    /// Nothing is sent, no stream is read, and no secret is shown. An endpoint that can't be sent explains why.
    public func explain(_ endpoint: some Endpoint) -> Explanation { Explanation(endpoint, session: session) }
}

/// What a call would be: see ``HTTPClient/explain(_:)``.
public struct Explanation: Sendable {
    /// A piece of the request, or a limit, and where it comes from.
    public struct Part: Sendable, Hashable {
        /// What it is: the piece's name, or the field's.
        public let name: String
        /// What it says, secrets masked.
        public let value: String
        /// Where it comes from.
        public let origin: String
    }

    /// The endpoint's name, or its type.
    public let name: String
    /// The method.
    public private(set) var method = ""
    /// The URL, secrets masked; `nil` for an endpoint that gives none.
    public private(set) var url: String?
    /// What the URL is made of.
    public private(set) var urlParts: [Part] = []
    /// The fields.
    public private(set) var fields: [Part] = []
    /// What the body is, and how long; `nil` for none.
    public private(set) var body: String?
    /// Time limits, limits of size and the rest of the options.
    public private(set) var limits: [Part] = []
    /// The interceptors in their order, with what they say of themselves, and the transport last.
    public private(set) var stack: [Part] = []
    /// Why the call can't be made, secrets masked; `nil` where it can.
    public private(set) var error: String?

    init(_ endpoint: some Endpoint, session: HTTPSession) {
        name = endpoint.options.name ?? "\(type(of: endpoint))"
        method = endpoint.method.name
        do throws(RequestError) {
            let request = try session.request(for: endpoint, delivery: .value, wantsJSON: Self.wantsJSON(endpoint))
            let secrets = request.allSecrets
            method = request.method.name
            url = secrets.masking(request.url.absoluteString)
            urlParts = Self.urlParts(endpoint).map { Part($0, masking: secrets) }
            fields = Self.fields(of: request, endpoint, session).map { Part($0, masking: secrets) }
            body = request.body.map { "\($0)" }
            limits = Self.limits(of: request.options, endpoint.options, session.defaults)
            stack = session.stack.interceptors.map { interceptor in
                let words = interceptor.describe(request).map { LogText.oneLine(secrets.masking($0)) }
                return Part(name: Self.name(of: interceptor), value: words ?? "", origin: "session")
            }
        } catch {
            self.error = error.description
            stack = session.stack.interceptors.map { Part(name: Self.name(of: $0), value: "", origin: "session") }
        }
        stack.append(Part(name: "\(type(of: session.stack.transport))", value: "sends it", origin: "session"))
    }

    private static func name(of interceptor: any Interceptor) -> String { "\(type(of: interceptor))" }

    private static func wantsJSON(_ endpoint: some Endpoint) -> Bool {
        func response<E: ResponseEndpoint>(_ endpoint: E) -> any Any.Type { E.Response.self }
        guard let typed = endpoint as? any ResponseEndpoint else { return false }
        return HTTPSession.wantsJSON(endpoint, response(typed))
    }

    private static func urlParts(_ endpoint: some Endpoint) -> [Part] {
        if let page = PageLink.url(of: endpoint) {
            return [Part(name: "page", value: RequestURL.withoutCredentials(page.absoluteString), origin: "pageURL")]
        }
        var base = URIReference(RequestURL.withoutCredentials(endpoint.baseURL.absoluteString))
        let query = base.query
        base.query = nil
        var parts = [Part(name: "base", value: base.text, origin: "baseURL")]
        if RequestURL.credentials(in: endpoint.baseURL.absoluteString) != nil {
            parts.append(Part(name: "user information", value: SecretValues.mask, origin: "baseURL; sent as Authorization"))
        }
        let path = endpoint.path.description
        if !path.isEmpty { parts.append(Part(name: "path", value: path, origin: "path")) }
        func add(_ query: String, origin: String) {
            parts += query.split(separator: "&").map { Part(name: "query", value: String($0), origin: origin) }
        }
        add(query ?? "", origin: "baseURL")
        add(endpoint.query.description, origin: "query")
        return parts
    }

    private static func fields(of request: HTTPRequest, _ endpoint: some Endpoint, _ session: HTTPSession) -> [Part] {
        let own = endpoint.headers
        return request.headers.map { field in
            let origin =
                switch field.name {
                case let name where own.contains(name): "endpoint"
                case .contentType: "body"
                case .idempotencyKey: "options.idempotencyKey"
                case .authorization where RequestURL.credentials(in: endpoint.baseURL.absoluteString) != nil: "baseURL"
                case .accept where !session.headers.contains(.accept) || !own.isEmpty: "what is expected"
                default: "session"
                }
            return Part(name: field.name.rawName, value: field.isSecret ? SecretValues.mask : field.value, origin: origin)
        }
    }

    private static func limits(of options: RequestOptions, _ own: RequestOptions, _ defaults: RequestOptions) -> [Part] {
        func origin<Value>(_ option: KeyPath<RequestOptions, Value?>) -> String {
            own[keyPath: option] != nil ? "endpoint" : defaults[keyPath: option] != nil ? "session" : "library"
        }
        var parts: [Part] = []
        func add(_ name: String, _ value: String?, _ origin: String) {
            if let value { parts.append(Part(name: name, value: value, origin: origin)) }
        }
        add("timeout", options.timeout.map { "\($0.shortText)" }, origin(\.timeout))
        add("deadline", options.deadline.map { "\($0.shortText)" }, origin(\.deadline))
        add("collected body", options.maximumBodySize.map { "\($0) bytes" }, origin(\.maximumBodySize))
        add("cache policy", options.cachePolicy.map { "\($0)" }, origin(\.cachePolicy))
        add("redirects", options.redirectPolicy.map { "\($0.limit)" }, origin(\.redirectPolicy))
        return parts
    }
}

extension Explanation.Part {
    fileprivate init(_ part: Self, masking secrets: SecretValues) {
        self.init(name: part.name, value: LogText.oneLine(secrets.masking(part.value)), origin: part.origin)
    }
}

extension Explanation: CustomStringConvertible {
    /// All of it, for a terminal.
    public var description: String {
        var lines = ["\(name): \(method) \(url ?? "(no URL)")"]
        if let error { lines.append("  can't be sent: \(LogText.oneLine(error))") }
        func add(_ title: String, _ parts: [Part]) {
            guard !parts.isEmpty else { return }
            lines.append("  \(title)")
            let nameWidth = parts.map(\.name.count).max() ?? 0
            for part in parts {
                let name = part.name + String(repeating: " ", count: nameWidth - part.name.count)
                lines.append("    \(name)" + (part.value.isEmpty ? "" : "  \(part.value)") + "  [\(part.origin)]")
            }
        }
        add("URL", urlParts)
        add("fields", fields)
        if let body { lines.append("  body: \(body)") }
        add("limits of a call that gives a value", limits)
        add("stack, outermost first", stack)
        return lines.joined(separator: "\n")
    }
}
