import NetworkKitTesting
import PlatformBase
import Testing

@testable import NetworkKit

@Suite("Whose credentials a call uses")
struct IdentityTests {
    private func identity(_ interceptors: [any Interceptor], headers: HTTPFields = [:], baseURL: String = "https://a.test") throws
        -> String?
    {
        let session = HTTPSession(transport: StubTransport(.status(200)), interceptors: interceptors)
        return try session.request(for: SampleEndpoint(baseURL: url(baseURL), headers: headers), delivery: .value, wantsJSON: true).context
            .identity
    }

    @Test("Nobody's, without credentials")
    func nobody() throws {
        #expect(try identity([]) == nil)
        #expect(try identity([.redirects()], headers: ["X-Plain": "p"]) == nil)
    }

    @Test("A fixed credential's is the same in every session, another for another, and reveals nothing")
    func fixed() throws {
        let secrets: [Credential] = [
            .bearer("hunter22"), .bearer("hunter23"), .basic(user: "jo", password: "hunter22"), .basic(user: "j", password: "ohunter22"),
            .apiKey("hunter22", header: "X-Key"), .apiKey("hunter22", query: "X-Key"), .digest(user: "jo", password: "hunter22"),
        ]
        let identities = try secrets.map { try #require(try identity([.authentication($0)])) }
        #expect(Set(identities).count == secrets.count)
        #expect(try secrets.map { try identity([.authentication($0)]) } == identities)
        #expect(identities.allSatisfy { !$0.contains("hunter") && !$0.contains("jo") && $0.utf8.count == 33 })
    }

    @Test("A provider's is made up for it, and stays while its tokens come and go")
    func provided() async throws {
        let credential = Credential.bearer { "\(UInt64.random(in: 0 ... .max))" }
        let mine = try #require(try identity([.authentication(credential)]))
        #expect(try identity([.authentication(credential)]) == mine)
        #expect(try identity([.authentication(.bearer { "t" })]) != mine)
    }

    @Test("A renewed token's stays while it is renewed, and is another when somebody else signs in")
    func renewed() throws {
        let token = RefreshableToken(AccessToken("a")) { _ in AccessToken("b") }
        let session = HTTPSession(transport: StubTransport(.status(200)), interceptors: [.authentication(.refreshing(token))])
        func now() throws -> String? { try session.request(for: SampleEndpoint(), delivery: .value, wantsJSON: true).context.identity }
        let first = try #require(try now())
        #expect(try now() == first)
        token.set(AccessToken("c"))
        #expect(try now() != first)
    }

    @Test("The one that was given stands, for any credential")
    func given() throws {
        for credential in [
            Credential.bearer("t"), .bearer { "t" }, .refreshing(nil) { _ in AccessToken("b") }, .digest(user: "u", password: "p"),
        ] {
            #expect(try identity([.authentication(credential, identity: "account-7")]) == "account-7")
        }
    }

    @Test("Secret fields of the endpoint count, hashed, beside what the session has")
    func ownFields() throws {
        let own = try #require(try identity([], headers: ["Authorization": "Bearer hunter22"]))
        #expect(!own.contains("hunter22"))
        #expect(try identity([], headers: ["authorization": "Bearer hunter22"]) == own)
        let others: [String?] = [
            own, try identity([], headers: ["Authorization": "Bearer x"]), try identity([], headers: ["Cookie": "Bearer hunter22"]),
            try identity([], headers: ["X-Api-Key": .secret("Bearer hunter22")]), try identity([], baseURL: "https://jo:pw@a.test"),
            try identity([.authentication(.bearer("t"), identity: "me")]),
            try identity([.authentication(.bearer("t"), identity: "me")], headers: ["Authorization": "Bearer hunter22"]),
            try identity([.authentication(.bearer("t"), identity: "me"), .authentication(.apiKey("k", query: "k"))]),
        ]
        #expect(!others.contains(nil) && Set(others).count == others.count)
    }

    @Test("It is known to interceptors that stand outside of authentication")
    func outside() async throws {
        struct Spy: Interceptor {
            let seen: Recorder<String?>
            func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
                seen.add(request.context.identity)
                return try await next(request)
            }
        }
        let seen = Recorder<String?>()
        let session = HTTPSession(
            transport: StubTransport(.status(200)), interceptors: [Spy(seen: seen), .authentication(.bearer("t"), identity: "me")])
        _ = await NetworkClient(session: session).data(for: SampleEndpoint())
        #expect(seen.values == ["me"])
    }
}
