internal import PlatformBase

/// What proves the knowledge of a password, for one request (RFC 7616 §3.4): a function of the challenge and the request.
struct DigestAnswer {
    var challenge: DigestChallenge
    var user: String
    /// ``key(_:user:password:clientNonce:)``
    var key: String
    /// How often the nonce has been used, from 1.
    var count: UInt32
    var clientNonce: String

    /// `A1`, hashed: the same for all answers to one challenge.
    static func key(_ challenge: DigestChallenge, user: String, password: String, clientNonce: String) -> String {
        let key = challenge.algorithm.hash(user, challenge.realm, password)
        return challenge.isSession ? challenge.algorithm.hash(key, challenge.nonce, clientNonce) : key
    }

    /// The value of `Authorization`.
    ///
    /// - Parameter target: path and query as they are sent.
    func authorization(method: String, target: String) -> String {
        let algorithm = challenge.algorithm
        let subject = algorithm.hash(method, target)
        let response =
            challenge.hasQuality
            ? algorithm.hash(key, challenge.nonce, countText, clientNonce, "auth", subject) : algorithm.hash(key, challenge.nonce, subject)
        var parts = [userPart, "realm=\(Self.quoted(challenge.realm))", "uri=\(Self.quoted(target))"]
        if let name = challenge.algorithmName { parts.append("algorithm=\(name)") }
        parts.append("nonce=\(Self.quoted(challenge.nonce))")
        if challenge.hasQuality { parts += ["nc=\(countText)", "cnonce=\(Self.quoted(clientNonce))", "qop=auth"] }
        parts.append("response=\"\(response)\"")
        if let opaque = challenge.opaque { parts.append("opaque=\(Self.quoted(opaque))") }
        if challenge.hashesUser { parts.append("userhash=true") }
        return "Digest " + parts.joined(separator: ", ")
    }

    /// The name, hashed where the server asks for that (RFC 7616 §3.4.4), and what quotes can't hold by RFC 8187.
    private var userPart: String {
        if challenge.hashesUser { return "username=\"\(challenge.algorithm.hash(user, challenge.realm))\"" }
        guard user.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { return "username*=UTF-8''\(PercentEncoding.encodeValue(user))" }
        return "username=\(Self.quoted(user))"
    }

    private var countText: String {
        let digits = String(count, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    private static func quoted(_ text: String) -> String {
        // By bytes: a quote with a mark behind it is a quote all the same.
        var bytes = [UInt8(ascii: "\"")]
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
            bytes.append(byte)
        }
        return String(decoding: bytes + [UInt8(ascii: "\"")], as: UTF8.self)
    }

    /// The target of a request as its first line has it.
    static func target(of request: HTTPRequest) -> String {
        let reference = URIReference(request.url.absoluteString)
        return (reference.path.isEmpty ? "/" : reference.path) + (reference.query.map { "?\($0)" } ?? "")
    }
}
