internal import PlatformBase

/// User and password for HTTP Digest, with what servers have asked for so far: a thin driver over ``DigestState``.
final class DigestCredential: Sendable {
    private struct Content {
        var state = DigestState()
        var random: any RandomNumberGenerator & Sendable
    }

    let identity: String
    private let user: String
    private let password: String
    private let content: Lock<Content>

    init(user: String, password: String, random: any RandomNumberGenerator & Sendable) {
        identity = CallIdentity.hash(["digest", user, password])
        self.user = user
        self.password = password
        content = Lock(Content(random: random))
    }

    /// Sends a request, with an answer where a challenge is known, and again with one where it comes.
    func send(_ request: HTTPRequest, _ next: Next) async throws(RequestError) -> HTTPResponse {
        guard let origin = request.origin else { return try await next(request) }
        var patience = DigestPatience()
        var answer = content.withLock { $0.state.answer(for: origin, user: user) }
        if let answer { patience.sent(ahead: answer.challenge.nonce) }
        while true {
            let response = try await next(answer.map { request.adding(field($0, request)) } ?? request)
            switch DigestDemand(response.head) {
            case .none:
                if let answer { takeNextNonce(response.head, after: answer, origin) }
                return response
            case .unanswerable(let reason):
                response.body.discard()
                throw .unanswerable(reason, response.head)
            case .answer(let challenge):
                guard patience.answers(challenge) else {
                    // What was refused isn't sent ahead of the next request.
                    if let answer { content.withLock { $0.state.drop(answer.challenge.nonce, for: origin) } }
                    return response
                }
                take(challenge, for: origin)
                guard request.isReplayable else { return response }
                response.body.discard()
                answer = content.withLock { $0.state.answer(for: origin, user: user) }
            }
        }
    }

    /// Takes a challenge, to be answered from now on.
    private func take(_ challenge: DigestChallenge, for origin: Origin) {
        let clientNonce = content.withLock { content in
            Hexadecimal.text((0..<16).map { _ in UInt8.random(in: .min ... .max, using: &content.random) })
        }
        let key = DigestAnswer.key(challenge, user: user, password: password, clientNonce: clientNonce)
        content.withLock { $0.state.take(challenge, for: origin, key: key, clientNonce: clientNonce) }
    }

    private func field(_ answer: DigestAnswer, _ request: HTTPRequest) -> HTTPField {
        let value = answer.authorization(method: request.method.name, target: DigestAnswer.target(of: request))
        return HTTPField(name: .authorization, value: value, isSecret: true)
    }

    private func takeNextNonce(_ head: ResponseHead, after answer: DigestAnswer, _ origin: Origin) {
        guard let info = head.headers["Authentication-Info"] else { return }
        guard let nonce = AuthenticationParser.parameters(info)["nextnonce"] else { return }
        content.withLock { $0.state.next(nonce, after: answer.challenge.nonce, for: origin) }
    }
}

extension RequestError {
    fileprivate static func unanswerable(_ reason: String, _ head: ResponseHead) -> RequestError {
        .authentication(.init(reason: "the server's Digest challenge can't be answered: \(reason)")).retold { story in
            story.response = FailedResponse(head: head)
        }
    }
}
