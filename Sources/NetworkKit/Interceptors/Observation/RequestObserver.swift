/// Hears what becomes of each call, as it happens: in pairs, so that whatever began also ends.
///
/// ```swift
/// struct Slowness: RequestObserver {
///     func observe(_ event: RequestEvent) {
///         if event.subject == .phase(.wait), event.edge == .ended { histogram.add(event.time) }
///     }
/// }
/// let session = HTTPSession(interceptors: [.observing(Slowness())])
/// ```
///
/// Events come on a thread of their own, one after the other: an observer that is slow, or blocks, holds up no request. When more than
/// 4,096 wait, further ones are let go of.
public protocol RequestObserver: Sendable {
    /// Something began or ended. What it throws is passed over.
    func observe(_ event: RequestEvent) throws
}

/// The beginning or the end of a call, an attempt or a phase. It shows no secret. Each part is made when it is asked
/// for.
public struct RequestEvent: Sendable {
    /// What began or ended.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Subject: Sendable, Hashable {
        /// The whole call, from where the observer stands: to the end of its body. Making the model comes behind that.
        case call
        /// One handing to the transport: the first, a retry, or a hop of a redirect.
        case attempt
        /// A stretch of an attempt.
        case phase(RequestPhase)
    }

    /// Which end of it.
    public enum Edge: Sendable, Hashable {
        /// It began.
        case began
        /// It ended.
        case ended
    }

    let observed: ObservedMark
    private var mark: PhaseTracker.Mark { observed.mark }

    /// The number of the call: ``CallContext/id``.
    public var callID: UInt64 { observed.call.request.context.id }
    /// The endpoint's name, where it has one.
    public var name: String? { observed.call.request.options.name }
    /// Which attempt of the call it belongs to, from 1; 0 before the first.
    public var attempt: Int { mark.attempt }
    /// What began or ended.
    public var subject: Subject { mark.subject }
    /// Which of both.
    public var edge: Edge { mark.edge }
    /// When, counted from the call's beginning on the session's clock.
    public var time: Duration { mark.time }
    /// Of calls and attempts, the attributes that the semantic conventions of OpenTelemetry name for HTTP clients: at the beginning
    /// those of the request, at the end those of the outcome.
    public var attributes: [String: TraceAttribute] { observed.attributes }
    /// Why what ended failed, secrets masked.
    public var error: String? { observed.failure }
}

extension RequestEvent: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// What happened, when, and what is known of it.
    public var description: String {
        let words = attributes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let what = "call \(callID), attempt \(attempt): \(subject) \(edge) at \(time.shortText)"
        return ([what] + words + (error.map { ["error: \($0)"] } ?? [])).joined(separator: ", ")
    }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// What `dump` sees: the description.
    public var customMirror: Mirror { Mirror(self, children: ["event": description]) }
}
