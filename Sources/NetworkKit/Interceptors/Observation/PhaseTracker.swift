/// From what a call's requests report to pairs of marks: whatever begins also ends, once, and never before it began.
struct PhaseTracker {
    enum Subject: Sendable, Equatable {
        case attempt(Int)
        case phase(RequestPhase)
    }

    enum Edge: Sendable, Equatable {
        case began
        case ended
    }

    struct Mark: Sendable {
        var subject: Subject
        var edge: Edge
        /// On the call's clock.
        var time: Duration
        /// Which attempt it belongs to, from 1.
        var attempt: Int
        /// What is sent, where an attempt begins.
        var request: HTTPRequest?
        var status: HTTPStatus?
        var error: RequestError?
        var metrics: RequestMetrics?
    }

    private var attempt = 0
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
    /// What there is to tell. Whoever tells it empties the list.
    var marks: [Mark] = []

    mutating func take(_ event: TransportEvent, at time: Duration) {
        cursor = max(cursor, time)
        switch event {
        case .sending(let request): begin(request)
        case .queued: open(.queue)
        case .started:
            close()
            base = cursor
        case .measured(let metrics):
            isTransferOver = false
            tell(metrics, until: cursor)
            open(hasBody ? .send : .wait)
        case .sent(let count):
            if openPhase == .send, let bodyLength, count >= bodyLength { open(.wait) }
        case .head(let status): headCame(status)
        case .ended(let metrics):
            self.metrics = metrics
            if !hasTold { tell(metrics, until: cursor) }
            close()
            isTransferOver = true
            // What goes again does so from here.
            base = cursor
            hasTold = false
            if isAnswered { endAttempt(nil) }
        case .answered(let head): answered(head.status, at: time)
        case .failed(let error): endAttempt(error)
        default: break
        }
    }

    /// The transport has given its answer.
    mutating func answered(_ status: HTTPStatus, at time: Duration) {
        cursor = max(cursor, time)
        if !isTransferOver { headCame(status) }
        self.status = status
        isAnswered = true
        if isTransferOver { endAttempt(nil) }
    }

    /// The call is over, whatever is still open.
    mutating func finish(_ error: RequestError?, at time: Duration) {
        cursor = max(cursor, time)
        endAttempt(error)
    }

    private var hasBody: Bool { bodyLength != 0 }

    private mutating func begin(_ request: HTTPRequest) {
        endAttempt(nil)
        if marks.isEmpty { marks.reserveCapacity(4) }
        attempt += 1
        bodyLength = request.body.map(\.length) ?? 0
        isAttemptOpen = true
        (hasHead, hasTold, isTransferOver, isAnswered, status, metrics) = (false, false, false, false, nil, nil)
        base = cursor
        marks.append(Mark(subject: .attempt(attempt), edge: .began, time: cursor, attempt: attempt, request: request))
    }

    private mutating func headCame(_ status: HTTPStatus) {
        self.status = status
        guard !hasHead, isAttemptOpen else { return }
        hasHead = true
        // A transport that tells of nothing else has at least waited.
        if openPhase != .wait { openPhase == .send ? open(.wait) : open(.wait, at: openPhase == nil ? base : cursor) }
        open(.receive)
    }

    /// What lies before the connection, as the transport measured it.
    private mutating func tell(_ metrics: RequestMetrics, until now: Duration) {
        close()
        hasTold = true
        var from = base
        for span in metrics.phases where span.phase == .lookup || span.phase == .connect || span.phase == .tls {
            let start = max(from, min(base + span.start - (metrics.queue ?? .zero), now))
            let end = max(start, min(base + span.end - (metrics.queue ?? .zero), now))
            add(span.phase, .began, start)
            add(span.phase, .ended, end)
            from = end
        }
    }

    private mutating func open(_ phase: RequestPhase, at time: Duration? = nil) {
        guard isAttemptOpen else { return }
        close()
        openPhase = phase
        add(phase, .began, time ?? cursor)
    }

    private mutating func close() {
        guard let phase = openPhase.take() else { return }
        add(phase, .ended, cursor)
    }

    private mutating func endAttempt(_ error: RequestError?) {
        guard isAttemptOpen else { return }
        close()
        isAttemptOpen = false
        marks.append(
            Mark(
                subject: .attempt(attempt), edge: .ended, time: cursor, attempt: attempt,
                status: status ?? error?.response?.head.status, error: error, metrics: metrics))
    }

    private mutating func add(_ phase: RequestPhase, _ edge: Edge, _ time: Duration) {
        marks.append(Mark(subject: .phase(phase), edge: edge, time: time, attempt: attempt))
    }
}
