internal import PlatformBase

extension Interceptor where Self == TracingInterceptor {
    /// Sends `traceparent` and `tracestate` along, and gives a span for each attempt of a call.
    ///
    /// The span stands below that of the request's own fields, where they are right; else below ``TraceContext/current``; else below the
    /// tracer's. Without any, the attempts of a call share a new trace. Fields that break a rule of W3C Trace Context aren't sent on.
    ///
    /// It belongs innermost, where it sees each hop of a redirect and each attempt.
    public static func tracing(_ tracer: any RequestTracer) -> TracingInterceptor { TracingInterceptor(tracer) }

    /// The same with a function that takes the spans.
    public static func tracing(_ record: @escaping @Sendable (TraceSpan) throws -> Void) -> TracingInterceptor {
        TracingInterceptor(FunctionTracer(take: record))
    }
}

private struct FunctionTracer: RequestTracer {
    let take: @Sendable (TraceSpan) throws -> Void
    func record(_ span: TraceSpan) throws { try take(span) }
}

/// Traces requests: see ``Interceptor/tracing(_:)-(RequestTracer)``.
public struct TracingInterceptor: PerHopInterceptor {
    private let tracer: any RequestTracer
    private let outlet: Outlet<SpanRecord>
    private let numbers: TraceNumbers

    init(_ tracer: any RequestTracer, numbers: TraceNumbers = .init()) {
        self.tracer = tracer
        self.numbers = numbers
        outlet = Outlet { record in try? tracer.record(TraceSpan(record: record)) }
    }

    /// Sends the request on with its place in the trace.
    public func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
        let parent = TraceContext(request.headers) ?? TraceContext.current ?? tracer.parent(of: request)
        let context = parent?.child(spanID: numbers.spanID()) ?? numbers.root(of: request.context.id)
        let call = TracedCall(request, context, parentID: parent?.spanID, outlet)
        do {
            let response = try await next(call.traced)
            call.answered(response.head.status)
            return response.watched(by: call, on: request.context.clock)
        } catch {
            call.failed(error)
            throw error
        }
    }

    /// Where the request's trace comes from.
    public func describe(_ request: HTTPRequest) -> String? {
        let parent = TraceContext(request.headers) ?? TraceContext.current ?? tracer.parent(of: request)
        return parent.map { "sends traceparent, in trace \($0.traceID)" } ?? "sends traceparent, in a new trace"
    }

    /// Waits until every span so far has been taken.
    public func flush() async { await outlet.flush() }
}

/// Makes the numbers of traces and spans: each is a function of a number that nothing else has, and of a secret of the session's. The
/// system's own generator would be asked for each of them, which takes longer than all else here.
final class TraceNumbers: Sendable {
    private let seed: (UInt64, UInt64, UInt64)
    private let spans = Atomic<UInt64>(0)

    init(seed: (UInt64, UInt64, UInt64) = (.random(in: .min ... .max), .random(in: .min ... .max), .random(in: .min ... .max))) {
        self.seed = seed
    }

    func spanID() -> UInt64 { Self.number(seed.2, spans.wrappingAdd(1, ordering: .relaxed).newValue) }

    /// A call's attempts come here one by one, and nothing is kept between them: its trace follows from the call's number.
    func root(of call: UInt64) -> TraceContext {
        .root(traceID: (Self.number(seed.0, call), Self.number(seed.1, call)), spanID: spanID())
    }

    private static func number(_ key: UInt64, _ number: UInt64) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(key)
        hasher.combine(number)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}

/// One attempt that is traced.
final class TracedCall: BodyWatcher {
    let request: HTTPRequest
    let context: TraceContext
    let parentID: String?
    let date: Date
    let start: Duration
    /// How often the call had sent before.
    let resend: Int
    private let outlet: Outlet<SpanRecord>
    private let status = Atomic(0)

    init(_ request: HTTPRequest, _ context: TraceContext, parentID: String?, _ outlet: Outlet<SpanRecord>) {
        self.request = request
        self.context = context
        self.parentID = parentID
        self.outlet = outlet
        let call = request.context
        date = call.clock.date
        start = call.clock.now
        resend = call.scope?.sentCount ?? call.attempt - 1 + call.redirects
    }

    /// The request to send on: one that tells its place in the trace.
    var traced: HTTPRequest {
        var request = request
        request.setChecked(.traceparent, context.traceparent)
        if context.state != nil || request.headers.contains(.tracestate) { request.setChecked(.tracestate, context.state) }
        return request
    }

    func answered(_ status: HTTPStatus) { self.status.store(status.code, ordering: .relaxed) }

    func ended(_ passage: BodyPassage) {
        outlet.send(SpanRecord(call: self, end: passage.time, status: HTTPStatus(status.load(ordering: .relaxed)), passage: passage))
    }

    func failed(_ error: RequestError) {
        outlet.send(SpanRecord(call: self, end: request.context.clock.now, status: error.response?.head.status, failed: error))
    }
}

/// What is known of an attempt when it is over. It becomes a span, and its secrets are masked, where it is recorded.
struct SpanRecord: Sendable {
    let call: TracedCall
    let end: Duration
    let status: HTTPStatus?
    var passage: BodyPassage?
    var failed: RequestError?

    var context: TraceContext { call.context }
    var parentID: String? { call.parentID }
    var date: Date { call.date }
    private var request: HTTPRequest { call.request }
    private var error: RequestError? { failed ?? passage?.error }

    var name: String {
        let method = SemanticAttributes.of(request, secrets: SecretValues(), resend: 0)["http.request.method"]
        return request.options.name ?? method.map { "\($0)" } ?? "HTTP"
    }

    var duration: Duration { end - call.start }

    var attributes: [String: TraceAttribute] {
        SemanticAttributes.of(request, secrets: request.allSecrets, resend: call.resend)
            .merging(SemanticAttributes.of(status: status, error: error, metrics: passage?.metrics)) { $1 }
    }

    var events: [TraceSpan.Event] {
        (passage?.metrics.phases ?? []).map { .init(name: $0.phase.rawValue, start: $0.start, duration: $0.duration) }
    }

    var failure: String? {
        error.map { request.allSecrets.masking($0.descriptionWithoutRequest) } ?? status.flatMap { $0.code >= 400 ? "\($0)" : nil }
    }
}
