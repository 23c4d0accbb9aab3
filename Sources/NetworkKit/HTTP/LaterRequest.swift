internal import PlatformBase

extension HTTPRequest {
    /// Makes this request one of those that follow a call's first, such as the next page or the next connection of a stream: the
    /// call's secrets belong where the first went, and what is secret among the fields doesn't go elsewhere.
    ///
    /// - Throws: ``RequestError/invalidURL(_:)`` when it goes elsewhere with a secret in its URL, from which nothing can be left out.
    mutating func keepSecrets(at first: HTTPRequest) throws(RequestError) {
        guard let home = first.context.homeOrigin else { return }
        context.homeOrigin = home
        guard let origin, !home.includes(origin) else { return }
        let text = url.absoluteString
        guard first.context.secrets.masking(text) == text, context.secrets.masking(text) == text else {
            throw RequestError.invalidURL(.whole, "\(origin) isn't \(home), where the call began, and the URL holds a secret of the call")
                .retold { $0.add(self) }
        }
        if headers.contains(where: \.isSecret) { headers.removeAll(where: \.isSecret) }
    }
}
