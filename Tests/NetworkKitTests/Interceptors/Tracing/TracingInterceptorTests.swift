import Foundation
import NetworkKitTesting
import PlatformBase
import Testing

@testable import NetworkKit

@Suite("Tracing")
struct TracingInterceptorTests {
    private static let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    private static let today = Date(timeIntervalSince1970: 1_000_000_000)
    private let spans = Recorder<TraceSpan>()

    private func send(
        _ endpoint: SampleEndpoint = SampleEndpoint(), redirects: [String: String] = [:], status: HTTPStatus = 302,
        further: [any Interceptor] = []
    ) async -> (spans: [TraceSpan], sent: [HTTPFields]) {
        let transport = StubTransport(redirects: redirects, status: status)
        let tracing: TracingInterceptor = .tracing { [spans] in spans.add($0) }
        let session = HTTPSession(transport: transport, interceptors: further + [tracing], clock: TestClock(date: Self.today))
        _ = await NetworkClient(session: session).data(for: endpoint)
        await tracing.flush()
        return (spans.values, transport.requests.map(\.headers))
    }

    @Test("Without a parent a trace begins, and the span is what was sent")
    func root() async throws {
        let (spans, sent) = await send()
        let span = try #require(spans.first)
        #expect(spans.count == 1 && span.parentID == nil && span.error == nil && span.name == "GET")
        #expect(span.start == Self.today)
        #expect(sent.map { $0[.traceparent] } == [span.context.traceparent] && sent[0][.tracestate] == nil)
        #expect(TraceContext(traceparent: span.context.traceparent) == span.context)
    }

    @Test("A request's own fields come first, then the task's, then the tracer's; what breaks a rule isn't sent on")
    func parents() async throws {
        struct Bridge: RequestTracer {
            let spans: Recorder<TraceSpan>
            func parent(of request: HTTPRequest) -> TraceContext? {
                TraceContext(traceID: String(repeating: "c", count: 32), spanID: String(repeating: "d", count: 16))
            }
            func record(_ span: TraceSpan) throws {
                spans.add(span)
                throw CancellationError()
            }
        }
        let own: HTTPFields = ["traceparent": Self.parent, "tracestate": "a=1, b=2"]
        let task = try #require(TraceContext(traceID: String(repeating: "a", count: 32), spanID: String(repeating: "b", count: 16)))
        let tracing: TracingInterceptor = .tracing(Bridge(spans: spans))
        let transport = StubTransport(redirects: [:])
        let client = NetworkClient(session: HTTPSession(transport: transport, interceptors: [tracing]))
        _ = await TraceContext.$current.withValue(task) { await client.data(for: SampleEndpoint(headers: own)) }
        _ = await TraceContext.$current.withValue(task) {
            await client.data(for: SampleEndpoint(headers: ["traceparent": "00-x-y-01", "tracestate": "a=1"]))
        }
        _ = await client.data(for: SampleEndpoint(headers: ["traceparent": ["\(Self.parent)", "\(Self.parent)"]]))
        await tracing.flush()
        #expect(spans.values.map(\.parentID) == ["00f067aa0ba902b7", task.spanID, String(repeating: "d", count: 16)])
        let traces = ["4bf92f3577b34da6a3ce929d0e0e4736", task.traceID, String(repeating: "c", count: 32)]
        #expect(spans.values.map(\.context.traceID) == traces)
        #expect(transport.requests.map { $0.headers[values: .traceparent].count } == [1, 1, 1])
        #expect(transport.requests.map { $0.headers[.tracestate] } == ["a=1,b=2", nil, nil])
    }

    @Test("The hops of a call are spans of one trace, each with a number of its own, and counted")
    func hops() async {
        let (spans, _) = await send(redirects: ["https://api.example.com": "/b", "https://api.example.com/b": "/c"])
        #expect(spans.count == 3 && Set(spans.map(\.context.traceID)).count == 1 && Set(spans.map(\.context.spanID)).count == 3)
        #expect(spans.map { $0.attributes["http.request.resend_count"] } == [nil, .int(1), .int(2)])
    }

    private func resends(
        _ stub: StubTransport, clock: TestClock = TestClock(), _ interceptors: [any Interceptor], _ drive: () async -> Void = {}
    ) async throws -> [TraceAttribute?] {
        let tracing: TracingInterceptor = .tracing { [spans] in spans.add($0) }
        let client = NetworkClient(session: HTTPSession(transport: stub, interceptors: interceptors + [tracing], clock: clock))
        async let outcome = client.data(for: SampleEndpoint())
        await drive()
        _ = try await outcome.get()
        await tracing.flush()
        // A hedge may end before what was sent before it.
        return spans.values.map { $0.attributes["http.request.resend_count"] }.sorted { ($0?.description ?? "") < ($1?.description ?? "") }
    }

    @Test("What is sent again for a new token is counted along with retries, none twice")
    func resentForToken() async throws {
        let token = RefreshableToken(AccessToken("old")) { _ in AccessToken("new") }
        let stub = StubTransport(.status(503), .status(401), .status(503), .text("ok"))
        let retry = RetryPolicy(backoff: .constant(.zero))
        let counts = try await resends(stub, [.authentication(.refreshing(token)), .retry(retry)])
        #expect(counts == [nil, .int(1), .int(2), .int(3)])
    }

    @Test("Attempts side by side are counted apart", arguments: [true, false])
    func hedged(isCoalesced: Bool) async throws {
        let (clock, stub) = (TestClock(), StubTransport(.redirect(to: "/b"), .stalled, .text("ok")))
        let stack: [any Interceptor] = [.redirects()] + (isCoalesced ? [.coalescing()] : []) + [.hedging(after: .milliseconds(100))]
        let counts = try await resends(stub, clock: clock, stack) {
            await stub.waitForRequests(2)
            await clock.advance(through: .milliseconds(100))
        }
        #expect(counts == [nil, .int(1), .int(2)])
    }

    @Test("Attributes have the names of OpenTelemetry's conventions, and no secret")
    func attributes() async throws {
        let endpoint = SampleEndpoint(
            path: "a", method: .post, query: ["key": .secret("hunter22")], body: .data(Data("1234".utf8)), options: .init(name: "create"))
        let (spans, _) = await send(endpoint)
        let span = try #require(spans.first)
        #expect(span.name == "create" && !everythingShown(of: span).contains("hunter22"))
        #expect(
            span.attributes == [
                "http.request.method": .string("POST"), "url.full": .string("https://api.example.com/a?key=***"),
                "url.scheme": .string("https"), "server.address": .string("api.example.com"), "server.port": .int(443),
                "http.request.body.size": .int(4), "http.response.status_code": .int(200), "http.response.body.size": .int(0),
            ])
    }

    @Test("A method that isn't known is named apart; a failure has its type, and a status from 400 on is one")
    func failures() async throws {
        struct Purge: RequestMethod { let name = "PURGE" }
        let tracing: TracingInterceptor = .tracing { [spans] in spans.add($0) }
        let transport = StubTransport { request throws(RequestError) in
            if request.url.path == "/down" { throw .connection(.init(.init(kind: .refused), reason: "nobody for hunter22")) }
            return HTTPResponse(head: ResponseHead(status: 503, url: request.url))
        }
        let client = NetworkClient(session: HTTPSession(transport: transport, interceptors: [tracing]))
        _ = await client.data(for: SampleEndpoint(path: "down", headers: ["X-Key": .secret("hunter22")]))
        _ = await client.data(for: SampleEndpoint(method: Purge()))
        await tracing.flush()
        #expect(spans.values.map { $0.attributes["error.type"] } == [.string("connection.refused"), .string("503")])
        #expect(spans.values.map(\.error) == ["connection (refused): nobody for ***", "503 Service Unavailable"])
        #expect(spans.values.last?.attributes["http.request.method"] == .string("_OTHER"))
        #expect(spans.values.last?.attributes["http.request.method_original"] == .string("PURGE"))
    }

    @Test("Over the wire a span has the phases that were measured, and the version")
    func overTheWire() async throws {
        try await LoopbackServer.with { routes in
            routes.fallback { request in .text(request.headers[.traceparent] ?? "") }
        } perform: { server in
            let tracing: TracingInterceptor = .tracing { [spans] in spans.add($0) }
            let text = try await TestClient(interceptors: [tracing]).text(server.call())
            await tracing.flush()
            let span = try #require(spans.values.first)
            #expect(text == span.context.traceparent)
            #expect(span.attributes["network.protocol.version"] == .string("1.1"))
            #expect(span.events.map(\.name).contains("wait"))
        }
    }
}
