public import PlatformBase

/// One attempt of a call as a span of a trace, when it is over: of kind CLIENT, in the words of OpenTelemetry. It shows no secret. Each
/// part is made when it is asked for.
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

    let record: SpanRecord

    /// The endpoint's name, else the method.
    public var name: String { record.name }
    /// The span's own place in the trace: what the request's `traceparent` said.
    public var context: TraceContext { record.context }
    /// The span above it; `nil` for the root of a trace.
    public var parentID: String? { record.parentID }
    /// When the request was sent.
    public var start: Date { record.date }
    /// How long it took until its answer had been read.
    public var duration: Duration { record.duration }
    /// The attributes that the semantic conventions of OpenTelemetry name for HTTP clients.
    public var attributes: [String: TraceAttribute] { record.attributes }
    /// The phases that the transport measured.
    public var events: [Event] { record.events }
    /// Why the attempt failed, secrets masked; `nil` where it didn't. A status from 400 on counts as a failure.
    public var error: String? { record.failure }
}

extension TraceSpan: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Name, place in the trace, time, attributes and error.
    public var description: String {
        let words = attributes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        return (["\(name) \(context.traceparent) \(duration.shortText)"] + words + (error.map { ["error: \($0)"] } ?? [])).joined(
            separator: ", ")
    }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// What `dump` sees: the description.
    public var customMirror: Mirror { Mirror(self, children: ["span": description]) }
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
