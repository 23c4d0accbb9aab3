internal import PlatformBase

extension RequestError {
    /// One sentence for the person in front of the screen: no URL, no code, no secret. What the server says of its problem
    /// (RFC 9457 `detail` or `title`) is preferred to a sentence of our own.
    public var customMessage: String {
        let problem = problem
        if let words = [problem?.detail, problem?.title].lazy.compactMap({ $0 }).first(where: { !$0.isEmpty }) {
            return story?.allSecrets.masking(words) ?? words
        }
        return switch self {
        case .invalidURL, .encode: "The request could not be made."
        case .noResponse: "The server did not answer."
        case .unauthorized: "The server did not accept your sign-in or key."
        case .unexpectedStatusCode: messageForStatus
        case .decode: "The server's answer could not be read."
        case .connection(let details): Self.message(for: details.kind)
        case .timedOut: "The server took too long to answer."
        case .cancelled: "The request was cancelled."
        case .responseTooLarge: "The server's answer is too large."
        case .redirect: "The server sent the request to a place that can't be used."
        case .notReplayable: "The upload was interrupted and can't be sent again by itself."
        case .rejected: "Too many requests at the moment. Please try again later."
        case .authentication: "Your sign-in could not be renewed."
        case .file: "A file could not be read or written."
        case .integrity: "The data arrived damaged."
        case .stream: "The data could not be read to its end."
        case .interceptor(let error): (error as? RequestError)?.customMessage ?? "Something went wrong."
        case .unknown: "Something went wrong."
        }
    }

    private var messageForStatus: String {
        switch statusCode?.code {
        case 403: "You are not allowed to see this."
        case 404, 410: "This could not be found."
        case 408, 504: "The server took too long to answer."
        case 429: "Too many requests at the moment. Please try again later."
        case .some(500...599): "The server has a problem. Please try again later."
        default: "The server refused the request."
        }
    }

    private static func message(for kind: Connection.Kind) -> String {
        switch kind {
        case .nameLookup: "The server could not be found. Are you online?"
        case .tls: "The connection to the server is not secure."
        case .malformed: "The server's answer could not be read."
        default: "The connection to the server failed."
        }
    }

    /// What is known of somebody else's error without asking it for its text, which may quote the request and its secrets: the
    /// type, and the case of an enum.
    static func kind(of error: any Error) -> String {
        if let error = error as? RequestError { return error.description }
        let mirror = Mirror(reflecting: error)
        guard mirror.displayStyle == .enum else { return "\(type(of: error))" }
        // The name of a case with values is its mirror's label; one without values has no secret to tell, unless it writes its own text.
        // Its type is asked, since a value may be taken for a bridged one, which always does.
        let type: any Any.Type = type(of: error)
        let writesText = type is any CustomStringConvertible.Type || type is any CustomDebugStringConvertible.Type
        let isPlain = mirror.children.isEmpty && !writesText
        let name = mirror.children.first?.label ?? (isPlain ? "\(error)" : nil)
        return "\(type)" + (name.map { ".\($0)" } ?? "")
    }

    /// The name of the case, as in a `switch`.
    package var caseName: String {
        switch self {
        case .invalidURL: "invalidURL"
        case .encode: "encode"
        case .noResponse: "noResponse"
        case .unauthorized: "unauthorized"
        case .unexpectedStatusCode: "unexpectedStatusCode"
        case .decode: "decode"
        case .unknown: "unknown"
        case .connection: "connection"
        case .timedOut: "timedOut"
        case .cancelled: "cancelled"
        case .responseTooLarge: "responseTooLarge"
        case .redirect: "redirect"
        case .notReplayable: "notReplayable"
        case .rejected: "rejected"
        case .authentication: "authentication"
        case .file: "file"
        case .integrity: "integrity"
        case .stream: "stream"
        case .interceptor: "interceptor"
        }
    }

    /// The facts of the kind in words, without the reason.
    private var factsInWords: [String] {
        switch self {
        case .connection(let details): ["(\(details.kind.rawValue))"]
        case .timedOut(let details): ["(\(details.limit.rawValue)\(details.after.map { " of \($0)" } ?? ""))"]
        case .decode(let details):
            [
                details.codingPath.isEmpty ? nil : "at \(details.codingPath)",
                details.expectedType.isEmpty ? nil : "expecting \(details.expectedType)",
            ].compactMap { $0 }
        case .encode(let details): details.codingPath.isEmpty ? [] : ["at \(details.codingPath)"]
        case .rejected(let details): details.retryAfter.map { ["(try again in \($0))"] } ?? []
        default: []
        }
    }
}

extension RequestError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// One paragraph for the log: the kind, the request, the status, the reason, the place in the body. Secrets are masked. Of an
    /// error that isn't this library's it says the type: its own text may hold what it likes.
    public var description: String { text(naming: true) }

    /// The same for a line that names the request itself.
    var descriptionWithoutRequest: String { text(naming: false) }

    private func text(naming: Bool) -> String {
        guard let story else {
            guard case .interceptor(let error) = self else { return caseName }
            return "\(caseName): \(Self.kind(of: error))"
        }
        var text = ([caseName] + factsInWords).joined(separator: " ")
        if naming, let url = story.url {
            text += ": \(story.name.map { "\($0), " } ?? "")\(story.method.map { "\($0) " } ?? "")\(url.absoluteString)"
        }
        if let status = story.response?.head.status { text += " → \(status)" }
        if story.attempts.count > 1 { text += " (\(story.attempts.count) attempts)" }
        if !story.reason.isEmpty { text += ": \(story.reason)" }
        if case .decode(let details) = self, !details.excerpt.isEmpty { text += ", near: \(details.excerpt)" }
        if case .stream(let details) = self, !details.excerpt.isEmpty { text += ", near: \(details.excerpt)" }
        return story.allSecrets.masking(text)
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// What `dump` sees: the description, so that no secret is shown there either.
    public var customMirror: Mirror { Mirror(self, children: [caseName: description]) }
}
