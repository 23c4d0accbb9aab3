/// A wait on a call's behalf, for what somebody else will give: a turn, a token, an answer that another call asked for.
///
/// It ends with the call, or when the task that waits is cancelled, and then what is given later is refused, so that the giver can
/// hand it on.
final class CallWait<Value: Sendable>: CallListener {
    private let outcome = OneShot<Result<Value, RequestError>>()

    /// Gives what is waited for. `false` when the wait is over already: then nobody takes it.
    func give(_ result: Result<Value, RequestError>) -> Bool { outcome.resolve(result) }

    func callEnded(_ reason: RequestError) { outcome.resolve(.failure(reason)) }

    /// Waits. Called once.
    ///
    /// - Throws: what was given, or why the call or the task is over.
    nonisolated(nonsending) func value(in context: CallContext) async throws(RequestError) -> Value {
        // Given before anybody waits, as by an exchange that had nothing to wait for.
        if let known = outcome.known { return try known.get() }
        context.scope?.listen(self)
        defer { context.scope?.forget(self) }
        // Not every request has a scope, and not every scope is one of the task that waits.
        return try await withTaskCancellationHandler {
            await outcome.value()
        } onCancel: {
            callEnded(.cancelled)
        }.get()
    }
}

extension CallContext {
    /// Lets time pass on the call's clock.
    ///
    /// Whether the deadline leaves room for it is asked before, by who would wait: see ``remaining``.
    ///
    /// - Throws: why the call is over, as soon as it is.
    nonisolated(nonsending) func pause(for duration: Duration) async throws(RequestError) {
        guard duration > .zero else { return }
        let end = clock.now + duration
        let wait = CallWait<Void>()
        let sleeper = Task { [clock] in
            do {
                try await clock.sleep(until: end)
                _ = wait.give(.success(()))
            } catch {
                _ = wait.give(.failure(.cancelled))
            }
        }
        defer { sleeper.cancel() }
        try await wait.value(in: self)
    }
}
