internal import PlatformBase

extension Interceptor where Self == ObservingInterceptor {
    /// Tells an observer of each call, its attempts and their phases.
    ///
    /// It may stand anywhere; what it calls a call is what it sees of one. Outermost that is all of it.
    public static func observing(_ observer: any RequestObserver) -> ObservingInterceptor { ObservingInterceptor(observer) }
}

/// Tells an observer: see ``Interceptor/observing(_:)``.
public struct ObservingInterceptor: StockInterceptor {
    private let outlet: Outlet<ObservedMark>

    init(_ observer: any RequestObserver) {
        outlet = Outlet { mark in try? observer.observe(RequestEvent(mark: mark)) }
    }

    /// Sends the request on, and tells what becomes of it.
    public func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
        let call = ObservedCall(request, outlet)
        var request = request
        request.context.events = Fanout.of(request.context.events) { call.take($0) }
        do {
            let response = try await next(request)
            return response.watched(decoding: { call.take($0) }) { passage in
                if case .failed(let error) = passage.ending {
                    call.finish(response.head.status, error, passage.metrics)
                } else {
                    call.finish(response.head.status, nil, passage.metrics)
                }
            }
        } catch {
            call.finish(error.response?.head.status, error, nil)
            throw error
        }
    }

    /// Waits until everything so far has been told.
    public func flush() async { await outlet.flush() }
}

/// One call that is observed.
private final class ObservedCall: Sendable {
    private let request: HTTPRequest
    private let outlet: Outlet<ObservedMark>
    private let clock: CallClock
    private let start: Duration
    private let state = Lock((tracker: PhaseTracker(), secrets: SecretValues(), lastAttempt: 0))

    init(_ request: HTTPRequest, _ outlet: Outlet<ObservedMark>) {
        self.request = request
        self.outlet = outlet
        clock = request.context.clock
        start = clock.now
        send(.init(subject: .call, edge: .began, call: request, request: request), .zero, 0)
    }

    func take(_ event: TransportEvent) {
        state.withLock { state in
            if case .sending(let request) = event { state.secrets.formUnion(request.allSecrets) }
            send(state.tracker.take(event, at: clock.now - start), &state.lastAttempt, state.secrets)
        }
    }

    func take(_ step: DecodingStep) {
        let attempt = state.withLock { $0.lastAttempt }
        switch step {
        case .began: send(.init(subject: .phase(.decode), edge: .began, call: request), clock.now - start, attempt)
        case .ended(let error): send(.init(subject: .phase(.decode), edge: .ended, call: request, error: error), clock.now - start, attempt)
        }
    }

    func finish(_ status: HTTPStatus?, _ error: RequestError?, _ metrics: RequestMetrics?) {
        let now = clock.now - start
        state.withLock { state in
            send(state.tracker.finish(error, at: now), &state.lastAttempt, state.secrets)
            var mark = ObservedMark(subject: .call, edge: .ended, call: request, status: status, error: error, metrics: metrics)
            mark.secrets = state.secrets
            send(mark, now, state.lastAttempt)
        }
    }

    // The outlet never waits, so that the order under the lock is the order in which events are told.
    private func send(_ marks: [PhaseTracker.Mark], _ lastAttempt: inout Int, _ secrets: SecretValues) {
        for mark in marks {
            lastAttempt = mark.attempt
            let subject: RequestEvent.Subject =
                switch mark.subject {
                case .attempt: .attempt
                case .phase(let phase): .phase(phase)
                }
            var observed = ObservedMark(
                subject: subject, edge: mark.edge == .began ? .began : .ended, call: request,
                request: mark.edge == .began ? mark.request : nil,
                status: mark.status, error: mark.error, metrics: mark.metrics)
            observed.secrets = secrets
            send(observed, mark.time, mark.attempt)
        }
    }

    private func send(_ mark: ObservedMark, _ time: Duration, _ attempt: Int) {
        var mark = mark
        mark.time = time
        mark.attempt = attempt
        outlet.send(mark)
    }
}

/// An event before its text is made and its secrets are masked, which happens where it is told.
struct ObservedMark: Sendable {
    var subject: RequestEvent.Subject
    var edge: RequestEvent.Edge
    var call: HTTPRequest
    var request: HTTPRequest?
    var status: HTTPStatus?
    var error: RequestError?
    var metrics: RequestMetrics?
    var secrets = SecretValues()
    var time = Duration.zero
    var attempt = 0

    private var allSecrets: SecretValues {
        var secrets = secrets
        secrets.formUnion(call.allSecrets)
        return secrets
    }

    var attributes: [String: TraceAttribute] {
        var attributes: [String: TraceAttribute] = [:]
        if let request { attributes = SemanticAttributes.of(request, secrets: allSecrets, resend: max(attempt - 1, 0)) }
        if edge == .ended { attributes.merge(SemanticAttributes.of(status: status, error: error, metrics: metrics)) { $1 } }
        return attributes
    }

    var failure: String? { error.map { allSecrets.masking($0.descriptionWithoutRequest) } }
}
