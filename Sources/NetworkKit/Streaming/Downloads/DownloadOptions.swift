/// How a download becomes a file.
///
/// ```swift
/// await client.download(Release(), to: file, options: .init(existingFile: .replace, sha256: published))
/// ```
public struct DownloadOptions: Sendable, Hashable {
    /// What becomes of a file that is there already.
    public enum ExistingFile: Sendable, Hashable {
        /// It stays, and the download fails before anything is sent.
        case fail
        /// It stays until the new one is whole, which then takes its place at once.
        case replace
    }

    /// What becomes of a file that is there already. Default: ``ExistingFile/fail``.
    public var existingFile: ExistingFile
    /// The SHA-256 that the file must have, as 64 hexadecimal digits. One that has another is removed, and the download fails with
    /// ``RequestError/integrity(_:)``. `nil`, the default, checks nothing but the length.
    public var sha256: String?
    /// When a download that breaks off goes on by itself, and whether a later one may.
    public var resumption: ResumptionPolicy

    /// Options.
    public init(existingFile: ExistingFile = .fail, sha256: String? = nil, resumption: ResumptionPolicy = .standard) {
        self.existingFile = existingFile
        self.sha256 = sha256
        self.resumption = resumption
    }
}

/// When a download that breaks off goes on.
///
/// What breaks off is a connection that fails, a silence past ``RequestOptions/timeout``, and a server that says 408, 425, 429, 500, 502,
/// 503 or 504 to the request for the rest. A first request that fails isn't sent again: that is ``Interceptor/retry(_:budget:random:)``'s
/// to do.
public struct ResumptionPolicy: Sendable, Hashable {
    /// How many attempts in a row may bring nothing new before the last one's error ends the download. Default 5. With 0, what breaks off
    /// ends it at once.
    ///
    /// For an answer that can't be resumed, and so begins anew, all attempts count.
    public var maximumAttempts: Int
    /// How long to wait before each; a server that asks for longer by `Retry-After` gets it. Default: up to 0.5 s, then twice as long
    /// each time, up to 20 s.
    public var backoff: Backoff
    /// The longest wait that a server may ask for; one that asks for longer ends the download. Default 60 s.
    public var longestServerWait: Duration
    /// Whether what has come is kept when the download fails or is cancelled, so that the next one of the same URL to the same file goes on
    /// from there, in another process too. Default `true`.
    public var keepsPartialFile: Bool

    /// A policy.
    public init(
        maximumAttempts: Int = 5, backoff: Backoff = .standard, longestServerWait: Duration = .seconds(60), keepsPartialFile: Bool = true
    ) {
        self.maximumAttempts = maximumAttempts
        self.backoff = backoff
        self.longestServerWait = longestServerWait
        self.keepsPartialFile = keepsPartialFile
    }

    /// 5 attempts without progress, growing waits, and what has come is kept.
    public static var standard: ResumptionPolicy { .init() }
    /// The first failure ends the download, and nothing is kept.
    public static var none: ResumptionPolicy { .init(maximumAttempts: 0, keepsPartialFile: false) }
}
