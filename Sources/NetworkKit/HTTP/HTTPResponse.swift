public import PlatformBase

/// The head of an answer: all of it but the body.
public struct ResponseHead: Sendable {
    /// The status.
    public var status: HTTPStatus
    /// The fields, in order, repeated ones apart.
    public var headers: HTTPFields
    /// The URL that gave the answer: the last one, after redirects.
    public var url: URL
    /// The answers before the final one, such as 103 Early Hints, in order (RFC 9110 §15.2).
    public var interim: [(status: HTTPStatus, headers: HTTPFields)]

    /// A head.
    public init(
        status: HTTPStatus, headers: HTTPFields = [:], url: URL, interim: [(status: HTTPStatus, headers: HTTPFields)] = []
    ) {
        self.status = status
        self.headers = headers
        self.url = url
        self.interim = interim
    }
}

extension ResponseHead: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Status and fields, secret values masked. Not the URL: whether a key is part of it, only the request knows.
    public var description: String { headers.isEmpty ? "\(status)" : "\(status)\n\(headers)" }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// What `dump` sees.
    public var customMirror: Mirror { Mirror(self, children: ["status": status.description, "headers": headers]) }
}

/// An answer: its head, and its body as a stream that is read once.
@dynamicMemberLookup
public struct HTTPResponse: Sendable {
    /// Status, fields and final URL; its members are reached directly too: `response.status`.
    public var head: ResponseHead
    /// The body.
    public var body: ResponseBody
    /// What the request cost so far. When the body has been read to its end, ``ResponseBody/metrics`` has the final figures.
    public var metrics: RequestMetrics
    /// The request that it answers, as the transport got it: what is secret in it must be masked where the answer is quoted, also what an
    /// interceptor added. `nil` for an answer that didn't come through a stack.
    var request: HTTPRequest?
    /// Its place among the call's attempts, for an answer that came through a stack.
    var attempt: Int?

    /// An answer.
    public init(head: ResponseHead, body: ResponseBody = .empty, metrics: RequestMetrics = .init()) {
        self.head = head
        self.body = body
        self.metrics = metrics
    }

    /// A member of the head.
    public subscript<Value>(dynamicMember member: WritableKeyPath<ResponseHead, Value>) -> Value {
        get { head[keyPath: member] }
        set { head[keyPath: member] = newValue }
    }
}

extension HTTPResponse {
    /// What is told when the body breaks off: the head, what is secret, and that the attempt failed after all.
    func broken(by error: RequestError) -> RequestError {
        if let request, let attempt {
            request.context.scope?.endAttempt(attempt, at: request.context.clock.now, status: head.status, failure: error.caseName)
        }
        return error.retold { story in
            story.response = story.response ?? FailedResponse(head: head)
            if let request { story.secrets.formUnion(request.allSecrets) }
        }
    }
}
