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
            let signature = answer.map { DigestSignature($0, by: self, for: request, to: origin) }
            let response = try await next(signature?.signed(request) ?? request)
            // It may have been sent more than once; this is the answer to the last.
            let last = signature?.answer
            switch DigestDemand(response.head) {
            case .none:
                if let last { takeNextNonce(response.head, after: last, origin) }
                return response
            case .unanswerable(let reason):
                response.body.discard()
                throw .unanswerable(reason, response.head)
            case .answer(let challenge):
                if let last, last.challenge.nonce != answer?.challenge.nonce { patience.sent(ahead: last.challenge.nonce) }
                guard patience.answers(challenge) else {
                    // What was refused isn't sent ahead of the next request.
                    if let last { content.withLock { $0.state.drop(last.challenge, for: origin) } }
                    return response
                }
                let isReplayable = request.isReplayable
                answer = take(challenge, for: origin, answering: isReplayable)
                guard isReplayable else { return response }
                response.body.discard()
            }
        }
    }

    /// The answer for a request that is sent once more, after one that has been used.
    func answer(after used: DigestAnswer, for origin: Origin) -> DigestAnswer {
        content.withLock { $0.state.answer(after: used, for: origin) }
    }

    /// Takes a challenge, to be answered from now on, and answers it: both at once, since another request may take its own in between,
    /// whose nonce may be good for one answer only.
    private func take(_ challenge: DigestChallenge, for origin: Origin, answering: Bool) -> DigestAnswer? {
        let clientNonce = content.withLock { content in
            Hexadecimal.text((0..<16).map { _ in UInt8.random(in: .min ... .max, using: &content.random) })
        }
        let key = DigestAnswer.key(challenge, user: user, password: password, clientNonce: clientNonce)
        return content.withLock { content in
            content.state.take(challenge, for: origin, key: key, clientNonce: clientNonce)
            return answering ? content.state.answer(to: challenge, for: origin, user: user) : nil
        }
    }

    private func takeNextNonce(_ head: ResponseHead, after answer: DigestAnswer, _ origin: Origin) {
        guard let info = head.headers["Authentication-Info"] else { return }
        guard let nonce = AuthenticationParser.parameters(info)["nextnonce"] else { return }
        content.withLock { $0.state.next(nonce, after: answer.challenge, for: origin) }
    }
}

extension RequestError {
    fileprivate static func unanswerable(_ reason: String, _ head: ResponseHead) -> RequestError {
        .authentication(.init(reason: "the server's Digest challenge can't be answered: \(reason)")).retold { story in
            story.response = FailedResponse(head: head)
        }
    }
}
