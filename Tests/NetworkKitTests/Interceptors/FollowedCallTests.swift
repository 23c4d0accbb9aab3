import NetworkKitTesting
import PlatformBase
import Testing

@testable import NetworkKit

@Suite("Following calls")
struct FollowedCallTests {
    private final class Probe: Sendable {}

    private struct WeakProbe: Sendable {
        weak let probe: Probe?
    }

    /// Listens to each call with a probe of its own.
    private struct Probing: StockInterceptor {
        let probes: Recorder<WeakProbe>
        func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
            let probe = Probe()
            probes.add(WeakProbe(probe: probe))
            var request = request
            request.context.events = { _ in withExtendedLifetime(probe) {} }
            return try await next(request)
        }
    }

    private struct Transport: StockTransport {
        func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
            if request.url.path == "/fails" { throw .connection(.init(.init(kind: .reset), reason: "reset")) }
            return HTTPResponse(head: ResponseHead(status: 200, url: request.url), body: ResponseBody(Data("ok".utf8)))
        }
    }

    private struct Deaf: RequestObserver {
        func observe(_ event: RequestEvent) {}
    }

    @Test("A call that is over is let go of by the log, the observer and the tracer", arguments: ["works", "fails"])
    func letGo(_ path: String) async {
        let probes = Recorder<WeakProbe>()
        let sink = LogSink { _ in }
        let observing: ObservingInterceptor = .observing(Deaf())
        let tracing: TracingInterceptor = .tracing { _ in }
        let client = NetworkClient(
            session: HTTPSession(
                transport: Transport(), interceptors: [Probing(probes: probes), .logging(sink: sink), observing, .retry(), tracing],
                clock: TestClock()))
        for _ in 0..<5 { _ = await client.data(for: SampleEndpoint(path: Path(path), method: .post)) }
        await sink.flush()
        await observing.flush()
        await tracing.flush()
        #expect(probes.values.count == 5)
        #expect(probes.values.allSatisfy { $0.probe == nil })
    }
}
