import NetworkKitTesting
import PlatformBase
import Testing

@testable import NetworkKit

@Suite("Authentication: HTTP Digest", .timeLimit(.minutes(1)))
struct DigestInterceptorTests {
    private func client(_ transport: any Transport, password: String = "Circle of Life") -> NetworkClient {
        let credential = Credential.digest(user: "Mufasa", password: password, random: SeededRandom(seed: 7))
        return NetworkClient(session: HTTPSession(transport: transport, interceptors: [.authentication(credential)]))
    }

    @Test("The first request waits for the challenge, later ones bring the answer along and count")
    func ahead() async throws {
        let server = DigestServer()
        let client = client(server.stub)
        for page in 1...3 { _ = try await client.data(for: SampleEndpoint(path: "a b/c", query: ["page": page])).get() }
        #expect(server.log == ["none", "n1 1", "n1 2", "n1 3"])
    }

    @Test("The client's nonce is of the randomness that is given")
    func random() async throws {
        let (first, second) = (DigestServer().stub, DigestServer().stub)
        for stub in [first, second] { _ = try await client(stub).data(for: SampleEndpoint()).get() }
        #expect(first.requests.last?.headers[.authorization] != nil)
        #expect(first.requests.last?.headers[.authorization] == second.requests.last?.headers[.authorization])
    }

    @Test("B35: a stale nonce is answered anew, once, and the caller sees nothing of it")
    func stale() async throws {
        let server = DigestServer(uses: 1)
        let client = client(server.stub)
        for _ in 0..<2 { _ = try await client.data(for: SampleEndpoint()).get() }
        #expect(server.log == ["none", "n1 1", "stale n1 2", "n2 1"])
    }

    @Test("B35: a server that calls every nonce stale gets its 401 returned")
    func alwaysStale() async throws {
        let server = DigestServer(uses: 0)
        let error = await client(server.stub).data(for: SampleEndpoint()).failure
        #expect(error?.caseName == "unauthorized" && server.log == ["none", "stale n1 1", "stale n2 1"])
    }

    @Test("B35: a wrong password is one more sending, then the 401, and isn't sent ahead of the next request")
    func wrong() async throws {
        let server = DigestServer()
        let client = client(server.stub, password: "wrong")
        for _ in 0..<2 { #expect(await client.data(for: SampleEndpoint()).failure?.caseName == "unauthorized") }
        #expect(server.log == ["none", "wrong", "none", "wrong"])
    }

    @Test("The nonce that the server wants next is used next (RFC 7616 §3.5), over sockets")
    func nextNonce() async throws {
        let server = DigestServer(uses: 1, givesNext: true)
        try await LoopbackServer.with(server.routes) { loopback in
            let client = TestClient(interceptors: [.authentication(.digest(user: "Mufasa", password: "Circle of Life"))])
            for _ in 0..<3 { _ = try await client.text(loopback.call("it", .post, body: .data(Data("x".utf8)))) }
        }
        #expect(server.log == ["none", "n1 1", "n2 1", "n3 1"])
    }

    @Test("Many requests at once all succeed, and no count is used twice")
    func concurrent() async throws {
        let server = DigestServer()
        try await LoopbackServer.with(server.routes) { loopback in
            let client = TestClient(interceptors: [.authentication(.digest(user: "Mufasa", password: "Circle of Life"))])
            _ = try await client.text(loopback.call("first"))
            let fine = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<8 { group.addTask { await client.data(for: loopback.call("it")).failure == nil } }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(fine == 8)
        }
        let counted = server.log.filter { $0.hasPrefix("n") && $0 != "none" }
        #expect(Set(counted).count == counted.count)
    }

    @Test("A body that can't be sent again gets the 401, and the next request brings the answer along")
    func stream() async throws {
        let server = DigestServer()
        let client = client(server.stub)
        func body() -> RequestBody { .stream([Data("x".utf8)].stream) }
        #expect(await client.data(for: SampleEndpoint(method: .post, body: body())).failure?.caseName == "unauthorized")
        _ = try await client.data(for: SampleEndpoint(method: .post, body: body())).get()
        #expect(server.log == ["none", "n1 1"])
    }

    @Test(
        "Bad input: a digest challenge that is nonsense ends the call with what is wrong with it",
        arguments: [
            (#"Digest"#, "no realm"), (#"Digest realm="r""#, "no nonce"), (#"Digest realm="r", nonce="n", algorithm=ROT13"#, "ROT13"),
            (#"Digest realm="r", nonce="n", qop="telepathy""#, "telepathy"), (#"Digest realm="r, nonce=n"#, "no end"),
            (#"Digest realm=r realm=r"#, "comma"), (#"Digest realm="r", nonce="a", nonce="b""#, "twice"),
        ])
    func nonsense(field: String, reason: String) async throws {
        let stub = StubTransport(.status(401, headers: ["WWW-Authenticate": field]))
        let error = try #require(await client(stub).data(for: SampleEndpoint()).failure)
        #expect(error.caseName == "authentication" && error.statusCode == 401 && error.description.contains(reason))
        #expect(stub.requests.count == 1)
    }

    @Test("A 401 that doesn't ask for Digest is the answer, and so is any other status")
    func others() async throws {
        for stub in [
            StubTransport(.status(401, headers: ["WWW-Authenticate": "Basic realm=x"])), StubTransport(.status(401)),
            StubTransport(.status(403)),
        ] {
            #expect(await client(stub).data(for: SampleEndpoint()).failure?.response != nil)
            #expect(stub.requests.count == 1)
        }
    }

    @Test("The password is in no error, and the answer is masked")
    func secrets() async throws {
        let server = DigestServer()
        let stub = server.stub
        let error = try #require(await client(stub, password: "hunter22").data(for: SampleEndpoint()).failure)
        let request = try #require(stub.requests.last?.request)
        #expect(!everythingShown(of: error).contains("hunter22") && !request.description.contains("response="))
    }
}

/// Against somebody else's server.
@Suite(
    "Authentication: HTTP Digest with httpbin",
    .enabled(if: HTTPBinServer.isInstalled, "needs Python with the package httpbin: .ci/run prepare"))
struct DigestHTTPBinTests {
    private let server: HTTPBinServer

    init() throws { server = try #require(HTTPBinServer.shared) }

    /// Sends back the cookies that it got: httpbin keeps there how often a nonce may be used.
    private final class Cookies: Interceptor {
        private let kept = Lock<[String: String]>([:])

        func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
            var request = request
            let text = kept.withLock { $0.map { "\($0)=\($1)" }.joined(separator: "; ") }
            if !text.isEmpty { request.headers[.cookie] = text }
            let response = try await next(request)
            for cookie in response.headers[values: .setCookie] {
                let pair = cookie.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1).map(String.init)
                if pair.count == 2 { kept.withLock { $0[pair[0]] = pair[1] } }
            }
            return response
        }
    }

    private struct Answer: Decodable, Sendable { let authenticated: Bool, user: String }

    private func client(_ password: String, statuses: Recorder<Int>) -> TestClient {
        struct Spy: Interceptor {
            let statuses: Recorder<Int>
            func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
                let response = try await next(request)
                statuses.add(response.status.code)
                return response
            }
        }
        return TestClient(interceptors: [.authentication(.digest(user: "jo", password: password)), Cookies(), Spy(statuses: statuses)])
    }

    private func call(_ path: String) -> Call { Call(baseURL: server.baseURL, path: Path(path)) }

    @Test(
        "The right password is accepted, and the second request brings its answer along", arguments: ["MD5", "SHA-256"],
        ["auth", "auth-int"])
    func accepted(algorithm: String, quality: String) async throws {
        let statuses = Recorder<Int>()
        let client = client("pw", statuses: statuses)
        let path = "digest-auth/\(quality)/jo/pw/\(algorithm)"
        guard quality == "auth" else {
            let error = await client.data(for: call(path)).failure
            #expect(error?.caseName == "authentication" && error?.description.contains("auth-int") == true)
            return
        }
        for _ in 0..<2 {
            let answer = try await client.sendRequest(endpoint: call(path), responseModel: Answer.self).get()
            #expect(answer.authenticated && answer.user == "jo")
        }
        #expect(statuses.values == [401, 200, 200])
    }

    @Test("Where the server leaves the quality open, auth is taken")
    func openQuality() async throws {
        let answer = try await client("pw", statuses: Recorder()).sendRequest(
            endpoint: call("digest-auth/any/jo/pw/SHA-256"), responseModel: Answer.self
        ).get()
        #expect(answer.authenticated)
    }

    @Test("B35: a nonce that is stale after one use is answered anew, and both requests succeed")
    func stale() async throws {
        let statuses = Recorder<Int>()
        let client = client("pw", statuses: statuses)
        for _ in 0..<2 { _ = try await client.data(for: call("digest-auth/auth/jo/pw/SHA-256/1")).get() }
        #expect(statuses.values == [401, 200, 401, 200])
    }

    @Test("B35: the wrong password is tried once, and the 401 is the answer")
    func wrong() async throws {
        let statuses = Recorder<Int>()
        let error = await client("wrong", statuses: statuses).data(for: call("digest-auth/auth/jo/pw/SHA-256/1")).failure
        #expect(error?.caseName == "unauthorized" && statuses.values == [401, 401])
    }

    @Test("An algorithm of httpbin's own, SHA-512, ends the call with its name")
    func unknown() async throws {
        let error = await client("pw", statuses: Recorder()).data(for: call("digest-auth/auth/jo/pw/SHA-512")).failure
        #expect(error?.caseName == "authentication" && error?.description.contains("SHA-512") == true)
    }
}
