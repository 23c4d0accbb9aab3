internal import PlatformBase

/// One request that may be sent twice side by side: drives a ``HedgeRace``.
///
/// Each attempt has a task and a scope of its own, so that it can end alone. Nothing outlives the call but what ignores its cancellation.
final class HedgedCall: Sendable {
    private struct Attempt: Sendable {
        let scope: CallScope
        /// What the call holds of it.
        let end: AttemptEnd
        let gate: EventGate?
        var task: Task<Void, Never>?
        var result: Result<HTTPResponse, RequestError>?
    }

    private struct State: Sendable {
        var race = HedgeRace()
        var attempts: [Attempt] = []
        var timer: Task<Void, Never>?
    }

    private let request: HTTPRequest
    private let next: Next
    /// Told how long the first attempt took, or at least took.
    private let measured: @Sendable (Duration) -> Void
    private let start: Duration
    private let outcome = CallWait<HTTPResponse>()
    private let state = Lock(State())

    init(_ request: HTTPRequest, _ next: Next, measured: @escaping @Sendable (Duration) -> Void) {
        var request = request
        // The attempts are counted together.
        if request.context.scope == nil { request.context.scope = CallScope(start: request.context.clock.now) }
        self.request = request
        self.next = next
        self.measured = measured
        start = request.context.clock.now
    }

    /// Sends the request, and sends it again beside the first when the delay has passed and `mayHedge` says so.
    func run(after delay: Duration, mayHedge: @escaping @Sendable () -> Bool) async throws(RequestError) -> HTTPResponse {
        begin(0)
        let clock = request.context.clock
        let wakes = start + delay
        let timer = Task {
            do { try await clock.sleep(until: wakes) } catch { return }
            self.delayPassed(mayHedge)
        }
        let isOver = state.withLock { state in
            state.timer = timer
            return state.race.isOver
        }
        if isOver { timer.cancel() }
        do throws(RequestError) {
            return try await outcome.value(in: request.context)
        } catch {
            close(keeping: nil)
            throw error
        }
    }

    private func begin(_ place: Int) {
        var request = request
        let scope = CallScope(attemptOf: request.context.scope)
        let gate = request.events.map { EventGate(isOpen: place == 0, $0) }
        request.context.scope = scope
        request.context.attempt += place
        if let gate { request.listener = EventListener(gate.take) }
        let end = AttemptEnd(scope)
        state.withLock { $0.attempts.append(Attempt(scope: scope, end: end, gate: gate)) }
        self.request.context.scope?.listen(end)
        let task = Task { [next, request] in
            do throws(RequestError) {
                self.ended(place, .success(try await next(request)))
            } catch {
                self.ended(place, .failure(error))
            }
        }
        let isOver = state.withLock { state in
            state.attempts[place].task = task
            return state.race.isOver && state.attempts[place].result == nil
        }
        guard isOver else { return }
        // Somebody won, or left, in between.
        scope.end(.outrun)
        task.cancel()
    }

    private func delayPassed(_ mayHedge: () -> Bool) {
        guard state.withLock({ !$0.race.isOver }), mayHedge() else { return }
        if state.withLock({ $0.race.begin() }) { begin(1) }
    }

    private func ended(_ place: Int, _ result: Result<HTTPResponse, RequestError>) {
        let (step, gate) = state.withLock { state -> (HedgeRace.Step, EventGate?) in
            let step = state.race.end(place, result.ending)
            if step != .drop { state.attempts[place].result = result }
            let other = state.attempts.indices.contains(1 - place) ? state.attempts[1 - place].gate : nil
            return (step, other)
        }
        if place == 0, step != .drop, case .good = result.ending { measured(request.context.clock.now - start) }
        switch step {
        // The one that is left is the one to tell of.
        case .hold: gate?.open()
        case .drop: result.letGo()
        case .end(let winner): finish(winner)
        }
    }

    private func finish(_ winner: Int) {
        close(keeping: winner)
        let (gate, result) = state.withLock { state in (state.attempts[winner].gate, state.attempts[winner].result) }
        guard let result else { return }
        gate?.open()
        if !outcome.give(result) { result.letGo() }
    }

    /// Lets go of all but the winner.
    private func close(keeping winner: Int?) {
        let (losers, timer) = state.withLock { state -> ([Attempt], Task<Void, Never>?) in
            state.race.close()
            let losers = state.attempts.indices.filter { $0 != winner }.map { state.attempts[$0] }
            return (losers, state.timer)
        }
        timer?.cancel()
        for (place, loser) in losers.enumerated() {
            // How long it would have taken isn't known, but that it was longer is.
            if loser.result == nil, winner == 1, place == 0 { measured(request.context.clock.now - start) }
            if loser.result == nil { loser.gate?.shut() }
            loser.result?.letGo()
            request.context.scope?.forget(loser.end)
            loser.scope.end(.outrun)
            loser.task?.cancel()
        }
    }
}

extension Result<HTTPResponse, RequestError> {
    fileprivate var ending: HedgeRace.Ending {
        guard case .success(let response) = self else { return .failed }
        let status = response.head.status
        return status.isServerError || [408, 425, 429].contains(status.code) ? .bad : .good
    }

    fileprivate func letGo() {
        if case .success(let response) = self { response.body.discard() }
    }
}

/// Ends the scope of an attempt with that of its call, which the attempt's holds: if the call's held the attempt's as well, neither would
/// ever go.
private final class AttemptEnd: CallListener {
    private weak let scope: CallScope?

    init(_ scope: CallScope) { self.scope = scope }

    func callEnded(_ reason: RequestError) { scope?.end(reason) }
}
