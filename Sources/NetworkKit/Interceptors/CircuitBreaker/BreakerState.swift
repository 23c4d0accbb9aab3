/// Whether one host may be asked: closed, it may; open, it may not; half-open, one request tries.
struct BreakerState: Sendable {
    /// A request that is let through, to be reported on once. What is reported after the state has changed doesn't count.
    struct Pass: Sendable, Equatable {
        let generation: Int
        /// Whether it is the one that tries.
        let isProbe: Bool
    }

    /// A request that isn't.
    struct Refusal: Sendable, Equatable {
        var failures: Int
        var requests: Int
        /// How long until one is let through to try; `nil` while one is trying.
        var retryAfter: Duration?
    }

    enum Admission: Sendable, Equatable {
        case passes(Pass)
        case refused(Refusal)
    }

    private enum Phase {
        case closed
        case open(until: Duration)
        case probing
    }

    private var phase = Phase.closed
    private var generation = 0
    private var window: OutcomeWindow
    private var opening = (failures: 0, requests: 0)

    init(_ policy: CircuitBreakerPolicy) { window = OutcomeWindow(policy.window) }

    /// Asks whether a request may be sent. The clock is read only when it matters.
    mutating func admit(_ policy: CircuitBreakerPolicy, now: () -> Duration) -> Admission {
        switch phase {
        case .closed: return .passes(Pass(generation: generation, isProbe: false))
        case .probing: return .refused(Refusal(failures: opening.failures, requests: opening.requests, retryAfter: nil))
        case .open(let until):
            // Further off than it ever was set: then the clock has jumped back.
            let now = now()
            let rest = min(until - now, policy.openFor)
            guard rest <= .zero else {
                // Kept, so that the time runs from here on.
                phase = .open(until: now + rest)
                return .refused(Refusal(failures: opening.failures, requests: opening.requests, retryAfter: rest))
            }
            move(to: .probing)
            return .passes(Pass(generation: generation, isProbe: true))
        }
    }

    /// Takes the outcome of a request that was let through.
    mutating func report(_ outcome: HostOutcome, of pass: Pass, _ policy: CircuitBreakerPolicy, at now: Duration) {
        guard pass.generation == generation else { return }
        switch (phase, outcome) {
        case (.closed, .nothing), (.open, _): break
        case (.closed, _):
            window.add(isFailure: outcome == .failure, at: now)
            guard outcome == .failure, window.requests >= max(1, policy.minimumRequests),
                Double(window.failures) >= policy.failureRatio * Double(window.requests)
            else { return }
            opening = (window.failures, window.requests)
            window.clear()
            move(to: .open(until: now + policy.openFor))
        case (.probing, .success): move(to: .closed)
        case (.probing, .failure): move(to: .open(until: now + policy.openFor))
        // It learnt nothing, so the next request tries.
        case (.probing, .nothing): move(to: .open(until: now))
        }
    }

    /// Whether it may be forgotten, where there are too many hosts.
    func worth(at now: Duration) -> HostTable<BreakerState>.Worth {
        switch phase {
        case .closed: window.isEmpty(at: now) ? .none : .some
        case .open: .some
        case .probing: .needed
        }
    }

    private mutating func move(to next: Phase) {
        phase = next
        generation += 1
    }
}
