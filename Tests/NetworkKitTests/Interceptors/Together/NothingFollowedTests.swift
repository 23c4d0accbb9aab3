import NetworkKitTesting
import PlatformBase
import Testing

@testable import NetworkKit

@Suite("Together: what is off costs nothing")
struct NothingFollowedTests {
    private struct Looking: Interceptor {
        let seen: Recorder<HTTPRequest>
        func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
            seen.add(request)
            return try await next(request)
        }
    }

    @Test("Without a listener, and with a log that takes nothing, the request goes through untouched and nobody is told of anything")
    func off() async throws {
        for stack in [[], [.logging(sink: .none)], [.logging(level: .bodies(limit: 100), sink: .none)]] as [[any Interceptor]] {
            let (outside, inside) = (Recorder<HTTPRequest>(), Recorder<HTTPRequest>())
            let stub = StubTransport(.text("ok"))
            let interceptors = [Looking(seen: outside)] + stack + [Looking(seen: inside)]
            let client = NetworkClient(session: HTTPSession(transport: stub, interceptors: interceptors))
            let body = RequestBody.data(Data("x".utf8))
            _ = try await client.data(for: SampleEndpoint(method: .put, body: body)).get()
            let (before, after) = (try #require(outside.values.first), try #require(inside.values.first))
            #expect(after.isSame(as: before) && after.context.events == nil)
        }
    }

    @Test("A log that takes something is told")
    func on() async throws {
        let inside = Recorder<HTTPRequest>()
        let stack: [any Interceptor] = [.logging(sink: LogSink { _ in }), Looking(seen: inside)]
        let client = NetworkClient(session: HTTPSession(transport: StubTransport(.text("ok")), interceptors: stack))
        _ = try await client.data(for: SampleEndpoint()).get()
        #expect(inside.values.first?.context.events != nil)
    }
}
