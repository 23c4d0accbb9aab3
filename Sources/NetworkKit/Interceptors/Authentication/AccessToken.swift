public import PlatformBase

/// A token that lasts for some time, and what it can be renewed with.
public struct AccessToken: Sendable, Hashable, Codable {
    /// What is sent.
    public var value: String
    /// When it is no longer good; `nil` when that isn't known: then a 401 tells.
    public var expires: Date?
    /// What a new one is had with (RFC 6749 §1.5), if anything.
    public var refreshToken: String?

    /// A token.
    public init(_ value: String, expires: Date? = nil, refreshToken: String? = nil) {
        self.value = value
        self.expires = expires
        self.refreshToken = refreshToken
    }
}

extension AccessToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// When it expires, and nothing of the token.
    public var description: String { "token " + SecretValues.mask + (expires.map { ", good until \($0)" } ?? "") }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// What `dump` sees: the description.
    public var customMirror: Mirror { Mirror(self, children: ["token": description]) }
}
