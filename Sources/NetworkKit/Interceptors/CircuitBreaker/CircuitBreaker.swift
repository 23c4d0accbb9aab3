internal import PlatformBase

extension Interceptor where Self == CircuitBreakerInterceptor {
    /// Stops sending to a host most of whose requests fail, so that callers needn't wait for what won't come, and a host that is down
    /// can come up.
    ///
    /// While it is closed all requests go through. When enough of them have failed it opens, and every request fails at once with
    /// ``RequestError/rejected(_:)``, unsent; `retryAfter` says when it will try again. Then it is half-open: one request goes through,
    /// and its outcome closes or opens it. Failures are a connection that fails or breaks off, no answer, a timeout, a deadline that
    /// passes while the request is under way, and the policy's statuses. A request that is cancelled, or refused by a limit further in,
    /// counts as nothing.
    ///
    /// ```swift
    /// HTTPSession(interceptors: [.retry(), .circuitBreaker(.init(failureRatio: 0.3))])
    /// ```
    ///
    /// Each origin has a state of its own, kept by this value: two sessions that are given the same one share it. Of more than 1,024
    /// hosts, those asked longest ago begin anew.
    public static func circuitBreaker(_ policy: CircuitBreakerPolicy = .init()) -> CircuitBreakerInterceptor {
        CircuitBreakerInterceptor(policy)
    }
}

/// Stops sending to a host that fails: see ``Interceptor/circuitBreaker(_:)``.
public struct CircuitBreakerInterceptor: StockInterceptor {
    private let breakers: Breakers

    init(_ policy: CircuitBreakerPolicy) { breakers = Breakers(policy) }

    /// Sends the request on, unless its host's breaker is open.
    public func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
        // Without an origin it is refused by the last check.
        guard let origin = request.origin else { return try await next(request) }
        let pass = try breakers.admit(origin, request.context.clock)
        do {
            let response = try await next(request)
            let outcome = breakers.policy.outcome(of: response.status)
            // A stream may last for ever; that it has begun is enough.
            guard outcome == .success, request.context.delivery == .value, !response.body.isWhole else {
                breakers.report(outcome, of: pass)
                return response
            }
            return response.watched(on: request.context.clock) { [breakers] passage in breakers.report(passage, of: pass) }
        } catch {
            breakers.report(breakers.policy.outcome(of: error), of: pass)
            throw error
        }
    }

    /// When it opens.
    public func describe(_ request: HTTPRequest) -> String? {
        let policy = breakers.policy
        return "opens for \(policy.openFor) when \(policy.failureRatio.percentText) of at least \(policy.minimumRequests) requests in "
            + "\(policy.window) to a host fail"
    }
}

/// Drives a ``BreakerState`` for each host: locks it, and makes the error of a refusal.
private final class Breakers: Sendable {
    struct Pass: Sendable {
        let place: HostTable<BreakerState>.Place
        let pass: BreakerState.Pass
    }

    private struct State {
        var hosts = HostTable<BreakerState>(bound: 1024)
        /// The clock of the first request: instants of two clocks can't be compared.
        var clock: CallClock?
    }

    let policy: CircuitBreakerPolicy
    private let state = Lock(State())

    init(_ policy: CircuitBreakerPolicy) { self.policy = policy }

    func admit(_ origin: Origin, _ clock: CallClock) throws(RequestError) -> Pass {
        let (place, admission) = state.withLock { state in
            let clock = state.clock ?? clock
            if state.clock == nil { state.clock = clock }
            let place = state.hosts.place(of: origin) {
                $0.worth(at: clock.now)
            } make: {
                BreakerState(policy)
            }
            return (place, state.hosts.change(place) { $0.admit(policy, now: { clock.now }) })
        }
        switch admission {
        case .passes(let pass)?: return Pass(place: place, pass: pass)
        case .refused(let refusal)?: throw Self.error(refusal, origin)
        // Just made, so it is there; and if it weren't, nothing would speak against the request.
        case nil: return Pass(place: place, pass: BreakerState.Pass(generation: 0, isProbe: false))
        }
    }

    func report(_ outcome: HostOutcome, of pass: Pass) {
        if outcome == .nothing, !pass.pass.isProbe { return }
        state.withLock { state in
            guard let now = state.clock?.now else { return }
            _ = state.hosts.change(pass.place) { $0.report(outcome, of: pass.pass, policy, at: now) }
        }
    }

    func report(_ passage: BodyPassage, of pass: Pass) {
        switch passage.ending {
        case .whole, .letGo: report(.success, of: pass)
        case .failed(let error): report(policy.outcome(of: error), of: pass)
        }
    }

    private static func error(_ refusal: BreakerState.Refusal, _ origin: Origin) -> RequestError {
        let when = refusal.retryAfter.map { "it will be tried again in \($0)" } ?? "one request is trying it just now"
        return .rejected(
            .init(
                .init(retryAfter: refusal.retryAfter),
                reason: "the circuit breaker for \(origin) is open: \(refusal.failures) of \(refusal.requests) requests failed; \(when)")
        ).retold { $0.wasQueued = true }
    }
}
