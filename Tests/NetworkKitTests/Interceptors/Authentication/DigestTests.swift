import NetworkKitTesting
import PlatformBase
import Testing

@testable import NetworkKit

@Suite("HTTP Digest, as values")
struct DigestTests {
    /// A challenge from the text of a field.
    static func challenge(_ text: String) throws -> DigestChallenge {
        try DigestChallenge(try #require(ChallengeList(["Digest " + text]).challenges.first))
    }

    private func answer(_ challenge: DigestChallenge, _ user: String, _ password: String, _ clientNonce: String, count: UInt32 = 1)
        -> DigestAnswer
    {
        let key = DigestAnswer.key(challenge, user: user, password: password, clientNonce: clientNonce)
        return DigestAnswer(challenge: challenge, user: user, key: key, count: count, clientNonce: clientNonce)
    }

    @Test(
        "The answers of RFC 7616 §3.9.1",
        arguments: [
            ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
            ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
        ])
    func rfc(algorithm: String, response: String) throws {
        let challenge = try Self.challenge(
            #"realm="http-auth@example.org", qop="auth, auth-int", algorithm=\#(algorithm), nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS""#
        )
        let value = answer(challenge, "Mufasa", "Circle of Life", "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ")
            .authorization(method: "GET", target: "/dir/index.html")
        #expect(
            value
                == #"Digest username="Mufasa", realm="http-auth@example.org", uri="/dir/index.html", algorithm=\#(algorithm), nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", nc=00000001, cnonce="f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", qop=auth, response="\#(response)", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS""#
        )
    }

    @Test("The answer of RFC 7616 §3.9.2 with its erratum 4897: SHA-512-256, UTF-8 and a hashed name")
    func rfcUserHash() throws {
        let challenge = try Self.challenge(
            #"realm="api@example.org", qop="auth", algorithm=SHA-512-256, nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS", charset=UTF-8, userhash=true"#
        )
        let value = answer(challenge, "J\u{E4}s\u{F8}n Doe", "Secret, or not?", "NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v")
            .authorization(method: "GET", target: "/doe.json")
        #expect(value.contains(#"username="793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b""#))
        #expect(value.contains(#"response="3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5""#))
        #expect(value.hasSuffix("userhash=true"))
    }

    @Test("Without a quality of protection the answer is that of RFC 2069")
    func withoutQuality() throws {
        let challenge = try Self.challenge(#"realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093""#)
        let value = answer(challenge, "Mufasa", "Circle Of Life", "unused").authorization(method: "GET", target: "/dir/index.html")
        #expect(value.hasSuffix(#"response="670fd8c2df070c60b045671b8b24ff02""#))
        #expect(!value.contains("cnonce") && !value.contains("algorithm") && !value.contains("qop"))
    }

    @Test("A session's key is made with nonce and client nonce (RFC 7616 §3.4.2)")
    func session() throws {
        let challenge = try Self.challenge(#"realm="r", nonce="n", algorithm=MD5-sess, qop=auth"#)
        let plain = Hexadecimal.text(MD5.hash(Array("u:r:p".utf8)))
        #expect(
            DigestAnswer.key(challenge, user: "u", password: "p", clientNonce: "c")
                == Hexadecimal.text(MD5.hash(Array("\(plain):n:c".utf8))))
    }

    @Test("Names are quoted, and outside of ASCII encoded; counts have eight digits")
    func names() throws {
        let challenge = try Self.challenge(#"realm="a \"b\" \\", nonce="n", qop="auth""#)
        let value = answer(challenge, #"x"\y"#, "p", "c", count: 0xFFF).authorization(method: "GET", target: "/")
        #expect(value.contains(#"username="x\"\\y", realm="a \"b\" \\""#) && value.contains("nc=00000fff"))
        // A mark behind a quote makes one character of both, and no other byte.
        let marked = try Self.challenge("realm=\"a\\\"\u{301}\\\\\u{301}\", nonce=\"n\", qop=\"auth\"")
        #expect(answer(marked, "u", "p", "c").authorization(method: "GET", target: "/").contains("realm=\"a\\\"\u{301}\\\\\u{301}\""))
        #expect(answer(challenge, "J\u{E4}", "p", "c").authorization(method: "GET", target: "/").contains("username*=UTF-8''J%C3%A4,"))
    }

    @Test(
        "The target is what stands in the request's first line",
        arguments: [
            ("https://a.test", "/"), ("https://a.test?x=1", "/?x=1"), ("https://a.test/a%2Fb/?q=%20#f", "/a%2Fb/?q=%20"),
            ("https://a.test/?", "/?"),
        ])
    func target(address: String, target: String) {
        #expect(DigestAnswer.target(of: HTTPRequest(url: url(address))) == target)
    }

    @Test(
        "The strongest challenge that can be answered is, and one that can't says why",
        arguments: [
            ([#"Digest realm="r", nonce="n""#], "md5"),
            ([#"Digest realm="r", nonce="n", algorithm=MD5, Digest realm="r", nonce="n", algorithm=SHA-256"#], "sha256"),
            (
                [
                    #"Digest realm="r", nonce="n", algorithm=SHA-512-256"#,
                    #"Digest realm="r", nonce="n", algorithm=sha-256-sess, qop=auth"#,
                ], "sha512_256"
            ),
            ([#"Digest realm="r", nonce="n", algorithm=SHA-3, Digest realm="r", nonce="n", algorithm=MD5"#], "md5"),
            ([#"Basic realm="r", Digest realm="r", nonce="n", qop="auth-int,auth""#, "???"], "md5"),
            ([#"Basic realm="r""#, "Bearer"], "none"), ([], "none"),
            (["Basic realm=My Device"], "none"), ([#"Bearer error="x"#], "none"), (["???"], "none"),
            (["Digest"], "no realm"), ([#"Digest realm="r""#], "no nonce"), ([#"Digest realm="r", nonce="""#], "no nonce"),
            ([#"Digest realm="r", nonce="n", algorithm=SHA-512"#], "SHA-512"),
            ([#"Digest realm="r", nonce="n", qop="auth-int""#], "auth-int"),
            ([#"Digest realm="r", nonce="n", algorithm=MD5-sess"#], "MD5-sess"), ([#"Digest realm="r, nonce="n""#], "malformed"),
            (["Digest \u{1}\u{2}"], "malformed"), ([#"Digest realm="r", nonce="n", qop="auth"#], "malformed"),
            ([#"Digest realm="r", nonce="n", nonce="m", algorithm=SHA-512"#], "malformed"),
        ])
    func demand(fields: [String], expected: String) {
        var head = ResponseHead(status: 401, url: url("https://a.test"))
        head.headers[values: .wwwAuthenticate] = fields
        switch DigestDemand(head) {
        case .none: #expect(expected == "none")
        case .answer(let challenge): #expect("\(challenge.algorithm)" == expected)
        case .unanswerable(let reason): #expect(reason.contains(expected))
        }
        head.status = 403
        guard case .none = DigestDemand(head) else { return #expect(Bool(false)) }
    }

    @Test("Nonces are counted, adopted once, followed by the next, and dropped when they are refused")
    func nonces() throws {
        let origin = try #require(Origin(url("https://a.test")))
        let other = try #require(Origin(url("https://b.test")))
        var state = DigestState()
        #expect(state.answer(for: origin, user: "u") == nil)
        let challenge = try Self.challenge(#"realm="r", nonce="n1", qop=auth"#)
        state.take(challenge, for: origin, key: "k", clientNonce: "c")
        #expect((1...3).map { _ in state.answer(for: origin, user: "u")?.count } == [1, 2, 3])
        // The same challenge, got by another request at the same time.
        state.take(challenge, for: origin, key: "k", clientNonce: "d")
        let answer = state.answer(for: origin, user: "u")
        #expect(answer?.count == 4 && answer?.clientNonce == "c" && state.answer(for: other, user: "u") == nil)
        var second = challenge
        second.nonce = "n2"
        state.next("n2", after: challenge, for: origin)
        state.next("n3", after: challenge, for: origin)
        state.next("bad\r\n", after: second, for: origin)
        let next = state.answer(for: origin, user: "u")
        #expect(next?.challenge.nonce == "n2" && next?.count == 1 && next?.key == "k")
        // A request that was under way before answers what it was asked, and no count of it comes twice.
        state.take(challenge, for: origin, key: "k", clientNonce: "e")
        let late = state.answer(to: challenge, for: origin, user: "u")
        #expect(late?.challenge.nonce == "n1" && late?.count == 5 && late?.clientNonce == "c")
        #expect(state.answer(for: origin, user: "u")?.challenge.nonce == "n2")
        state.drop(challenge, for: origin)
        #expect(state.answer(for: origin, user: "u") != nil)
        state.drop(second, for: origin)
        #expect(state.answer(for: origin, user: "u") == nil)
        for number in 0..<200 {
            state.take(challenge, for: Origin(scheme: "https", host: "h\(number)", port: 443), key: "k", clientNonce: "c")
        }
        #expect(
            (0..<200).count { state.answer(for: Origin(scheme: "https", host: "h\($0)", port: 443), user: "u") != nil } == DigestState.limit
        )
    }

    @Test("What is sent once more has the next count of its realm's newest nonce, or of its own")
    func onceMore() throws {
        let origin = try #require(Origin(url("https://a.test")))
        let (challenge, other) = (
            try Self.challenge(#"realm="r", nonce="n1", qop=auth"#), try Self.challenge(#"realm="s", nonce="m1", qop=auth"#)
        )
        var state = DigestState()
        state.take(challenge, for: origin, key: "k", clientNonce: "c")
        let first = state.answer(for: origin, user: "u")
        let sent = try #require(first)
        state.take(other, for: origin, key: "l", clientNonce: "d")
        let second = state.answer(after: sent, for: origin)
        #expect(second.challenge.nonce == "n1" && second.count == 2 && second.key == "k")
        state.next("n2", after: challenge, for: origin)
        let third = state.answer(after: second, for: origin)
        #expect(third.challenge.nonce == "n2" && third.count == 1)
        state.drop(third.challenge, for: origin)
        let last = state.answer(after: third, for: origin)
        #expect(last.challenge.nonce == "n2" && last.count == 2)
        // The other realm is as it was.
        let ahead = state.answer(for: origin, user: "u")
        #expect(ahead?.challenge.nonce == "m1")
    }

    @Test("One challenge is answered, and one that is only stale, and no nonce twice")
    func patience() throws {
        let (first, second, third) = (
            try Self.challenge(#"realm="r", nonce="1""#), try Self.challenge(#"realm="r", nonce="2""#),
            try Self.challenge(#"realm="r", nonce="3", stale=TRUE"#)
        )
        let stale = try Self.challenge(#"realm="r", nonce="4", stale=true"#)
        var patience = DigestPatience()
        #expect(patience.answers(first) && !patience.answers(first) && !patience.answers(second))
        #expect(patience.answers(third) && !patience.answers(third) && !patience.answers(stale))
        var ahead = DigestPatience()
        ahead.sent(ahead: "0")
        #expect(ahead.answers(stale) && ahead.answers(second) && !ahead.answers(first))
    }
}
