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
        var traced = request
        traced.headers[.traceparent] = context.traceparent
        traced.headers[.tracestate] = context.state
        let resend = request.context.attempt - 1 + request.context.redirects
        let record = SpanRecord(request: request, context: context, parentID: parent?.spanID, resend: resend)
        let outlet = outlet
        do {
            let response = try await next(traced)
            return response.watched { passage in
                if case .failed(let error) = passage.ending {
                    outlet.send(record.ended(response.head.status, error, passage.metrics))
                } else {
                    outlet.send(record.ended(response.head.status, nil, passage.metrics))
                }
            }
        } catch {
            outlet.send(record.ended(error.response?.head.status, error, nil))
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

/// Makes the numbers of traces and spans.
struct TraceNumbers: Sendable {
    private let seed: (UInt64, UInt64)
    private let random: @Sendable () -> UInt64

    init(
        seed: (UInt64, UInt64) = (.random(in: .min ... .max), .random(in: .min ... .max)),
        random: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) }
    ) {
        self.seed = seed
        self.random = random
    }

    func spanID() -> UInt64 { random() }

    /// A call's attempts come here one by one, and nothing is kept between them: its trace is a function of the call's number and a
    /// secret of the session's.
    func root(of call: UInt64) -> TraceContext {
        func half(_ key: UInt64) -> UInt64 {
            var hasher = Hasher()
            hasher.combine(key)
            hasher.combine(call)
            return UInt64(bitPattern: Int64(hasher.finalize()))
        }
        return .root(traceID: (half(seed.0), half(seed.1)), spanID: random())
    }
}

/// What is known of an attempt when it is over. It becomes a span, and its secrets are masked, where it is recorded.
struct SpanRecord: Sendable {
    let request: HTTPRequest
    let context: TraceContext
    let parentID: String?
    let resend: Int
    let date = Date()
    let start: Duration
    private var end = Duration.zero
    private var status: HTTPStatus?
    private var error: RequestError?
    private var metrics: RequestMetrics?

    init(request: HTTPRequest, context: TraceContext, parentID: String?, resend: Int) {
        self.request = request
        self.context = context
        self.parentID = parentID
        self.resend = resend
        start = request.context.clock.now
    }

    func ended(_ status: HTTPStatus?, _ error: RequestError?, _ metrics: RequestMetrics?) -> SpanRecord {
        var record = self
        record.end = request.context.clock.now
        record.status = status
        record.error = error
        record.metrics = metrics
        return record
    }

    var name: String {
        let method = SemanticAttributes.of(request, secrets: SecretValues(), resend: 0)["http.request.method"]
        return request.options.name ?? method.map { "\($0)" } ?? "HTTP"
    }

    var duration: Duration { end - start }

    var attributes: [String: TraceAttribute] {
        SemanticAttributes.of(request, secrets: request.allSecrets, resend: resend)
            .merging(SemanticAttributes.of(status: status, error: error, metrics: metrics)) { $1 }
    }

    var events: [TraceSpan.Event] {
        (metrics?.phases ?? []).map { .init(name: $0.phase.rawValue, start: $0.start, duration: $0.duration) }
    }

    var failure: String? {
        error.map { request.allSecrets.masking($0.descriptionWithoutRequest) } ?? status.flatMap { $0.code >= 400 ? "\($0)" : nil }
    }
}
