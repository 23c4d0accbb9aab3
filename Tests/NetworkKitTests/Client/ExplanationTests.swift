import Foundation
import NetworkKitTesting
import Testing

@testable import NetworkKit

@Suite("Explaining a call")
struct ExplanationTests {
    private struct Search: ResponseEndpoint {
        typealias Response = Item
        var baseURL = url("https://jo:pa55word@api.example.com/v1?lang=en")
        var path: Path { "users/\(secret: "s3cret/user")/items" }
        var query: Query { ["page": 2, "key": .secret("s3cret query")] }
        var headers: HTTPFields { ["X-Trace": "on"] }
        var method: any RequestMethod { .post }
        var body: RequestBody? { .json(["a": "s3cret-body"]).hiding("s3cret-body") }
        var options: RequestOptions { .init(timeout: .seconds(5), idempotencyKey: "k-1", name: "search") }
    }

    private struct Talker: Interceptor {
        func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse { try await next(request) }
        func describe(_ request: HTTPRequest) -> String? { "sends \(request.headers["X-Key"] ?? "nothing")" }
    }

    @Test("It says where each part comes from, sends nothing, and shows no secret")
    func whole() {
        let transport = StubTransport(redirects: [:])
        let session = HTTPSession(
            transport: transport, interceptors: [.logging(sink: .none), Talker()], defaults: .init(deadline: .seconds(60)),
            headers: ["User-Agent": "Mine/1", "X-Key": .secret("s3cret-key")])
        let explanation = NetworkClient(session: session).explain(Search())
        let mask = "***"
        #expect(explanation.error == nil && explanation.name == "search" && explanation.method == "POST")
        #expect(explanation.url == "https://api.example.com/v1/users/***/items?lang=en&page=2&key=***")
        #expect(
            explanation.urlParts.map { [$0.name, $0.value, $0.origin] } == [
                ["base", "https://api.example.com/v1", "baseURL"], ["user information", mask, "baseURL; sent as Authorization"],
                ["path", "users/***/items", "path"], ["query", "lang=en", "baseURL"], ["query", "page=2", "query"],
                ["query", "key=***", "query"],
            ])
        #expect(
            explanation.fields.map { [$0.name, $0.value, $0.origin] } == [
                ["X-Trace", "on", "endpoint"], ["Authorization", mask, "baseURL"], ["Content-Type", "application/json", "body"],
                ["Idempotency-Key", "k-1", "options.idempotencyKey"], ["Accept", "application/json", "what is expected"],
                ["User-Agent", "Mine/1", "session"], ["X-Key", mask, "session"],
            ])
        #expect(
            explanation.limits.map { [$0.name, $0.value, $0.origin] } == [
                ["timeout", "5.00 s", "endpoint"], ["deadline", "60.0 s", "session"], ["collected body", "67108864 bytes", "library"],
            ])
        #expect(explanation.stack.map(\.name) == ["LoggingInterceptor", "Talker", "RedirectInterceptor", "StubTransport"])
        #expect(explanation.stack.map(\.value) == ["writes a line", "sends ***", "follows up to 20, none from https to http", "sends it"])
        let shown = everythingShown(of: explanation)
        #expect(!shown.contains("s3cret") && !shown.contains("pa55word") && transport.requests.isEmpty)
        #expect("\(explanation)".hasPrefix("search: POST https://api.example.com/v1/users/***/items"))
    }

    @Test("An endpoint that can't be sent explains why, and shows no secret")
    func invalid() {
        struct Broken: Endpoint {
            var baseURL = url("https://api.example.com")
            var path: Path { "\(secret: "s3cret")/\("..")" }
        }
        let explanation = NetworkClient(session: HTTPSession(transport: StubTransport(redirects: [:]))).explain(Broken())
        #expect(explanation.url == nil && explanation.name == "Broken")
        #expect(explanation.error?.hasPrefix("invalidURL: ") == true && explanation.error?.contains("dot segment") == true)
        #expect("\(explanation)".contains("can't be sent: invalidURL") && !everythingShown(of: explanation).contains("s3cret"))
    }
}
