/// An interceptor that adds credentials, and so can tell whose they are before it has added them: a cache and coalescing stand
/// outside of it.
protocol IdentityProvider: Interceptor {
    /// Whose credentials they are, in a form that outlives a token and reveals nothing.
    var identity: String { get }
    /// Whether ``identity`` stays what it is.
    var isIdentityFixed: Bool { get }
    /// Whether the credentials come from work of the app's, which may send requests itself.
    var mayWork: Bool { get }
    /// Whether the current task is part of that work: its requests go without the credentials.
    var isAtWork: Bool { get }
}

/// Whose credentials a session's calls use: what its interceptors say, and the secret fields that a request brings along.
struct CallIdentity: Sendable {
    private let fixed: String?
    private let changing: [any IdentityProvider]
    private let providers: [any IdentityProvider]
    private let mayWork: Bool

    init(_ interceptors: [any Interceptor]) {
        providers = interceptors.compactMap { $0 as? any IdentityProvider }
        mayWork = providers.contains(where: \.mayWork)
        let fixed = providers.filter(\.isIdentityFixed).map(\.identity)
        self.fixed = fixed.isEmpty ? nil : fixed.joined(separator: Self.separator)
        changing = providers.filter { !$0.isIdentityFixed }
    }

    /// Stamps its identity on a request, `nil` on one without credentials, and whether it is part of the work that gets some: then it goes
    /// without those, and shares nothing with requests that wait for them.
    func stamp(_ request: inout HTTPRequest) {
        let isWork = mayWork && providers.contains(where: \.isAtWork)
        if isWork { request.context.isCredentialWork = true }
        if let identity = identity(of: request, isWork: isWork) { request.context.identity = identity }
    }

    private func identity(of request: HTTPRequest, isWork: Bool) -> String? {
        // Nearly no request has a secret field of its own, and hashing takes longer than all else here.
        let hasOwn = !request.hasPlainFields && request.headers.hasSecret
        guard hasOwn || isWork || !changing.isEmpty else { return fixed }
        var parts = (isWork ? providers.filter { !$0.isAtWork } : changing).map(\.identity)
        if let fixed, !isWork { parts.append(fixed) }
        if hasOwn { parts.append(Self.hash(request.headers.filter(\.isSecret).flatMap { [$0.name.rawName.lowercased(), $0.value] })) }
        return parts.isEmpty ? nil : parts.joined(separator: Self.separator)
    }

    /// Secrets as an identity.
    static func hash(_ parts: [String]) -> String {
        // With the length in front of each, so that no two lists look the same.
        mark + Hexadecimal.text(KeyedHash.ofProcess.hash(parts.flatMap { Array("\($0.utf8.count):".utf8) + Array($0.utf8) }).prefix(16))
    }

    /// An identity that nothing else has.
    static func madeUp() -> String {
        var random = SystemRandomNumberGenerator()
        return mark + Hexadecimal.text((0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) })
    }

    /// In front of what isn't an identity that somebody gave.
    private static let mark = "#"
    private static let separator = "\u{1F}"
}
