internal import PlatformBase

/// One exchange that several callers wait for: it has a life of its own, so that none of them can end it for the others.
///
/// Its task is none of the callers' tasks; it ends with the answer, or when the last caller has left. A transport or an interceptor of
/// one's own that ignores a task's cancellation keeps it longer; nobody waits for it then.
final class SharedExchange: Sendable {
    /// Until when somebody may wait for it.
    let deadline: SharedDeadline
    private let clock: CallClock
    private let scope: CallScope
    private let task = Lock<Task<Void, Never>?>(nil)
    private let isFirstHere = Atomic(true)

    /// - Parameter request: that of the first caller.
    init(_ request: HTTPRequest) {
        deadline = SharedDeadline(request.context.deadline)
        clock = request.context.clock
        let call = request.context.scope
        scope = CallScope(isOneTask: call?.isOneTask == true, sentBefore: call?.sentCount ?? 0)
    }

    /// Sends the first caller's request, on behalf of all. `end` is called once, also when it has been stopped.
    func start(_ request: HTTPRequest, _ next: Next, end: @escaping @Sendable (Result<HTTPResponse, RequestError>) async -> Void) {
        var request = request
        request.context.scope = scope
        request.context.deadline = nil
        request.context.sharedDeadline = deadline
        if let listener = request.listener {
            // That of a call that is over would be told of nothing that is its own.
            request.listener = EventListener { [weak self] event in
                if self?.isFirstHere.load(ordering: .relaxed) == true { listener.hear(event) }
            }
        }
        let task = Task.begun { [request] in
            let result: Result<HTTPResponse, RequestError>
            do throws(RequestError) { result = .success(try await next(request)) } catch { result = .failure(error) }
            await end(result)
        }
        self.task.withLock { $0 = task }
    }

    /// Takes in one more caller.
    func extend(for context: CallContext) {
        // Its deadline is on the clock of its own session, which may have another origin.
        deadline.extend(to: context.remaining.map { clock.now + $0 })
    }

    /// Tells a caller's call what was sent for it, for its error.
    func tellAttempts(to context: CallContext) {
        // Times of two clocks can't be compared.
        if clock === context.clock { context.scope?.adopt(attemptsOf: scope) }
    }

    /// The first caller has left; others may wait on.
    func firstHasLeft() { isFirstHere.store(false, ordering: .relaxed) }

    /// The last caller has left.
    func stop(_ reason: RequestError) {
        scope.end(reason)
        task.withLock { $0 }?.cancel()
    }
}

extension Task where Success == Void, Failure == Never {
    /// A task that runs at once, on the thread of its maker, until it waits for the first time: most have much to do before that, and
    /// a change of thread costs more than all of it.
    fileprivate static func begun(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            Task.immediate(operation: work)
        } else {
            Task(operation: work)
        }
    }
}
