internal import PlatformBase

extension Interceptor where Self == ObservingInterceptor {
    /// Tells an observer of each call, its attempts and their phases.
    ///
    /// It may stand anywhere; what it calls a call is what it sees of one. Outermost that is all of it.
    public static func observing(_ observer: any RequestObserver) -> ObservingInterceptor { ObservingInterceptor(observer) }
}

/// Tells an observer: see ``Interceptor/observing(_:)``.
public struct ObservingInterceptor: StockInterceptor {
    private let outlet: Outlet<ObservedStep>

    init(_ observer: any RequestObserver) {
        outlet = Outlet { step in
            step.call.tell(step) { mark in try? observer.observe(RequestEvent(observed: mark)) }
        }
    }

    /// Sends the request on, and tells what becomes of it.
    public func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
        let call = ObservedCall(request, outlet)
        do {
            let response = try await next(call.observed)
            call.answered(response.head.status)
            return response.watched(by: call, on: request.context.clock)
        } catch {
            call.failed(error)
            throw error
        }
    }

    /// Waits until everything so far has been told.
    public func flush() async { await outlet.flush() }
}

/// What happened to a call, as it was heard of: what it means is found out where it is told.
struct ObservedStep: Sendable {
    enum Kind: Sendable {
        case began
        case sending(HTTPRequest)
        indirect case event(TransportEvent)
        /// Of the head nothing else is told.
        case answered(HTTPStatus)
        case decoding(DecodingStep)
        case ended(BodyPassage)
        case failed(RequestError)
    }

    let call: ObservedCall
    let kind: Kind
    /// On the session's clock.
    let time: Duration
}

/// One call that is observed.
final class ObservedCall: BodyWatcher {
    let request: HTTPRequest
    private let outlet: Outlet<ObservedStep>
    private let start: Duration
    /// How long the body is that is being sent: less than all of it is no news.
    private let bodyLength = Atomic<Int64>(.max)
    private let status = Atomic(0)
    /// Where the call has got to, as far as it has been told of: on the outlet's thread.
    private let tracker = Lock(PhaseTracker())
    private let sent = Lock(SentRequests())

    init(_ request: HTTPRequest, _ outlet: Outlet<ObservedStep>) {
        self.request = request
        self.outlet = outlet
        start = request.context.clock.now
        outlet.send(ObservedStep(call: self, kind: .began, time: start))
    }

    /// The request to send on: one that tells this call what becomes of it.
    var observed: HTTPRequest {
        var request = request
        request.listen(take)
        return request
    }

    private func take(_ event: TransportEvent) {
        switch event {
        case .sending(let request):
            bodyLength.store(request.body?.length ?? .max, ordering: .relaxed)
            sent.withLock { $0.add(request) }
            return send(.sending(request))
        case .sent(let count): guard count >= bodyLength.load(ordering: .relaxed) else { return }
        // They come often, and nothing begins or ends with them.
        case .expecting, .received, .interim, .connected: return
        case .answered(let head): return send(.answered(head.status))
        default: break
        }
        send(.event(event))
    }

    /// What must not be seen: of every request of the call.
    var allSecrets: SecretValues {
        sent.withLock { $0 }.secrets(with: request)
    }

    func answered(_ status: HTTPStatus) { self.status.store(status.code, ordering: .relaxed) }
    func ended(_ passage: BodyPassage) { outlet.send(ObservedStep(call: self, kind: .ended(passage), time: passage.time)) }
    func failed(_ error: RequestError) { send(.failed(error)) }
    var hearsDecoding: Bool { true }
    func take(_ step: DecodingStep) { send(.decoding(step)) }

    private func send(_ kind: ObservedStep.Kind) {
        outlet.send(ObservedStep(call: self, kind: kind, time: request.context.clock.now))
    }

    /// Finds out what a step means, and tells it.
    func tell(_ step: ObservedStep, _ tell: (ObservedMark) -> Void) {
        let time = step.time - start
        // The outlet's thread alone comes here: nobody waits for this lock, whatever somebody else's code does meanwhile.
        tracker.withLock { tracker in
            func pass(_ mark: PhaseTracker.Mark) { tell(ObservedMark(call: self, mark: mark)) }
            func own(_ subject: RequestEvent.Subject, _ edge: RequestEvent.Edge, _ detail: PhaseTracker.Mark.Detail) {
                pass(.init(subject: subject, edge: edge, time: time, attempt: tracker.attempt, detail: detail))
            }
            switch step.kind {
            case .began: own(.call, .began, .sent(request))
            case .sending(let request): tracker.sending(request, at: time, pass)
            case .event(let event): tracker.take(event, at: time, pass)
            case .answered(let status): tracker.answered(status, at: time, pass)
            case .decoding(.began): own(.phase(.decode), .began, .nothing)
            case .decoding(.ended(let error)): own(.phase(.decode), .ended, error.map { .outcome(nil, $0, nil) } ?? .nothing)
            case .ended(let passage):
                tracker.finish(passage.error, at: time, pass)
                own(.call, .ended, .outcome(HTTPStatus(status.load(ordering: .relaxed)), passage.error, passage.metrics))
            case .failed(let error):
                tracker.finish(error, at: time, pass)
                own(.call, .ended, .outcome(error.response?.head.status, error, nil))
            }
        }
    }
}

/// An event before its text is made and its secrets are masked, which happens when somebody asks for them.
struct ObservedMark: Sendable {
    let call: ObservedCall
    let mark: PhaseTracker.Mark

    var attributes: [String: TraceAttribute] {
        switch mark.detail {
        case .nothing: [:]
        case .sent(let request): SemanticAttributes.of(request, secrets: call.allSecrets, resend: max(mark.attempt - 1, 0))
        case .outcome(let status, let error, let metrics): SemanticAttributes.of(status: status, error: error, metrics: metrics)
        }
    }

    var failure: String? {
        guard case .outcome(_, let error?, _) = mark.detail else { return nil }
        return call.allSecrets.masking(error.descriptionWithoutRequest)
    }
}
