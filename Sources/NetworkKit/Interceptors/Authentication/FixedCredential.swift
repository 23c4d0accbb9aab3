internal import PlatformBase

/// A credential that stays as it is: made once, put on every request.
struct FixedCredential: Sendable {
    enum Placement: Sendable {
        case field(HTTPField, isFit: Bool)
        /// An item of the query, encoded, and the beginning by which one of its name is known.
        case query(String, start: String)
        case fault(RequestError)

        static func field(checking field: HTTPField) -> Placement { .field(field, isFit: field.isFit) }
    }

    let placement: Placement
    /// What it is, without the secret.
    let place: String
    let identity: String
    let secrets: SecretValues

    private init(_ placement: Placement, place: String, parts: [String], secret: String) {
        self.placement = placement
        self.place = place
        identity = CallIdentity.hash(parts)
        var secrets = SecretValues()
        secrets.insert(secret)
        self.secrets = secrets
    }

    /// A field that holds the secret behind a scheme.
    init(field name: HTTPField.Name, _ scheme: String, _ secret: String, name what: String) {
        self.init(
            secret.isEmpty ? .fault(.noCredential(what)) : .field(checking: HTTPField(name: name, value: scheme + secret, isSecret: true)),
            place: "\(scheme.isEmpty ? "" : scheme.lowercased())\(what) in \(name)", parts: [name.rawName.lowercased(), scheme, secret],
            secret: secret)
    }

    static func basic(user: String, password: String) -> FixedCredential {
        let fault = RequestError.encode(
            .init(.init(part: .fieldValue(.authorization)), reason: "a user name with a colon can't be sent as Basic (RFC 7617 §2)"))
        let pair = Data("\(user):\(password)".utf8).base64EncodedString()
        return FixedCredential(
            user.utf8.contains(UInt8(ascii: ":"))
                ? .fault(fault) : .field(checking: HTTPField(name: .authorization, value: "Basic " + pair)),
            place: "user and password in Authorization", parts: ["basic", user, password], secret: password)
    }

    static func query(_ name: String, _ key: String) -> FixedCredential {
        let start = PercentEncoding.encodeValue(name) + "="
        return FixedCredential(
            key.isEmpty ? .fault(.noCredential("key")) : .query(start + PercentEncoding.encodeValue(key), start: start),
            place: "key in the query item \(Token.quoted(name))", parts: ["query", name, key], secret: key)
    }

    /// Whether the request brings a credential of its own in that place, which then stands.
    func isReplaced(by request: HTTPRequest) -> Bool {
        switch placement {
        case .field(let field, _): request.headers.contains(field.name)
        case .query(_, let start): Self.hasItem(start, request.url)
        case .fault: false
        }
    }

    /// Puts the credential on a request.
    func add(to request: inout HTTPRequest) throws(RequestError) {
        switch placement {
        case .field(let field, let isFit): request.append(field, isFit: isFit)
        case .query(let item, _):
            var reference = URIReference(request.url.absoluteString)
            reference.query = reference.query.map { $0.isEmpty ? item : "\($0)&\(item)" } ?? item
            guard let url = reference.url else { throw .invalidURL(.query, "the URL takes no query item") }
            if let origin = request.checkedOrigin { request.setChecked(url, origin: origin) } else { request.url = url }
            request.context.secrets.formUnion(secrets)
        case .fault(let error): throw error
        }
    }

    private static func hasItem(_ start: String, _ url: URL) -> Bool {
        let query = URIReference(url.absoluteString).query
        return query?.split(separator: "&").contains { $0.hasPrefix(start) } ?? false
    }
}

extension RequestError {
    /// There is nothing to prove with.
    static func noCredential(_ what: String) -> RequestError {
        .authentication(.init(reason: "the \(what) is empty; nothing was sent"))
    }
}
