/// An interceptor that adds credentials, and so can tell whose they are before it has added them: a cache and coalescing stand
/// outside of it.
protocol IdentityProvider: Interceptor {
    /// Whose credentials they are, in a form that outlives a token and reveals nothing.
    var identity: String { get }
    /// Whether ``identity`` stays what it is.
    var isIdentityFixed: Bool { get }
}

/// Whose credentials a session's calls use: what its interceptors say, and the secret fields that a request brings along.
struct CallIdentity: Sendable {
    private let fixed: String?
    private let changing: [any IdentityProvider]

    init(_ interceptors: [any Interceptor]) {
        let providers = interceptors.compactMap { $0 as? any IdentityProvider }
        let fixed = providers.filter(\.isIdentityFixed).map(\.identity)
        self.fixed = fixed.isEmpty ? nil : fixed.joined(separator: Self.separator)
        changing = providers.filter { !$0.isIdentityFixed }
    }

    /// The identity of a request; `nil` for one without credentials.
    func identity(of request: HTTPRequest) -> String? {
        // Nearly no request has a secret field of its own, and hashing takes longer than all else here.
        let hasOwn = !request.hasPlainFields && request.headers.hasSecret
        guard hasOwn || !changing.isEmpty else { return fixed }
        var parts = changing.map(\.identity)
        if let fixed { parts.append(fixed) }
        if hasOwn { parts.append(Self.hash(request.headers.filter(\.isSecret).flatMap { [$0.name.rawName.lowercased(), $0.value] })) }
        return parts.joined(separator: Self.separator)
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
