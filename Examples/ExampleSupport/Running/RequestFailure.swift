public import NetworkKit
public import PlatformBase

extension Failure {
    /// A failed call in one line.
    ///
    /// - Parameters:
    ///   - error: the failure.
    ///   - server: what the server is called: `TMDB`.
    ///   - key: how the key is called that it may have refused: `TMDB_ACCESS_TOKEN`.
    ///   - secrets: what must not be seen, though the server may say it back: the key.
    ///   - words: what the server itself said of the problem, where it did in a form of its own.
    ///   - now: the time, which a time to try again is counted from.
    public init(_ error: RequestError, server: String, key: String, hiding secrets: SecretValues, words: String? = nil, now: Date) {
        let said = (words ?? error.problem?.detail ?? error.problem?.title).map { Self.quoting($0, hiding: secrets) } ?? ""
        switch error {
        case .unauthorized:
            self.init(.refusedKey, "\(server) refused the key.\(said) Check \(key).")
        case .unexpectedStatusCode where error.statusCode == 403:
            self.init(.refusedKey, "\(server) refused the key, or what it may be used for is used up.\(said) Check \(key).")
        case .unexpectedStatusCode where error.statusCode == 429:
            let advice = error.retryAfter(now: now).map(WaitAdvice.text) ?? "It doesn't say when to try again: wait a minute."
            self.init(.rateLimit, "\(server) wants fewer requests. \(advice)\(said)")
        case .rejected:
            let advice = error.retryAfter.map(WaitAdvice.text) ?? "Try again later."
            self.init(.rateLimit, "Too many requests to \(server). \(advice)")
        case .unexpectedStatusCode where error.statusCode == 404:
            self.init(.notFound, "\(server) has nothing there (404).\(said)")
        case .unexpectedStatusCode:
            self.init(.server, "\(server) answered with \(error.statusCode.map { "\($0)" } ?? "an error").\(said)")
        case .decode(let details):
            let place = details.codingPath.isEmpty ? "" : " at \(details.codingPath)"
            let expected = details.expectedType.isEmpty || details.codingPath.isEmpty ? "" : ", where \(details.expectedType) is expected"
            self.init(.undecodable, "The answer of \(server) can't be read" + secrets.masking("\(place)\(expected): \(details.reason)"))
        case .connection(let details) where details.kind == .malformed:
            self.init(.undecodable, "\(server) can't be understood: what it sent is not HTTP.")
        case .connection(let details):
            self.init(.noNetwork, "\(details.url.flatMap(Self.address) ?? server) can't be reached: \(Self.words(for: details.kind)).")
        case .timedOut, .noResponse:
            self.init(.noNetwork, "\(server) didn't answer in time.")
        case .file(let details) where details.code == EEXIST:
            self.init(.failure, "There is a file “\(details.path)” already.")
        case .file(let details) where details.code != 0:
            self.init(.failure, "“\(details.path)”: \(String(cString: strerror(details.code))).")
        case .invalidURL(let details):
            self.init(.usage, "The request has no valid URL: \(secrets.masking(details.reason))")
        default:
            self.init(.failure, "\(error.customMessage) (\(server))")
        }
    }

    /// Host and port, which say more than the server's name where a base URL is wrong.
    private static func address(of url: URL) -> String? {
        url.host().map { host in url.port.map { "\(host):\($0)" } ?? host }
    }

    private static func words(for kind: RequestError.Connection.Kind) -> String {
        switch kind {
        case .nameLookup: "its name has no address (are you online?)"
        case .refused: "nobody listens there"
        case .reset: "it cut the connection"
        case .truncated: "the answer broke off"
        case .tls: "its certificate or its TLS is not to be trusted"
        case .proxy: "the proxy refused"
        default: "no connection could be made"
        }
    }

    /// What a server said, as a sentence behind another one: without secrets, with an end, and no longer than a line of an error
    /// should be.
    public static func quoting(_ words: String, hiding secrets: SecretValues) -> String {
        // Masked first: what is made printable or cut off isn't the secret any more, and still shows most of it.
        let words = TextLayout.truncated(TextLayout.printable(secrets.masking(words)), to: 200)
        return " It says: " + (words.last.map { ".!?…".contains($0) } == true ? words : words + ".")
    }
}
