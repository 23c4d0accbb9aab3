internal import PlatformBase

/// Which of the stored answers of a URL is one to a request (RFC 9111 §4.1).
enum CacheSelection {
    /// The newest that fits; `nil` when none does.
    static func entry(of entries: [CacheEntry], for request: HTTPRequest, identity: String?) -> CacheEntry? {
        var chosen: CacheEntry?
        for entry in entries where entry.response.variant.fits(request, identity: identity) {
            if let chosen, !isNewer(entry.response, than: chosen.response) { continue }
            chosen = entry
        }
        return chosen
    }

    private static func isNewer(_ one: StoredResponse, than other: StoredResponse) -> Bool {
        one.facts.date == other.facts.date ? one.responseTime > other.responseTime : one.facts.date > other.facts.date
    }
}

extension CacheVariant {
    /// What an answer to a request depends on; `nil` where `Vary: *` says that it depends on more than the request (RFC 9110 §12.5.5).
    init?(of request: HTTPRequest, vary: [String], identity: String?) {
        var names: Set<String> = []
        for line in vary {
            for member in ListMembers.members(of: line) {
                guard member != "*" else { return nil }
                names.insert(member.lowercased())
            }
        }
        self.identity = identity
        selectors = names.sorted().compactMap { name in
            // The identity says who asks, and outlives a token that is renewed.
            if name == "authorization", identity != nil { return nil }
            return Selector(name: name, value: Self.value(of: HTTPField.Name(name), in: request, identity: identity))
        }
    }

    /// Whether an answer with this variant is one to a request.
    func fits(_ request: HTTPRequest, identity: String?) -> Bool {
        self.identity.hasSameBytes(as: identity)
            && selectors.allSatisfy { Self.value(of: HTTPField.Name($0.name), in: request, identity: identity).hasSameBytes(as: $0.value) }
    }

    /// A request's field as two requests are compared by it: lines joined, white space around commas gone, and in lower case where case
    /// means nothing. A secret is hashed, since this is written to disks.
    ///
    /// Credentials may be added nearer to the server. Who is known to have some has them all the same: in a shared cache, which keeps
    /// answers under no identity, that identity stands for the field.
    private static func value(of name: HTTPField.Name, in request: HTTPRequest, identity: String?) -> String? {
        guard let value = request.headers[name] else {
            return identity == nil && name.isCredential ? CacheIdentity.identity(of: request) : nil
        }
        if name.isCredential || request.headers.contains(where: { $0.name == name && $0.isSecret }) {
            return CacheIdentity.hash(value)
        }
        let normal = ListMembers.members(of: value).joined(separator: ",")
        return name == .acceptLanguage || name == .acceptEncoding ? normal.lowercased() : normal
    }
}

extension CacheVariant {
    /// By bytes: to a server, two ways to write one letter are two values.
    static func == (left: Self, right: Self) -> Bool {
        left.identity.hasSameBytes(as: right.identity) && left.selectors == right.selectors
    }
}

extension CacheVariant.Selector {
    static func == (left: Self, right: Self) -> Bool { left.name == right.name && left.value.hasSameBytes(as: right.value) }
}

extension String? {
    fileprivate func hasSameBytes(as other: String?) -> Bool {
        switch (self, other) {
        case (let one?, let other?): one.utf8.elementsEqual(other.utf8)
        case (nil, nil): true
        default: false
        }
    }
}

/// Whose answer it is.
enum CacheIdentity {
    /// The identity that a session stamped on the call. A request without a session has none, and counts by its own credentials.
    static func identity(of request: HTTPRequest) -> String? {
        request.context.identity ?? request.headers[.authorization].map(hash)
    }

    /// A text that two equal secrets share in this process, and from which neither can be told.
    static func hash(_ secret: String) -> String { CallIdentity.hash([secret]) }
}
