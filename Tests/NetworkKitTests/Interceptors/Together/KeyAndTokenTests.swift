import NetworkKitTesting
import PlatformBase
import Testing

@testable import NetworkKit

@Suite("Together: keys that make idempotent, and new tokens")
struct KeyAndTokenTests {
    private var policy: RetryPolicy {
        var policy = RetryPolicy(backoff: .constant(.zero))
        policy.makesIdempotencyKeys = true
        return policy
    }

    private func client(_ stub: StubTransport, isRetryInside: Bool) -> NetworkClient {
        let token = RefreshableToken(AccessToken("old"), refresh: { _ in AccessToken("new") })
        let stack: [any Interceptor] = [.authentication(.refreshing(token)), .retry(policy)]
        return NetworkClient(session: HTTPSession(transport: stub, interceptors: isRetryInside ? stack : stack.reversed()))
    }

    @Test("A request that is sent again for a new token keeps its key, wherever retry stands", arguments: [true, false])
    func newToken(isRetryInside: Bool) async throws {
        // 401, then a failure that passes, then the answer.
        let stub = StubTransport(.status(401), .status(503), .text("ok"))
        let client = client(stub, isRetryInside: isRetryInside)
        _ = try await client.data(for: SampleEndpoint(method: .post, body: .data(Data("x".utf8)))).get()
        let keys = stub.requests.map { $0.headers[.idempotencyKey] }
        #expect(keys.count == 3 && keys[0] != nil && Set(keys).count == 1)
        #expect(stub.requests.map { $0.headers[.authorization] } == ["Bearer old", "Bearer new", "Bearer new"])
    }

    @Test("Another call, and another request of the same call, has another key")
    func others() async throws {
        struct Twice: Interceptor {
            func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
                var other = request
                other.url = url("https://api.example.com/other")
                try await next(other).body.discard()
                return try await next(request)
            }
        }
        let stub = StubTransport(.text("ok"))
        let client = NetworkClient(session: HTTPSession(transport: stub, interceptors: [Twice(), .retry(policy)]))
        for _ in 0..<2 { _ = try await client.data(for: SampleEndpoint(path: "a", method: .post)).get() }
        #expect(Set(stub.requests.compactMap { $0.headers[.idempotencyKey] }).count == 4)
    }
}
