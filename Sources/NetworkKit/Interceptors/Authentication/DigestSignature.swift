internal import PlatformBase

/// An answer of HTTP Digest that is made anew each time its request is sent: a server may refuse a count that it has had (RFC 7616 §3.4),
/// and retry and hedging further in send copies of what they were given.
final class DigestSignature: RequestSignature {
    private struct Content {
        var answer: DigestAnswer
        var isSent = false
    }

    private let credential: DigestCredential
    private let origin: Origin
    private let method: HTTPMethod
    private let target: String
    /// What the request has from the beginning. Whoever puts something else there, or takes it away, is left alone.
    private let value: String
    private let content: Lock<Content>

    init(_ answer: DigestAnswer, by credential: DigestCredential, for request: HTTPRequest, to origin: Origin) {
        self.credential = credential
        self.origin = origin
        method = request.method
        target = DigestAnswer.target(of: request)
        value = answer.authorization(method: method.name, target: target)
        content = Lock(Content(answer: answer))
    }

    /// The answer that was sent last.
    var answer: DigestAnswer { content.withLock(\.answer) }

    /// The request with its first answer, which is made anew when it is sent once more.
    func signed(_ request: HTTPRequest) -> HTTPRequest {
        var request = request.adding(HTTPField(name: .authorization, value: value, isSecret: true))
        request.context.signature = self
        return request
    }

    func sign(_ request: inout HTTPRequest) {
        guard request.origin == origin, request.headers[values: .authorization] == [value] else { return }
        let (used, isSent) = content.withLock { content in
            defer { content.isSent = true }
            return (content.answer, content.isSent)
        }
        // What stands further in may have added to the URL, as a key does.
        let target = DigestAnswer.target(of: request)
        var answer = used
        if isSent {
            answer = credential.answer(after: used, for: origin)
            content.withLock { [answer] in $0.answer = answer }
        } else if target == self.target, request.method == method {
            return
        }
        request.setChecked(.authorization, answer.authorization(method: request.method.name, target: target))
    }
}
