public import NetworkKit
public import PlatformBase

/// What stands between a program's calls and the server, outermost first: the log of `--verbose`, the cache of `--cache`, credentials,
/// and the way to a sample.
public struct Stack: Sendable {
    /// What `--verbose` shows, where it was asked for.
    public let log: CallLog?
    /// Where answers are kept, where a directory was given.
    public let cache: HTTPCache?
    /// How to get at the sample, where that is what is asked.
    public var sample: SampleAddress?

    /// What a command line asks for.
    ///
    /// A directory that can't be used is told of on standard error, and keeps no request from its answer.
    public init(_ console: Console, isVerbose: Bool, cacheDirectory: String?) {
        log = isVerbose ? CallLog(console) : nil
        cache = cacheDirectory.map { directory in
            HTTPCache(directory: URL(filePath: directory)) { console.note("Cache: \(TextLayout.printable($0.description))") }
        }
    }

    /// The list for a session.
    ///
    /// - Parameter credentials: what the server wants to be shown; a cache stands outside of that.
    public func interceptors(_ credentials: any Interceptor...) -> [any Interceptor] {
        var list: [any Interceptor] = []
        if let log { list.append(log.interceptor) }
        if let cache { list.append(.cache(cache)) }
        list += credentials
        if let sample { list.append(sample) }
        return list
    }
}

/// The way to a sample: its server has another port in every run, and what is asked of an address that changes is asked anew by every
/// cache. So calls have an address that stays, and this, innermost, sends them where the server is.
public struct SampleAddress: Interceptor {
    /// The address that calls have. Nobody ever has this host (RFC 2606).
    public let url: URL
    private let server: URL

    /// - Parameters:
    ///   - path: the path of the API, such as `/3`.
    ///   - server: where the server is, without a path.
    public init(path: String, server: URL) {
        self.server = server
        // The path is the program's own, so the other branch is never taken; it asks the server at its own address.
        url = URL(string: "http://made-up.invalid\(path)") ?? server.appending(path: path)
    }

    /// Sends the request to the server.
    public func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
        guard var parts = URLComponents(url: request.url, resolvingAgainstBaseURL: false) else { return try await next(request) }
        // It has no certificate, whatever the address of an image says.
        (parts.scheme, parts.host, parts.port) = (server.scheme, server.host(), server.port)
        var request = request
        if let url = parts.url { request.url = url }
        return try await next(request)
    }
}
