import NetworkKitTesting
import PlatformBase

@testable import NetworkKit

/// A server's side of HTTP Digest, written for tests from RFC 7616 and not from the library's side: SHA-256, quality `auth`.
final class DigestServer: Sendable {
    struct State {
        /// The counts that each nonce has come with.
        var nonces: [String: Set<Int>] = [:]
        var made = 0
        var log: [String] = []
        /// How many right answers were met with 503.
        var outages = 0
    }

    let state = Lock(State())
    let password: String
    /// How often a nonce may be used.
    let uses: Int
    let givesNext: Bool
    /// Whether a count that it has had is only stale, as RFC 7616 allows, or wrong, as Apache finds.
    let saysStale: Bool
    /// How many right answers are met with 503 at first.
    let outages: Int
    /// Which realm a path is of.
    let realm: @Sendable (String) -> String

    init(
        password: String = "Circle of Life", uses: Int = .max, givesNext: Bool = false, saysStale: Bool = true, outages: Int = 0,
        realm: @escaping @Sendable (String) -> String = { _ in "all" }
    ) {
        self.password = password
        self.uses = uses
        self.givesNext = givesNext
        self.saysStale = saysStale
        self.outages = outages
        self.realm = realm
    }

    /// What a request to a stub is answered with: status and fields.
    func answer(_ request: StubRequest) -> (HTTPStatus, HTTPFields) {
        answer(method: request.method.name, target: request.target, authorization: request.headers[.authorization])
    }

    /// The same for a request of any server.
    func answer(method: String, target: String, authorization: String?) -> (HTTPStatus, HTTPFields) {
        let realm = realm(target)
        return state.withLock { state in
            guard let authorization else {
                state.log.append("none")
                return (401, Self.challenge(nonce(&state), realm, stale: false))
            }
            let given = AuthenticationParser.parameters(String(authorization.dropFirst("Digest ".count)))
            let (nonce, count) = (given["nonce"] ?? "", Int(given["nc"] ?? "", radix: 16) ?? -1)
            func hash(_ text: String) -> String { Hexadecimal.text(SHA256.hash(Array(text.utf8))) }
            let key = hash("Mufasa:\(realm):\(password)")
            let right = hash("\(key):\(nonce):\(given["nc"] ?? ""):\(given["cnonce"] ?? ""):auth:\(hash("\(method):\(target)"))")
            let isRight = given["response"] == right && given["uri"] == target && given["username"] == "Mufasa"
            guard isRight else {
                state.log.append("wrong")
                return (401, Self.challenge(self.nonce(&state), realm, stale: false))
            }
            guard let used = state.nonces[nonce], count > 0, !used.contains(count), count <= uses else {
                state.log.append("stale \(nonce) \(count)")
                return (401, Self.challenge(self.nonce(&state), realm, stale: saysStale))
            }
            state.nonces[nonce] = used.union([count])
            state.log.append("\(nonce) \(count)")
            guard state.outages >= outages else {
                state.outages += 1
                return (503, [:])
            }
            return (200, givesNext ? ["Authentication-Info": "nextnonce=\"\(self.nonce(&state))\", qop=auth"] : [:])
        }
    }

    private func nonce(_ state: inout State) -> String {
        state.made += 1
        state.nonces["n\(state.made)"] = []
        return "n\(state.made)"
    }

    private static func challenge(_ nonce: String, _ realm: String, stale: Bool) -> HTTPFields {
        [
            "WWW-Authenticate":
                "Basic realm=\"all\", Digest realm=\"\(realm)\", qop=\"auth, auth-int\", algorithm=SHA-256, nonce=\"\(nonce)\", opaque=\"o\", stale=\(stale)"
        ]
    }

    var log: [String] { state.withLock(\.log) }

    var stub: StubTransport {
        StubTransport {
            $0.fallback { [self] request in
                let (status, headers) = answer(request)
                return .text("\(status.code)", status: status, headers: headers)
            }
        }
    }

    var routes: LoopbackRoutes {
        LoopbackRoutes {
            $0.any("/*") { [self] request in
                _ = try await request.body()
                let (status, headers) = answer(
                    method: request.method.name, target: request.target, authorization: request.headers[.authorization])
                return .text("\(status.code)", status: status, headers: headers)
            }
        }
    }
}
