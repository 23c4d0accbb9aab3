/// Where a credential may go: a function of the request.
struct CredentialReach: Sendable {
    /// The declared origins; `nil` for the origin of each call's first request.
    var origins: [Origin]?

    /// Whether the credential may go where this request goes.
    func includes(_ request: HTTPRequest) -> Bool {
        guard let target = request.origin else { return false }
        if let origins { return origins.contains { $0.includes(target) } }
        // A request that is sent by hand is its own beginning, until a redirect has led on.
        guard let home = request.context.homeOrigin else { return request.context.redirects == 0 }
        return home.includes(target)
    }
}
