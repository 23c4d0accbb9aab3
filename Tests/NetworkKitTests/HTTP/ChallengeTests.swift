import NetworkKitTesting
import PlatformBase
import Testing

@testable import NetworkKit

@Suite("WWW-Authenticate")
struct ChallengeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var fields: [String]
        var text: [String]
        var faults = 0
        var testDescription: String { fields.joined(separator: " / ") }
    }

    static let rows = [
        Row(fields: [], text: []),
        Row(fields: [""], text: []),
        Row(fields: ["Basic"], text: ["basic"]),
        Row(fields: ["Basic realm=\"a\""], text: ["basic realm=a"]),
        Row(fields: ["BASIC REALM=a"], text: ["basic realm=a"]),
        // RFC 9110 §11.6.1
        Row(
            fields: [#"Basic realm="simple", Newauth realm="apps", type=1, title="Login to \"apps\"""#],
            text: ["basic realm=simple", #"newauth realm=apps title=Login to "apps" type=1"#]),
        Row(fields: ["Newauth realm=\"apps\"", "Basic realm=\"simple\""], text: ["newauth realm=apps", "basic realm=simple"]),
        Row(fields: [", ,Basic realm=a,, ,Negotiate,"], text: ["basic realm=a", "negotiate"]),
        Row(fields: ["Negotiate, Basic realm=\"a, b=c\""], text: ["negotiate", "basic realm=a, b=c"]),
        Row(fields: ["Negotiate YWJj+/==, Digest nonce=x"], text: ["negotiate [YWJj+/==]", "digest nonce=x"]),
        Row(fields: ["Basic realm = \"a\" , charset\t=\tUTF-8"], text: ["basic charset=UTF-8 realm=a"]),
        Row(fields: ["Basic realm=\"\""], text: ["basic realm="]),
        Row(fields: ["Bearer"], text: ["bearer"]),
        Row(fields: ["Basic realm=\"ä\""], text: ["basic realm=ä"]),
        Row(fields: ["Basic realm=, Digest nonce=x"], text: ["basic [realm=]", "digest nonce=x"]),
        // Malformed: what comes before the challenge at fault counts, and so do other fields.
        Row(fields: ["Basic realm=\"a"], text: [], faults: 1),
        Row(fields: ["Bearer, Basic realm=\"a"], text: ["bearer"], faults: 1),
        Row(fields: ["realm=\"a\""], text: [], faults: 1),
        Row(fields: ["Basic realm=a realm=b"], text: [], faults: 1),
        Row(fields: ["Basic realm=a, realm=b"], text: [], faults: 1),
        Row(fields: ["Digest nonce=x, qop=, stale=true"], text: [], faults: 1),
        Row(fields: ["\"Basic\"", "Digest nonce=x"], text: ["digest nonce=x"], faults: 1),
        Row(fields: ["Basic realm=a, Digest nonce=x, ???"], text: ["basic realm=a"], faults: 1),
        Row(fields: ["Digest \u{7F}"], text: [], faults: 1),
        Row(fields: ["Basic a b"], text: [], faults: 1),
    ]

    @Test("Challenges are read, several in one field and several fields", arguments: rows)
    func read(_ row: Row) {
        let list = ChallengeList(row.fields)
        let text = list.challenges.map { challenge in
            let parameters = challenge.parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            return ([challenge.scheme] + (challenge.token68.map { ["[\($0)]"] } ?? []) + parameters).joined(separator: " ")
        }
        #expect(text == row.text)
        #expect(list.faults.count == row.faults, "\(list.faults)")
        var head = ResponseHead(status: 401, url: url("https://a.test"))
        head.headers[values: .wwwAuthenticate] = row.fields
        #expect(head.challenges == list.challenges)
    }

    @Test("Any bytes are read to an end", arguments: 0..<20)
    func noise(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let letters = Array("ab=\",\\ \t=-[ä")
        for _ in 0..<500 {
            let text = String((0..<Int.random(in: 0...30, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a" })
            _ = ChallengeList([text])
        }
    }

    @Test("A parameter is found by its name in any case")
    func name() throws {
        let challenge = try #require(ChallengeList(["Digest Stale=TRUE"]).challenges.first)
        #expect(challenge["sTALE"] == "TRUE" && challenge["nonce"] == nil)
    }
}
