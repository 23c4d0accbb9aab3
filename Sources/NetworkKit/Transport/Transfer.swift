internal import PlatformBase

/// What brings a transfer's bytes. All of it may be called from anywhere, and none of it may wait.
protocol TransferDriver: AnyObject, Sendable {
    /// Begins a transfer.
    func start(_ transfer: Transfer)
    /// Its reader has taken bytes, or wants them otherwise.
    func readerChanged(_ transfer: Transfer)
    /// Nobody reads on.
    func discard(_ transfer: Transfer)
    /// It is over for its caller already.
    func cancel(_ transfer: Transfer)
}

/// One transfer as both sides see it: the caller who waits and reads, and the driver that brings.
final class Transfer: BodySource {
    /// A number that no other transfer has.
    let id = Transfer.lastID.wrappingAdd(1, ordering: .relaxed).newValue
    let request: HTTPRequest
    let origin: Origin
    private let driver: any TransferDriver
    private let state: Lock<TransferState<HeadWaiter, BodyWaiter>>
    private let hasBegun = Atomic(false)

    private static let lastID = Atomic<UInt64>(0)

    typealias HeadWaiter = Waiter<Result<ReceivedHead, RequestError>>
    typealias BodyWaiter = Waiter<Result<Data?, RequestError>>
    typealias Wakeups = TransferState<HeadWaiter, BodyWaiter>.Wakeups
    typealias Reading = TransferState<HeadWaiter, BodyWaiter>.Reading

    /// - Parameter request: checked.
    init(_ request: HTTPRequest, driver: any TransferDriver) throws(RequestError) {
        guard let origin = request.origin else {
            throw .invalidURL(.whole, "\(Token.quoted(request.url.absoluteString)) has no origin")
        }
        guard request.body?.isSpent != true else { throw RequestError.spent.retold { $0.add(request) } }
        self.request = request
        self.origin = origin
        self.driver = driver
        let limit = request.options.maximumBodySize ?? .max
        state = Lock(TransferState(gathering: request.context.delivery == .value ? limit : nil))
    }

    // MARK: The caller's side

    /// Sends the request and waits for the head.
    nonisolated(nonsending) func start() async throws(RequestError) -> ReceivedHead {
        request.context.scope?.listen(self)
        return try await waiting { (self) in
            await Waiter.wait { waiter in
                let known = self.state.withLock { $0.waitForHead(waiter) }
                if let known { return waiter.resume(known) }
                self.driver.start(self)
            }
        }.get()
    }

    /// Waits for something that cancelling the task is to end. Within a call whose own task waits, the call sees to that.
    private func waiting<Value>(
        isolation: isolated (any Actor)? = #isolation, _ wait: (Transfer) async -> Value
    ) async -> Value {
        if request.context.delivery == .value, request.context.scope?.isOneTask == true { return await wait(self) }
        return await withTaskCancellationHandler {
            await wait(self)
        } onCancel: {
            fail(.cancelled)
        }
    }

    var endsWithCall: Bool { true }
    var expectedLength: Int64? { nil }
    var trailers: HTTPFields { state.withLock { $0.trailers } }
    var isWhole: Bool { state.withLock { $0.isWhole } }
    var held: Data? { state.withLock { $0.held } }
    var metrics: RequestMetrics? { state.withLock { $0.metrics } }
    func note(_ use: RequestMetrics.CacheUse) -> Bool { state.withLock { $0.note(use) } }

    func next(isolation: isolated (any Actor)?) async throws(RequestError) -> Data? {
        try await body(state.withLock { $0.read() }, isolation: isolation)
    }

    func collect(upTo limit: Int) async throws(RequestError) -> Data {
        let reading = state.withLock { $0.gather(upTo: limit) }
        if case .nothing = reading { driver.readerChanged(self) }
        let data = try await body(reading, isolation: nil) ?? Data()
        guard data.count <= limit else { throw .tooLarge(limit: limit) }
        return data
    }

    private func body(_ reading: Reading, isolation: isolated (any Actor)?) async throws(RequestError) -> Data? {
        if case .ready(let result, let resumes) = reading {
            if resumes { driver.readerChanged(self) }
            return try result.get()
        }
        return try await waiting(isolation: isolation) { (self) in
            await Waiter.wait(isolation: isolation) { waiter in
                guard case .ready(let result, let resumes) = self.state.withLock({ $0.waitForBody(waiter) }) else { return }
                if resumes { self.driver.readerChanged(self) }
                waiter.resume(result)
            }
        }.get()
    }

    /// Lets go of the transfer: nobody reads on.
    func end() {
        let (wakeups, isFirst) = state.withLock { state in
            let isFirst = state.end == nil && !state.isDropped
            return (state.dropBuffered(), isFirst)
        }
        wakeups.run()
        guard isFirst else { return }
        // The call holds its listeners, and the transfer its call: neither would go.
        forgetCall()
        driver.discard(self)
    }

    /// Ends the transfer at once, from anywhere: whoever waits is told, and the driver lets go of it.
    func fail(_ error: RequestError) {
        let (wakeups, isFirst) = state.withLock { $0.fail(error) }
        wakeups.run()
        guard isFirst else { return }
        forgetCall()
        driver.cancel(self)
    }

    // MARK: The driver's side

    /// It waits for nobody on this side any more.
    func began() { hasBegun.store(true, ordering: .releasing) }

    var isOver: Bool { state.withLock { $0.end != nil } }
    /// How many bytes the reader wants at once; `nil` for a reader who takes piece by piece.
    var gathering: Int? { state.withLock { $0.gathering } }

    func receive(head: ReceivedHead) {
        state.withLock { $0.receive(head: head) }.run()
    }

    /// Hands bytes over. Gives how many the reader hasn't taken yet, and whether the driver, having stopped reading, may go on.
    func receive(_ chunk: Data, isPaused: Bool) -> (held: Int, resumes: Bool) {
        let (wakeups, held, resumes) = state.withLock { $0.receive(chunk, isPaused: isPaused) }
        wakeups.run()
        return (held, resumes)
    }

    func finish(
        _ result: Result<Void, RequestError>, head: ReceivedHead?, last: Data, metrics: RequestMetrics, trailers: HTTPFields
    ) {
        let wakeups = state.withLock { $0.finish(result, head: head, last: last, metrics: metrics, trailers: trailers) }
        wakeups.run()
        forgetCall()
    }

    private func forgetCall() { request.context.scope?.forget(self) }
}

extension Transfer: CallListener {
    func callEnded(_ reason: RequestError) {
        // What ends in the driver's queue says nothing of the server.
        fail(hasBegun.load(ordering: .acquiring) ? reason : reason.retold { $0.wasQueued = true })
    }
}

extension TransferState.Wakeups where HeadWaiter == Transfer.HeadWaiter, BodyWaiter == Transfer.BodyWaiter {
    func run() {
        if let head { head.waiter.resume(head.result) }
        if let body { body.waiter.resume(body.result) }
    }
}
