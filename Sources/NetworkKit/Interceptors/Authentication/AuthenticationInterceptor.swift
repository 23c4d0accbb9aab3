extension Interceptor where Self == AuthenticationInterceptor {
    /// Proves who sends the requests: a bearer token, a password, a key, or HTTP Digest.
    ///
    /// ```swift
    /// let session = HTTPSession(interceptors: [.logging(), .cache(HTTPCache()), .authentication(.bearer(token)), .retry()])
    /// ```
    ///
    /// It stands inside redirects, cache and coalescing, and outside of retry. What an endpoint sets itself, in the same field or query
    /// item, stands: nothing is added then. The credential goes where ``Credential`` says, and after a redirect to nowhere else.
    /// Several, for several origins or places, stand side by side.
    ///
    /// - Parameters:
    ///   - credential: what is added.
    ///   - identity: whose credentials they are, as part of the key of a cache and of coalescing: an account's number, for example.
    ///     It must be another for another account, reveal nothing, and is the same while tokens come and go. `nil` makes one that holds
    ///     in this process: a keyed hash of a fixed credential, else one made up for this interceptor. A cache on disk that is to be
    ///     found again by the next process needs one.
    public static func authentication(_ credential: Credential, identity: String? = nil) -> AuthenticationInterceptor {
        AuthenticationInterceptor(credential: credential, givenIdentity: identity)
    }
}

/// Adds credentials: see ``Interceptor/authentication(_:identity:)``.
public struct AuthenticationInterceptor: PerHopInterceptor, IdentityProvider {
    let credential: Credential
    let givenIdentity: String?

    /// Sends the request with the credential, where it may go.
    public func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
        guard !isReplaced(by: request), credential.reach.includes(request) else { return try await next(request) }
        switch credential.kind {
        case .fixed(let fixed):
            var request = request
            try fixed.add(to: &request)
            return try await next(request)
        case .provided(let provider):
            guard !CredentialWork.isRunning(for: provider) else { return try await next(request) }
            return try await next(request.adding(provider.field(in: request.context)))
        case .refreshed(let token):
            guard !CredentialWork.isRunning(for: token) else { return try await next(request) }
            return try await token.send(request, next)
        case .digest(let digest):
            return try await digest.send(request, next)
        }
    }

    /// Whether the endpoint brings a credential of its own.
    private func isReplaced(by request: HTTPRequest) -> Bool {
        if case .fixed(let fixed) = credential.kind { fixed.isReplaced(by: request) } else { request.headers.contains(.authorization) }
    }
}

extension AuthenticationInterceptor {
    var isIdentityFixed: Bool {
        if case .refreshed = credential.kind { givenIdentity != nil } else { true }
    }

    var identity: String {
        if let givenIdentity { return givenIdentity }
        return switch credential.kind {
        case .fixed(let fixed): fixed.identity
        case .provided(let provider): provider.identity
        case .refreshed(let token): token.identity
        case .digest(let digest): digest.identity
        }
    }

    var mayWork: Bool {
        switch credential.kind {
        case .provided, .refreshed: true
        case .fixed, .digest: false
        }
    }

    var isAtWork: Bool {
        switch credential.kind {
        case .provided(let provider): CredentialWork.isRunning(for: provider)
        case .refreshed(let token): CredentialWork.isRunning(for: token)
        case .fixed, .digest: false
        }
    }

    /// What it adds, or why it adds nothing.
    public func describe(_ request: HTTPRequest) -> String? {
        if isReplaced(by: request) { return "adds nothing: the endpoint has its own" }
        guard credential.reach.includes(request) else { return "adds nothing: not for \(request.origin.map { "\($0)" } ?? "this URL")" }
        let reach = credential.reach.origins.map { $0.map { "\($0)" }.joined(separator: ", ") }
        return "adds a \(credential), for \(reach ?? "the call's first origin")"
    }
}

extension HTTPRequest {
    /// The request with a credential.
    func adding(_ field: HTTPField, isFit: Bool = false) -> HTTPRequest {
        var request = self
        request.append(field, isFit: isFit)
        return request
    }

    /// Whether the request can be sent once more.
    var isReplayable: Bool { body?.isLeft ?? true }
}
