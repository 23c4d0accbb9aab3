/// The nonces that a credential has, each for its origin, and how often they have been used, as a value.
///
/// An origin is taken for one protection space. The `domain` of a challenge (RFC 7616 §3.3) could make it narrower; an answer where none
/// was asked for does no harm.
struct DigestState: Sendable {
    private struct Space {
        var challenge: DigestChallenge
        var key: String
        var clientNonce: String
        var count: UInt32 = 0
    }

    /// More origins than a session that means to sign in has.
    static let limit = 100

    private var spaces: [Origin: Space] = [:]

    /// The next answer for an origin; `nil` where no challenge has come yet.
    mutating func answer(for origin: Origin, user: String) -> DigestAnswer? {
        guard var space = spaces[origin], space.count < .max else { return nil }
        space.count += 1
        spaces[origin] = space
        return DigestAnswer(
            challenge: space.challenge, user: user, key: space.key, count: space.count, clientNonce: space.clientNonce)
    }

    /// Takes a challenge. One whose nonce is known, as when several requests got it at once, goes on counting.
    mutating func take(_ challenge: DigestChallenge, for origin: Origin, key: String, clientNonce: String) {
        if let known = spaces[origin], known.challenge.nonce == challenge.nonce { return }
        if spaces.count >= Self.limit, spaces[origin] == nil, let other = spaces.keys.first { spaces[other] = nil }
        spaces[origin] = Space(challenge: challenge, key: key, clientNonce: clientNonce)
    }

    /// The server wants another nonce next time (RFC 7616 §3.5). It says so to each of several requests at once; the first counts. The
    /// key of a `-sess` form stays that of the challenge (§3.4.2).
    mutating func next(_ nonce: String, after used: String, for origin: Origin) {
        guard !nonce.isEmpty, nonce != used, Token.firstForbiddenInFieldValue(nonce) == nil else { return }
        guard spaces[origin]?.challenge.nonce == used else { return }
        spaces[origin]?.challenge.nonce = nonce
        spaces[origin]?.count = 0
    }

    /// An answer with this nonce was refused for good.
    mutating func drop(_ nonce: String, for origin: Origin) {
        if spaces[origin]?.challenge.nonce == nonce { spaces[origin] = nil }
    }
}

/// Whether an answer that was refused is worth another (RFC 7616 §3.3, §3.4.2): a function of what has been sent so far.
struct DigestPatience {
    /// What the request has been sent with.
    private var answered: [String] = []
    /// Whether one of the answers was to a challenge of this request.
    private var hasAnsweredChallenge = false
    private var hasAnsweredStale = false

    /// Notes an answer that is sent without having been asked for, by a nonce of before.
    mutating func sent(ahead nonce: String) { answered.append(nonce) }

    /// Whether to answer: one challenge, and one that says that only the nonce was stale, but never the same nonce twice.
    mutating func answers(_ challenge: DigestChallenge) -> Bool {
        guard !answered.contains(challenge.nonce) else { return false }
        if challenge.isStale && !answered.isEmpty {
            guard !hasAnsweredStale else { return false }
            hasAnsweredStale = true
        } else {
            guard !hasAnsweredChallenge else { return false }
            hasAnsweredChallenge = true
        }
        answered.append(challenge.nonce)
        return true
    }
}
