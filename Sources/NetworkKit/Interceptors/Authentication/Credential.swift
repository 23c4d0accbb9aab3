public import PlatformBase

/// What a session's requests prove with who sends them, and where that may go: what ``Interceptor/authentication(_:identity:)`` adds.
///
/// ```swift
/// .authentication(.bearer(token))
/// .authentication(.apiKey(key, header: "X-Api-Key").for(apiURL, imagesURL))
/// .authentication(.refreshing(stored, save: keychain.store) { old in try await signIn.refresh(old) })
/// ```
///
/// It goes to the origins that ``for(_:)-(URL...)`` declares. Without any, to the origin of each call's first request, also where that
/// is upgraded from http to https, and to no other that a redirect leads to: a session that calls several hosts should declare them.
public struct Credential: Sendable {
    enum Kind: Sendable {
        case fixed(FixedCredential)
        case provided(TokenProvider)
        case refreshed(RefreshableToken)
        case digest(DigestCredential)
    }

    let kind: Kind
    var reach = CredentialReach()

    /// A token that stays as it is, as `Authorization: Bearer` (RFC 6750 §2.1). An empty one ends a call with
    /// ``RequestError/authentication(_:)``, one with a line break with ``RequestError/encode(_:)``; nothing is sent.
    public static func bearer(_ token: String) -> Credential {
        Credential(kind: .fixed(FixedCredential(field: .authorization, "Bearer ", token, name: "token")))
    }

    /// A token that is asked for before each request, as `Authorization: Bearer`: for one that something else keeps fresh.
    ///
    /// What the closure throws ends the call with ``RequestError/authentication(_:)``, and one that doesn't return holds the call no
    /// longer than its deadline. A request that the closure itself sends through the same session goes without the token. For a token
    /// that is to be renewed after a 401, see ``refreshing(_:)``.
    public static func bearer(_ token: @escaping @Sendable () async throws -> String) -> Credential {
        Credential(kind: .provided(TokenProvider(token)))
    }

    /// User and password, as `Authorization: Basic` in UTF-8 (RFC 7617), without waiting for a challenge.
    ///
    /// A user with a colon, which can't be told from the password's beginning, ends a call with ``RequestError/encode(_:)``.
    public static func basic(user: String, password: String) -> Credential {
        Credential(kind: .fixed(.basic(user: user, password: password)))
    }

    /// A key in a field of its own, such as `X-Api-Key`. Secret whatever the field is called.
    public static func apiKey(_ key: String, header: HTTPField.Name) -> Credential {
        Credential(kind: .fixed(FixedCredential(field: header, "", key, name: "key")))
    }

    /// A key as an item of the query, such as `api_key`. It is masked wherever the URL is shown.
    public static func apiKey(_ key: String, query name: String) -> Credential {
        Credential(kind: .fixed(.query(name, key)))
    }

    /// User and password for HTTP Digest (RFC 7616): MD5, SHA-256, SHA-512-256 and their `-sess` forms, quality of protection `auth`.
    ///
    /// The first request waits for the server's challenge and is sent again with the answer; later ones bring the answer along.
    /// A stale nonce is answered anew, once; a refusal is returned as the 401 that it is. A challenge that can't be answered ends the
    /// call with ``RequestError/authentication(_:)``, which says why. A body that can't be sent again gets the 401 itself.
    ///
    /// - Parameter random: makes the client's nonces.
    public static func digest(
        user: String, password: String, random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) -> Credential {
        Credential(kind: .digest(DigestCredential(user: user, password: password, random: random)))
    }

    /// The same credential, sent to the origins of these URLs and to no other, whichever origin a call begins with. The URLs' paths
    /// don't count. A URL without an origin declares nothing.
    public func `for`(_ urls: URL...) -> Credential { self.for(urls.compactMap { Origin($0) }) }

    /// The same credential, sent to these origins and to no other. No origins: it is sent nowhere.
    public func `for`(_ origins: [Origin]) -> Credential {
        var copy = self
        copy.reach = CredentialReach(origins: origins)
        return copy
    }
}

extension Credential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// What it is, and nothing of the secret: `bearer token in Authorization`.
    public var description: String {
        switch kind {
        case .fixed(let credential): credential.place
        case .provided: "provided bearer token in Authorization"
        case .refreshed: "refreshed bearer token in Authorization"
        case .digest: "digest answer in Authorization"
        }
    }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// What `dump` sees: the description.
    public var customMirror: Mirror { Mirror(self, children: ["credential": description]) }
}
