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
            step.call.tell(step) { mark in try? observer.observe(RequestEvent(mark: mark)) }
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
        case event(TransportEvent)
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
    private let account = Lock(Account())
    /// What was sent so far, for its secrets.
    private let sent = Lock<[SentSecrets]>([])

    /// What is known of the call where it is told of: on the outlet's thread.
    private struct Account {
        var tracker = PhaseTracker()
        var lastAttempt = 0
    }

    init(_ request: HTTPRequest, _ outlet: Outlet<ObservedStep>) {
        self.request = request
        self.outlet = outlet
        start = request.context.clock.now
        outlet.send(ObservedStep(call: self, kind: .began, time: start))
    }

    /// The request to send on: one that tells this call what becomes of it.
    var observed: HTTPRequest {
        var request = request
        request.context.events = Fanout.of(request.context.events) { self.take($0) }
        return request
    }

    private func take(_ event: TransportEvent) {
        switch event {
        case .sending(let request): bodyLength.store(request.body?.length ?? .max, ordering: .relaxed)
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
        sent.withLock { $0 }.reduce(into: request.allSecrets) { $0.formUnion($1.values) }
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
        if case .event(.sending(let request)) = step.kind { sent.withLock { $0.append(SentSecrets(request)) } }
        // The outlet's thread alone comes here: nobody waits for this lock, whatever somebody else's code does meanwhile.
        account.withLock { account in
            switch step.kind {
            case .event(let event): account.tracker.take(event, at: time)
            case .answered(let status): account.tracker.answered(status, at: time)
            case .ended(let passage): account.tracker.finish(passage.error, at: time)
            case .failed(let error): account.tracker.finish(error, at: time)
            case .began, .decoding: break
            }
            for index in account.tracker.marks.indices {
                account.lastAttempt = account.tracker.marks[index].attempt
                tell(ObservedMark(account.tracker.marks[index], of: self))
            }
            account.tracker.marks.removeAll(keepingCapacity: true)
            if let mark = ownMark(step.kind, time, account.lastAttempt) { tell(mark) }
        }
    }

    /// What is told of the call itself.
    private func ownMark(_ kind: ObservedStep.Kind, _ time: Duration, _ attempt: Int) -> ObservedMark? {
        func mark(_ subject: RequestEvent.Subject, _ edge: RequestEvent.Edge) -> ObservedMark {
            ObservedMark(subject: subject, edge: edge, call: self, time: time, attempt: attempt)
        }
        var own: ObservedMark
        switch kind {
        case .event, .answered: return nil
        case .began:
            own = mark(.call, .began)
            own.request = request
        case .decoding(.began):
            own = mark(.phase(.decode), .began)
        case .decoding(.ended(let error)):
            own = mark(.phase(.decode), .ended)
            own.error = error
        case .ended(let passage):
            own = mark(.call, .ended)
            own.status = HTTPStatus(status.load(ordering: .relaxed))
            own.error = passage.error
            own.metrics = passage.metrics
        case .failed(let error):
            own = mark(.call, .ended)
            own.status = error.response?.head.status
            own.error = error
        }
        return own
    }
}

/// An event before its text is made and its secrets are masked, which happens when somebody asks for them.
struct ObservedMark: Sendable {
    var subject: RequestEvent.Subject
    var edge: RequestEvent.Edge
    var call: ObservedCall
    var request: HTTPRequest?
    var status: HTTPStatus?
    var error: RequestError?
    var metrics: RequestMetrics?
    var time: Duration
    var attempt: Int

    init(subject: RequestEvent.Subject, edge: RequestEvent.Edge, call: ObservedCall, time: Duration, attempt: Int) {
        self.subject = subject
        self.edge = edge
        self.call = call
        self.time = time
        self.attempt = attempt
    }

    init(_ mark: PhaseTracker.Mark, of call: ObservedCall) {
        switch mark.subject {
        case .attempt: subject = .attempt
        case .phase(let phase): subject = .phase(phase)
        }
        edge = mark.edge == .began ? .began : .ended
        self.call = call
        request = mark.request
        status = mark.status
        error = mark.error
        metrics = mark.metrics
        time = mark.time
        attempt = mark.attempt
    }

    private var allSecrets: SecretValues { call.allSecrets }

    var attributes: [String: TraceAttribute] {
        var attributes: [String: TraceAttribute] = [:]
        if let request { attributes = SemanticAttributes.of(request, secrets: allSecrets, resend: max(attempt - 1, 0)) }
        if edge == .ended { attributes.merge(SemanticAttributes.of(status: status, error: error, metrics: metrics)) { $1 } }
        return attributes
    }

    var failure: String? { error.map { allSecrets.masking($0.descriptionWithoutRequest) } }
}
