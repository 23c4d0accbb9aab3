/// From what a call's requests report to pairs of marks: whatever begins also ends, once, and never before it began.
struct PhaseTracker {
    struct Mark: Sendable {
        /// What is known besides, which most marks have nothing of.
        enum Detail: Sendable {
            case nothing
            /// What is sent, where an attempt begins.
            case sent(HTTPRequest)
            indirect case outcome(HTTPStatus?, RequestError?, RequestMetrics?)
        }

        var subject: RequestEvent.Subject
        var edge: RequestEvent.Edge
        /// On the call's clock.
        var time: Duration
        /// Which attempt it belongs to, from 1.
        var attempt: Int
        var detail = Detail.nothing
    }

    /// The number of the last attempt.
    private(set) var attempt = 0
    /// How long the body is that is sent; `nil` where that isn't known.
    private var bodyLength: Int64? = 0
    private var isAttemptOpen = false
    private var openPhase: RequestPhase?
    /// Where the transport's own times count from, and how far the phases have come.
    private var base = Duration.zero
    private var cursor = Duration.zero
    private var hasHead = false
    private var hasTold = false
    private var isTransferOver = false
    private var isAnswered = false
    private var status: HTTPStatus?
    private var metrics: RequestMetrics?

    /// Takes what is reported, and tells what that means.
    mutating func take(_ event: TransportEvent, at time: Duration, _ tell: (Mark) -> Void) {
        cursor = max(cursor, time)
        switch event {
        case .sending(let request): sending(request, at: time, tell)
        case .queued: open(.queue, tell)
        case .started:
            close(tell)
            base = cursor
        case .measured(let metrics):
            isTransferOver = false
            connected(metrics, until: cursor, tell)
            open(hasBody ? .send : .wait, tell)
        case .sent(let count):
            if openPhase == .send, let bodyLength, count >= bodyLength { open(.wait, tell) }
        case .head(let status): headCame(status, tell)
        case .ended(let metrics):
            self.metrics = metrics
            if !hasTold { connected(metrics, until: cursor, tell) }
            close(tell)
            isTransferOver = true
            // What goes again does so from here.
            base = cursor
            hasTold = false
            if isAnswered { endAttempt(nil, tell) }
        case .answered(let head): answered(head.status, at: time, tell)
        case .failed(let error): endAttempt(error, tell)
        default: break
        }
    }

    /// The transport has given its answer.
    mutating func answered(_ status: HTTPStatus, at time: Duration, _ tell: (Mark) -> Void) {
        cursor = max(cursor, time)
        if !isTransferOver { headCame(status, tell) }
        self.status = status
        isAnswered = true
        if isTransferOver { endAttempt(nil, tell) }
    }

    /// The call is over, whatever is still open.
    mutating func finish(_ error: RequestError?, at time: Duration, _ tell: (Mark) -> Void) {
        cursor = max(cursor, time)
        endAttempt(error, tell)
    }

    private var hasBody: Bool { bodyLength != 0 }

    /// A request is handed to the transport.
    mutating func sending(_ request: HTTPRequest, at time: Duration, _ tell: (Mark) -> Void) {
        cursor = max(cursor, time)
        endAttempt(nil, tell)
        attempt += 1
        bodyLength = request.body.map(\.length) ?? 0
        isAttemptOpen = true
        (hasHead, hasTold, isTransferOver, isAnswered, status, metrics) = (false, false, false, false, nil, nil)
        base = cursor
        tell(Mark(subject: .attempt, edge: .began, time: cursor, attempt: attempt, detail: .sent(request)))
    }

    private mutating func headCame(_ status: HTTPStatus, _ tell: (Mark) -> Void) {
        self.status = status
        guard !hasHead, isAttemptOpen else { return }
        hasHead = true
        // A transport that tells of nothing else has at least waited.
        if openPhase != .wait { open(.wait, at: openPhase == nil ? base : cursor, tell) }
        open(.receive, tell)
    }

    /// What lies before the connection, as the transport measured it.
    private mutating func connected(_ metrics: RequestMetrics, until now: Duration, _ tell: (Mark) -> Void) {
        close(tell)
        hasTold = true
        var from = base
        for span in metrics.phases where span.phase == .lookup || span.phase == .connect || span.phase == .tls {
            let start = max(from, min(base + span.start - (metrics.queue ?? .zero), now))
            let end = max(start, min(base + span.end - (metrics.queue ?? .zero), now))
            tell(mark(span.phase, .began, start))
            tell(mark(span.phase, .ended, end))
            from = end
        }
    }

    private mutating func open(_ phase: RequestPhase, at time: Duration? = nil, _ tell: (Mark) -> Void) {
        guard isAttemptOpen else { return }
        close(tell)
        openPhase = phase
        tell(mark(phase, .began, time ?? cursor))
    }

    private mutating func close(_ tell: (Mark) -> Void) {
        guard let phase = openPhase.take() else { return }
        tell(mark(phase, .ended, cursor))
    }

    private mutating func endAttempt(_ error: RequestError?, _ tell: (Mark) -> Void) {
        guard isAttemptOpen else { return }
        close(tell)
        isAttemptOpen = false
        let outcome = Mark.Detail.outcome(status ?? error?.response?.head.status, error, metrics)
        tell(Mark(subject: .attempt, edge: .ended, time: cursor, attempt: attempt, detail: outcome))
    }

    private func mark(_ phase: RequestPhase, _ edge: RequestEvent.Edge, _ time: Duration) -> Mark {
        Mark(subject: .phase(phase), edge: edge, time: time, attempt: attempt)
    }
}
