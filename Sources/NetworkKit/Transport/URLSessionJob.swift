#if !canImport(CCurl) || URLSession
internal import Foundation
internal import PlatformBase

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// One sending of a request: what the platform tells of it, one thing after the other, and what its reader wants, from anywhere.
final class URLSessionJob: TransferDriver {
    private struct State {
        var transfer: Transfer?
        /// The transfer's number, also when that has gone.
        var id: UInt64?
        /// Whether whoever listens has been told that the request waits for a place, and whether it has one by now.
        var isToldToWait = false
        var hasPlace = false
        var task: URLSessionDataTask?
        /// What tells of the task.
        var events: URLSessionEvents?
        var interim: [(status: HTTPStatus, headers: HTTPFields)] = []
        /// What brings a body that is a stream.
        var bodyTask: Task<Void, Never>?
        var head: PlatformHead?
        var metrics = RequestMetrics()
        var received: Int64 = 0
        /// Bytes that the reader hasn't taken, as far as is known.
        var held = 0
        var isSuspended = false
        var isBodyAwaited = false
        var isOver = false
        var asked = Duration.zero
        var began = Duration.zero
        var lastActivity = Duration.zero
        var silence: Alarm.Timer?

        mutating func end() -> Remains {
            isOver = true
            if let task { events?.remove(task.taskIdentifier) }
            defer {
                transfer = nil
                task = nil
                events = nil
                silence = nil
                bodyTask = nil
            }
            return Remains(transfer: transfer, task: task, bodyTask: bodyTask)
        }
    }

    /// What is to be let go of behind an end, when the lock has been let go of too: a body's source that is cancelled may do anything then,
    /// and at once.
    private struct Remains {
        let transfer: Transfer?
        let task: URLSessionDataTask?
        let bodyTask: Task<Void, Never>?
    }

    /// Whether a suspended task goes on where it was. On Linux it begins anew: the request is sent again, and what comes again can't
    /// be told from what is new. So a slow reader's body is held there, however long.
    #if canImport(FoundationNetworking)
    private static let canPause = false
    #else
    private static let canPause = true
    #endif

    let request: HTTPRequest
    private let link: URLSessionLink
    // The transfer's lock may be taken while this one is held. Never the other way round: a transfer calls its driver without it.
    private let state = Lock(State())

    init(_ request: HTTPRequest, _ link: URLSessionLink) {
        self.request = request
        self.link = link
    }

    // MARK: The reader's side

    func start(_ transfer: Transfer) {
        let isOver = state.withLock { state in
            if !state.isOver { state.transfer = transfer }
            state.id = transfer.id
            state.asked = link.clock.now
            return state.isOver
        }
        guard !isOver else { return }
        let hasPlace = link.enter(self, for: transfer)
        // Whoever ended it before that had no place to give back.
        guard state.withLock({ !$0.isOver }) else { return link.leave(transfer.id) }
        guard !hasPlace else { return send() }
        request.events?(.queued)
        let hasOneByNow = state.withLock { state in
            state.isToldToWait = true
            return state.hasPlace
        }
        if hasOneByNow { startWaiting() }
    }

    /// The request, which has waited, has a place now. Gives its number when it has no more use for it.
    func admitted() -> UInt64? {
        let (isToldToWait, over) = state.withLock { state -> (Bool, UInt64?) in
            state.hasPlace = true
            return (state.isToldToWait, state.isOver ? state.id : nil)
        }
        if over == nil, isToldToWait { startWaiting() }
        return over
    }

    private func startWaiting() {
        state.withLock { $0.metrics.queue = link.clock.now - $0.asked }
        request.events?(.started)
        send()
    }

    private func send() {
        var platformRequest = URLRequest(request)
        switch request.body?.content {
        case .data(let data) where request.headers.contains(.contentType):
            platformRequest.httpBody = data
            begin(platformRequest)
        case .data(let data):
            // The platform takes a body without a type for a form, but not one that is uploaded.
            begin(platformRequest, upload: data)
        case .some(let content):
            guard let (length, _, open) = content.chunks else {
                begin(platformRequest)
                return
            }
            // A task of its own, since the answer may come and be read while the body is still being sent.
            let task = Task.detached { [platformRequest] in await self.stream(platformRequest, length: length, from: open) }
            let isOver = state.withLock { state in
                if !state.isOver { state.bodyTask = task }
                return state.isOver
            }
            if isOver { task.cancel() }
        case nil: begin(platformRequest)
        }
    }

    /// Has the platform begin; `false` when the request is over by now.
    ///
    /// - Parameter afterEnd: done when the platform is through with it, however it ended.
    @discardableResult
    func begin(_ platformRequest: URLRequest, upload: Data? = nil, afterEnd: (@Sendable () -> Void)? = nil) -> Bool {
        state.withLock { state in
            guard !state.isOver else { return false }
            let (task, events) = link.begin(platformRequest, upload: upload, for: self, afterEnd: afterEnd)
            state.transfer?.began()
            state.task = task
            state.events = events
            state.metrics.sends = 1
            state.began = link.clock.now
            watch(&state)
            return true
        }
    }

    func readerChanged(_ transfer: Transfer) {
        state.withLock { state in
            state.held = 0
            guard state.isSuspended, let task = state.task else { return }
            state.isSuspended = false
            watch(&state)
            task.resume()
        }
    }

    func discard(_ transfer: Transfer) { close() }
    func cancel(_ transfer: Transfer) { close() }

    private func close() {
        let remains = state.withLock { $0.end() }
        remains.task?.cancel()
        remains.bodyTask?.cancel()
        if let transfer = remains.transfer { link.leave(transfer.id) }
    }

    /// Ends the transfer with an error of ours.
    func fail(_ error: RequestError) {
        let (transfer, head) = state.withLock { ($0.transfer, $0.head) }
        transfer?.fail(error.toldWith(head))
    }

    /// The platform takes no more of the body. Who has answered may do so; else the request has failed, and must not end as if the body
    /// had been whole.
    func bodyRefused(_ error: (any Error)?) {
        guard state.withLock({ $0.head == nil }) else { return }
        fail(
            error.map { RequestError($0, isHeadThere: false) }
                ?? .connection(.init(.init(kind: .reset), reason: "the platform stopped reading the body before its end")))
    }

    // MARK: The platform's side

    func received(interim response: HTTPURLResponse) {
        let interim = (status: HTTPStatus(response.statusCode), headers: PlatformHead.fields(of: response))
        request.events?(.interim(interim.status, interim.headers))
        state.withLock { state in
            state.lastActivity = link.clock.now
            state.interim.append(interim)
        }
    }

    func received(_ response: HTTPURLResponse) {
        var head: PlatformHead
        do throws(RequestError) { head = try PlatformHead(response, of: request) } catch { return fail(error) }
        let (first, interim) = state.withLock { ($0.head, $0.interim) }
        if let first { return fail(.connection(.init(reason: first.anew))) }
        head.head.interim = interim
        request.events?(.head(head.head.status))
        if let length = head.length { request.events?(.expecting(length)) }
        let taken = state.withLock { state -> (transfer: Transfer, head: ReceivedHead)? in
            guard let transfer = state.transfer else { return nil }
            state.lastActivity = link.clock.now
            state.metrics.firstByte = state.lastActivity - state.began
            state.head = head
            // The body's limit may be nearer than the head's.
            if request.options.idleTimeout != nil { setTimer(&state) }
            return (transfer, head.received(state.metrics))
        }
        guard let taken else { return }
        // A caller who wants a value gets a successful answer as a whole, at its end.
        guard let limit = taken.transfer.gathering, head.head.status.isSuccess else { return taken.transfer.receive(head: taken.head) }
        if let length = head.length, length > limit { fail(.tooLarge(limit: limit, declared: length)) }
    }

    func received(_ data: Data) {
        let taken = state.withLock { state -> (transfer: Transfer, limit: Int?, isSuspended: Bool)? in
            guard let transfer = state.transfer, let task = state.task else { return nil }
            state.lastActivity = link.clock.now
            state.received += Int64(data.count)
            state.metrics.bodyBytesReceived = state.received
            // Asked for here, so that a reader who begins to gather finds the task either running or suspended, and wakes it then.
            let limit = transfer.gathering
            if Self.canPause, limit == nil, !state.isSuspended, state.held + data.count >= TransferState<Int, Int>.highWater {
                state.isSuspended = true
                task.suspend()
            }
            return (transfer, limit, state.isSuspended)
        }
        guard let taken else { return }
        request.events?(.received(state.withLock(\.received)))
        let (held, resumes) = taken.transfer.receive(data, isPaused: taken.isSuspended)
        state.withLock { $0.held = held }
        if resumes { readerChanged(taken.transfer) }
        if let limit = taken.limit, held > limit { fail(.tooLarge(limit: limit)) }
    }

    func sent(_ count: Int64) {
        request.events?(.sent(count))
        state.withLock { state in
            state.lastActivity = link.clock.now
            state.metrics.bodyBytesSent = count
        }
    }

    func measured(_ metrics: RequestMetrics) {
        let transfer = state.withLock { state in
            let queue = state.metrics.queue
            state.metrics = metrics
            state.metrics.queue = queue
            return state.transfer
        }
        if let transfer, transfer.origin.scheme == "https", metrics.version?.major ?? 0 >= 2 { link.carriesMany(transfer.origin) }
    }

    func completed(with error: (any Error)?) {
        let ended = state.withLock { state -> Ended? in
            guard let transfer = state.transfer, let task = state.task else { return nil }
            var metrics = state.metrics
            metrics.total = metrics.total ?? link.clock.now - state.began
            // Of a redirect that leads nowhere the platform on Linux tells only at the end.
            let head = state.head ?? (task.response as? HTTPURLResponse).flatMap { try? PlatformHead($0, of: request) }
            let received = state.received
            return Ended(transfer: transfer, head: head, received: received, metrics: metrics, bodyTask: state.end().bodyTask)
        }
        guard let ended else { return }
        ended.bodyTask?.cancel()
        request.events?(.ended(ended.metrics))
        var result = Result<Void, RequestError>.success(())
        if let failure = ended.failure(error) { result = .failure(failure.toldWith(ended.head)) }
        ended.transfer.finish(result, head: ended.head?.received(ended.metrics), last: Data(), metrics: ended.metrics, trailers: [:])
        link.leave(ended.transfer.id)
    }

    /// What is known of a request that the platform is through with.
    private struct Ended {
        let transfer: Transfer
        let head: PlatformHead?
        let received: Int64
        let metrics: RequestMetrics
        let bodyTask: Task<Void, Never>?

        func failure(_ error: (any Error)?) -> RequestError? {
            // A request whose challenge was turned down counts as cancelled on Linux, though its answer has come.
            if let error, (error as? URLError)?.code != .cancelled || head?.length != received {
                return RequestError(error, isHeadThere: head != nil, isReused: metrics.isConnectionReused)
            }
            guard let head else { return .noResponse(.init(reason: "the platform ended the request without an answer")) }
            guard let length = head.length, length != received else { return nil }
            return .connection(.init(.init(kind: .truncated), reason: "the body ended after \(received) of \(length) bytes"))
        }
    }

    // MARK: Time

    /// How long the server may be silent, as far as the answer has come.
    private func timeout(_ state: State) -> Duration {
        state.head == nil ? request.options.timeout ?? RequestOptions.Standard.timeout : request.options.bodyTimeout
    }

    /// Whether the body that is to be sent has nothing to send yet: that is no silence of the server.
    func awaitsBody(_ isAwaited: Bool) {
        state.withLock { state in
            state.isBodyAwaited = isAwaited
            if !isAwaited, !state.isOver { watch(&state) }
        }
    }

    /// Counts the silence from now.
    private func watch(_ state: inout State) {
        state.lastActivity = link.clock.now
        if state.silence == nil { setTimer(&state) }
    }

    private func setTimer(_ state: inout State) {
        state.silence = link.timer(state.lastActivity + timeout(state)) { [weak self] in self?.checkSilence() }
    }

    /// The limit only ever moves away, so one timer is enough: it is set again when it rings too early, and goes while it isn't the
    /// server's turn.
    private func checkSilence() {
        let isSilent = state.withLock { state in
            state.silence = nil
            guard state.task != nil, !state.isSuspended, !state.isBodyAwaited else { return false }
            guard link.clock.now < state.lastActivity + timeout(state) else { return true }
            setTimer(&state)
            return false
        }
        guard isSilent else { return }
        let (isHeadThere, limit) = state.withLock { ($0.head != nil, timeout($0)) }
        let what = isHeadThere ? "the server said nothing for" : "no connection or no answer within"
        fail(.timedOut(.init(.init(limit: .attempt, after: limit), reason: "\(what) \(limit); RequestOptions.timeout bounds it")))
    }
}

extension RequestError {
    fileprivate func toldWith(_ head: PlatformHead?) -> RequestError {
        retold { $0.response = $0.response ?? head.map { FailedResponse(head: $0.head) } }
    }
}
#endif
