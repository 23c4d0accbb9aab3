internal import PlatformBase

extension HTTPRequest {
    /// Makes this request one of those that follow a call's first, such as the next page or the next connection of a stream: the
    /// call's secrets belong where the first went, and what is secret among the fields doesn't go elsewhere.
    ///
    /// - Throws: ``RequestError/invalidURL(_:)`` when it goes elsewhere with a secret in its URL or its body, from which nothing can be
    ///   left out.
    mutating func keepSecrets(at first: HTTPRequest) throws(RequestError) {
        guard let home = first.context.homeOrigin else { return }
        try keepSecrets(at: home, also: first.context.secrets)
    }

    /// The same for a request whose secrets belong to an origin that is known, whatever its own.
    ///
    /// - Parameter secrets: those of the call that aren't this request's.
    mutating func keepSecrets(at home: Origin, also secrets: SecretValues = SecretValues()) throws(RequestError) {
        context.homeOrigin = home
        guard let origin, !home.includes(origin) else { return }
        let text = url.absoluteString
        guard secrets.masking(text) == text, context.secrets.masking(text) == text else { throw astray(origin, home, with: "URL") }
        guard body?.secrets.isEmpty ?? true else { throw astray(origin, home, with: "body") }
        if headers.contains(where: \.isSecret) { headers.removeAll(where: \.isSecret) }
        // It names the host that the endpoint means.
        if headers.contains(.host) { headers.removeAll(.host) }
    }

    private func astray(_ origin: Origin, _ home: Origin, with part: String) -> RequestError {
        RequestError.invalidURL(
            .whole, "\(origin) isn't \(home), where the call's secrets belong, and the \(part) holds a secret of the call"
        )
        .retold { $0.add(self) }
    }
}
