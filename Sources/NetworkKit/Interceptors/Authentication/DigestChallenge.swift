/// What a server asks of HTTP Digest, as far as it can be answered (RFC 7616 §3.3).
struct DigestChallenge: Sendable, Hashable {
    struct Fault: Error { let reason: String }

    var realm: String
    var nonce: String
    var opaque: String?
    /// Whether only the nonce was wrong with the answer before.
    var isStale: Bool
    var algorithm: DigestAlgorithm
    /// Whether the key is one for all answers with the nonce: the `-sess` forms.
    var isSession: Bool
    /// The algorithm as it was named; `nil` when it wasn't, which means MD5.
    var algorithmName: String?
    /// Whether `qop=auth` is offered. A challenge without a quality of protection is of RFC 2069.
    var hasQuality: Bool
    var hashesUser: Bool

    init(_ challenge: Challenge) throws(Fault) {
        guard let realm = challenge["realm"] else { throw Fault(reason: "it has no realm") }
        guard let nonce = challenge["nonce"], !nonce.isEmpty else { throw Fault(reason: "it has no nonce") }
        self.realm = realm
        self.nonce = nonce
        opaque = challenge["opaque"]
        isStale = challenge["stale"]?.lowercased() == "true"
        algorithmName = challenge["algorithm"]
        let name = algorithmName ?? "MD5"
        isSession = name.lowercased().hasSuffix("-sess")
        guard let algorithm = DigestAlgorithm(isSession ? String(name.dropLast(5)) : name) else {
            throw Fault(reason: "its algorithm \(Token.quoted(name)) isn't known; MD5, SHA-256 and SHA-512-256 are")
        }
        self.algorithm = algorithm
        let qualities = challenge["qop"].map { text in text.split(separator: ",").map { $0.trimmingSpaces().lowercased() } } ?? []
        hasQuality = qualities.contains("auth")
        if !hasQuality, let other = qualities.first {
            throw Fault(reason: "its quality of protection \(Token.quoted(other)) isn't known; auth is")
        }
        if isSession && !hasQuality { throw Fault(reason: "its algorithm \(Token.quoted(name)) needs a quality of protection") }
        hashesUser = challenge["userhash"]?.lowercased() == "true"
        // What is sent back must not begin another field, whatever the server's answer let pass.
        for value in [realm, nonce, opaque ?? ""] {
            if let control = Token.firstForbiddenInFieldValue(value) { throw Fault(reason: "a value in it has a \(control)") }
        }
    }
}

/// What an answer's fields ask of Digest.
enum DigestDemand: Sendable {
    /// Nothing that Digest could give.
    case none
    case answer(DigestChallenge)
    /// Digest, and in no form that can be answered, with the reason.
    case unanswerable(String)

    /// The strongest of the challenges that can be answered (RFC 7616 §5.10); of several as strong, the first.
    init(_ head: ResponseHead) {
        guard head.status == 401 else {
            self = .none
            return
        }
        let fields = head.headers[values: .wwwAuthenticate]
        let list = ChallengeList(fields)
        var best: DigestChallenge?
        // What is wrong with other schemes is no reason.
        let faults = ChallengeList(fields.filter { $0.lowercased().contains("digest ") }).faults
        var reasons = faults.map { "WWW-Authenticate is malformed: \($0)" }
        for challenge in list.challenges where challenge.scheme == "digest" {
            do throws(DigestChallenge.Fault) {
                let candidate = try DigestChallenge(challenge)
                if best.map({ $0.algorithm < candidate.algorithm }) ?? true { best = candidate }
            } catch {
                reasons.append(error.reason)
            }
        }
        self = best.map { .answer($0) } ?? reasons.first.map { .unanswerable($0) } ?? .none
    }
}
