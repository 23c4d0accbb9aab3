public import PlatformBase

/// One attempt of a call as a span of a trace, when it is over: of kind CLIENT, in the words of OpenTelemetry. It shows no secret.
public struct TraceSpan: Sendable {
    /// What happened, and when.
    public struct Event: Sendable, Hashable {
        /// A phase of the request, such as `wait`.
        public let name: String
        /// When it began, after the span did.
        public let start: Duration
        /// How long it took.
        public let duration: Duration
    }

    /// The endpoint's name, else the method.
    public let name: String
    /// The span's own place in the trace: what the request's `traceparent` said.
    public let context: TraceContext
    /// The span above it; `nil` for the root of a trace.
    public let parentID: String?
    /// When the request was sent.
    public let start: Date
    /// How long it took until its answer had been read.
    public let duration: Duration
    /// The attributes that the semantic conventions of OpenTelemetry name for HTTP clients.
    public let attributes: [String: TraceAttribute]
    /// The phases that the transport measured.
    public let events: [Event]
    /// Why the attempt failed, secrets masked; `nil` where it didn't. A status from 400 on counts as a failure.
    public let error: String?
}

/// Takes spans to where they are kept.
///
/// Spans come on a thread of their own, one after the other: a tracer that is slow, or blocks, holds up no request.
public protocol RequestTracer: Sendable {
    /// The span that a request's is to stand below, when neither the request nor ``TraceContext/current`` brings one. It is asked where
    /// the call runs, and must not wait. Default: `nil`, which begins a trace.
    func parent(of request: HTTPRequest) -> TraceContext?
    /// A span is over. What it throws is passed over.
    func record(_ span: TraceSpan) throws
}

extension RequestTracer {
    /// `nil`.
    public func parent(of request: HTTPRequest) -> TraceContext? { nil }
}
