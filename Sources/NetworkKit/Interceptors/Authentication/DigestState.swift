/// The nonces that a credential has, some for each origin, and how often they have been used, as a value.
///
/// An origin is taken for one protection space where nobody says otherwise: the newest challenge's answer is sent ahead. The `domain` of
/// a challenge (RFC 7616 §3.3) could make it narrower; an answer where none was asked for does no harm. What is asked for is answered by
/// its own realm and nonce, whatever else has been asked meanwhile.
struct DigestState: Sendable {
    private struct Space {
        var challenge: DigestChallenge
        var key: String
        var clientNonce: String
        var count: UInt32 = 0

        /// The next answer; `nil` when there are no more counts.
        mutating func answer(_ user: String) -> DigestAnswer? {
            guard count < .max else { return nil }
            count += 1
            return DigestAnswer(challenge: challenge, user: user, key: key, count: count, clientNonce: clientNonce)
        }

        func isOf(_ other: DigestChallenge) -> Bool { challenge.nonce == other.nonce && challenge.realm == other.realm }
    }

    /// More origins than a session that means to sign in has.
    static let limit = 100
    /// How many nonces an origin has at a time: an old one is asked for again by requests that were under way.
    private static let depth = 8

    /// Those of each origin, the newest last.
    private var spaces: [Origin: [Space]] = [:]

    /// The next answer for an origin, to be sent ahead; `nil` where no challenge has come yet.
    mutating func answer(for origin: Origin, user: String) -> DigestAnswer? {
        guard let newest = spaces[origin]?.indices.last else { return nil }
        return spaces[origin]?[newest].answer(user)
    }

    /// The next answer to one challenge, which has been taken.
    mutating func answer(to challenge: DigestChallenge, for origin: Origin, user: String) -> DigestAnswer? {
        guard let place = spaces[origin]?.lastIndex(where: { $0.isOf(challenge) }) else { return nil }
        return spaces[origin]?[place].answer(user)
    }

    /// The answer for a request that is sent once more by somebody who doesn't know of it: by the newest nonce of the realm, and by one
    /// that isn't known any more with a count of its own.
    mutating func answer(after used: DigestAnswer, for origin: Origin) -> DigestAnswer {
        if let place = spaces[origin]?.lastIndex(where: { $0.challenge.realm == used.challenge.realm }),
            let answer = spaces[origin]?[place].answer(used.user)
        {
            return answer
        }
        var answer = used
        if answer.count < .max { answer.count += 1 }
        return answer
    }

    /// Takes a challenge. One whose nonce is known, as when several requests got it at once, goes on counting.
    mutating func take(_ challenge: DigestChallenge, for origin: Origin, key: String, clientNonce: String) {
        if spaces[origin]?.contains(where: { $0.isOf(challenge) }) == true { return }
        if spaces.count >= Self.limit, spaces[origin] == nil, let other = spaces.keys.first { spaces[other] = nil }
        add(Space(challenge: challenge, key: key, clientNonce: clientNonce), for: origin)
    }

    /// The server wants another nonce next time (RFC 7616 §3.5). It says so to each of several requests at once; the first counts. The
    /// key of a `-sess` form stays that of the challenge (§3.4.2).
    mutating func next(_ nonce: String, after used: DigestChallenge, for origin: Origin) {
        guard !nonce.isEmpty, nonce != used.nonce, Token.firstForbiddenInFieldValue(nonce) == nil else { return }
        guard var space = spaces[origin]?.last(where: { $0.challenge.realm == used.realm }), space.isOf(used) else { return }
        space.challenge.nonce = nonce
        space.count = 0
        add(space, for: origin)
    }

    /// An answer to this challenge was refused for good: nothing is sent ahead for its realm, unless there is a newer one.
    mutating func drop(_ refused: DigestChallenge, for origin: Origin) {
        guard spaces[origin]?.last(where: { $0.challenge.realm == refused.realm })?.isOf(refused) == true else { return }
        spaces[origin]?.removeAll { $0.challenge.realm == refused.realm }
        if spaces[origin]?.isEmpty == true { spaces[origin] = nil }
    }

    private mutating func add(_ space: Space, for origin: Origin) {
        spaces[origin, default: []].append(space)
        if let count = spaces[origin]?.count, count > Self.depth { spaces[origin]?.removeFirst() }
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
