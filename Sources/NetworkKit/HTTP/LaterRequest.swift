internal import PlatformBase

extension HTTPRequest {
    /// Makes this request one of those that follow a call's first, such as the next page or the next connection of a stream: the
    /// call's secrets belong where the first went, and what is secret among the fields doesn't go elsewhere.
    mutating func keepSecrets(at first: HTTPRequest) {
        guard let home = first.context.homeOrigin else { return }
        context.homeOrigin = home
        guard let origin, !home.includes(origin) else { return }
        if headers.contains(where: \.isSecret) { headers.removeAll(where: \.isSecret) }
    }
}
