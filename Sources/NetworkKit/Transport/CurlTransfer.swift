#if canImport(CCurl)
internal import PlatformBase

/// One transfer as both sides see it: the caller who waits and reads, and the loop that brings.
final class CurlTransfer: BodySource {
    /// A number that no other transfer has.
    let id = CurlTransfer.lastID.wrappingAdd(1, ordering: .relaxed).newValue
    let request: HTTPRequest
    let origin: Origin
    private let loop: CurlLoop
    private let state: Lock<TransferState<HeadWaiter, BodyWaiter>>
    private let listener = Lock<Int?>(nil)

    private static let lastID = Atomic<UInt64>(0)

    typealias HeadWaiter = CheckedContinuation<Result<ReceivedHead, RequestError>, Never>
    typealias BodyWaiter = CheckedContinuation<Result<Data?, RequestError>, Never>
    typealias Wakeups = TransferState<HeadWaiter, BodyWaiter>.Wakeups
    typealias Reading = TransferState<HeadWaiter, BodyWaiter>.Reading

    /// - Parameter request: checked.
    init(_ request: HTTPRequest, origin: Origin, loop: CurlLoop) {
        self.request = request
        self.origin = origin
        self.loop = loop
        let limit = request.options.maximumBodySize ?? .max
        state = Lock(TransferState(gathering: request.context.delivery == .value ? limit : nil))
    }

    // MARK: The caller's side

    /// Sends the request and waits for the head.
    func start() async throws(RequestError) -> ReceivedHead {
        if let scope = request.context.scope {
            let id = scope.listen { [weak self] in self?.fail($0) }
            listener.withLock { $0 = id }
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let known = state.withLock { $0.waitForHead(continuation) }
                if let known { return continuation.resume(returning: known) }
                loop.post(.start(self))
            }
        } onCancel: {
            fail(.cancelled)
        }
        return try result.get()
    }

    var endsWithCall: Bool { true }
    var expectedLength: Int64? { nil }
    var trailers: HTTPFields { state.withLock(\.trailers) }
    var metrics: RequestMetrics? { state.withLock(\.metrics) }

    func next(isolation: isolated (any Actor)?) async throws(RequestError) -> Data? {
        try await body(state.withLock { $0.read() }, isolation: isolation)
    }

    func collect(upTo limit: Int) async throws(RequestError) -> Data {
        let reading = state.withLock { $0.gather(upTo: limit) }
        if case .nothing = reading { loop.post(.changed(self)) }
        let data = try await body(reading, isolation: nil) ?? Data()
        guard data.count <= limit else { throw .tooLarge(limit: limit) }
        return data
    }

    private func body(_ reading: Reading, isolation: isolated (any Actor)?) async throws(RequestError) -> Data? {
        if case .ready(let result, let resumes) = reading {
            if resumes { loop.post(.changed(self)) }
            return try result.get()
        }
        let result: Result<Data?, RequestError> = await withTaskCancellationHandler {
            await withCheckedContinuation(isolation: isolation) { continuation in
                guard case .ready(let result, let resumes) = state.withLock({ $0.waitForBody(continuation) }) else { return }
                if resumes { loop.post(.changed(self)) }
                continuation.resume(returning: result)
            }
        } onCancel: {
            fail(.cancelled)
        }
        return try result.get()
    }

    /// Lets go of the transfer: nobody reads on.
    func end() {
        let isOver = state.withLock { state in
            state.dropBuffered()
            return state.end != nil
        }
        if !isOver { loop.post(.discard(self)) }
    }

    /// Ends the transfer at once, from anywhere: whoever waits is told, and the loop lets go of it.
    func fail(_ error: RequestError) {
        let (wakeups, isFirst) = state.withLock { $0.fail(error) }
        wakeups.run()
        guard isFirst else { return }
        forgetCall()
        loop.post(.cancel(self))
    }

    // MARK: The loop's side

    var isOver: Bool { state.withLock { $0.end != nil } }
    /// How many bytes the reader wants at once; `nil` for a reader who takes piece by piece.
    var gathering: Int? { state.withLock(\.gathering) }

    func receive(head: ReceivedHead) {
        state.withLock { $0.receive(head: head) }.run()
    }

    /// Hands bytes over. Gives how many the reader hasn't taken yet, and whether the loop, having stopped reading, may go on.
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

    private func forgetCall() {
        guard let id = listener.withLock({ $0.take() }) else { return }
        request.context.scope?.forget(id)
    }
}

extension TransferState.Wakeups where HeadWaiter == CurlTransfer.HeadWaiter, BodyWaiter == CurlTransfer.BodyWaiter {
    func run() {
        if let head { head.waiter.resume(returning: head.result) }
        if let body { body.waiter.resume(returning: body.result) }
    }
}
#endif
