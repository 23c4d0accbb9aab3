internal import PlatformBase

extension Interceptor where Self == RateLimitInterceptor {
    /// Sends at most so many requests in so much time, as a token bucket: the others wait for their turn, first come, first served.
    ///
    /// A request that would be past its deadline before its turn comes fails at once with ``RequestError/rejected(_:)``, unsent, and so
    /// does one past the bound of the queue; `retryAfter` says when there would be a token for it. Whoever is cancelled while waiting
    /// leaves at once, and those behind it move up.
    ///
    /// ```swift
    /// .rateLimit(40, per: .seconds(10))              // 40 at once, then one every 250 ms
    /// .rateLimit(40, per: .seconds(10), burst: 1)    // never closer together than 250 ms
    /// ```
    ///
    /// The limit holds for what goes through this value: two sessions that are given the same one share it. A clock that jumps back
    /// costs no more than one filling of the bucket.
    ///
    /// - Parameters:
    ///   - requests: how many, at least 1.
    ///   - duration: in how much time.
    ///   - burst: how many may go at once after a pause. Default: `requests`.
    ///   - perHost: whether each origin has a bucket of its own, the default, or all share one. Of more than 1,024 hosts, those asked
    ///     longest ago begin anew.
    ///   - queue: how many may wait, over all hosts. Default: 10,000.
    public static func rateLimit(
        _ requests: Int, per duration: Duration, burst: Int? = nil, perHost: Bool = true, queue: Int = 10_000
    ) -> RateLimitInterceptor {
        RateLimitInterceptor(requests, per: duration, burst: burst ?? requests, perHost: perHost, queue: queue)
    }
}

/// Sends at most so many requests in so much time: see ``Interceptor/rateLimit(_:per:burst:perHost:queue:)``.
public struct RateLimitInterceptor: StockInterceptor {
    private let text: String
    private let perHost: Bool
    private let tokens: Tokens

    init(_ requests: Int, per duration: Duration, burst: Int, perHost: Bool, queue: Int) {
        text = "\(requests) in \(duration)" + (perHost ? " to a host" : "") + ", up to \(burst) at once; up to \(queue) wait"
        self.perHost = perHost
        tokens = Tokens(RateState(TokenBucket(requests, per: duration, burst: burst), queue: queue))
    }

    /// Waits for a token, and sends the request on.
    public func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
        // Without an origin it is refused by the last check.
        guard let origin = request.origin else { return try await next(request) }
        try await tokens.take(perHost ? origin : Self.anywhere, request)
        return try await next(request)
    }

    /// The rate.
    public func describe(_ request: HTTPRequest) -> String? { text }

    private static let anywhere = Origin(scheme: "", host: "", port: 0)
}

/// Drives a ``RateState``: locks it, asks it again when a token is due, and tells those whose turn has come.
private final class Tokens: Sendable {
    private typealias Rate = RateState<CallWait<Void>>

    private struct State {
        var rate: Rate
        /// The clock of the first request: instants of two clocks can't be compared.
        var clock: CallClock?
        var alarm: Alarm?
        /// When the tokens are to be given out next: one instant for all hosts.
        var asked: (instant: Duration, timer: Timers.ID?)?
    }

    private let state: Lock<State>

    init(_ rate: sending RateState<CallWait<Void>>) { state = Lock(State(rate: rate)) }

    nonisolated(nonsending) func take(_ origin: Origin, _ request: HTTPRequest) async throws(RequestError) {
        let context = request.context
        let admission = state.withLock { state in
            let clock = state.clock ?? context.clock
            if state.clock == nil { state.clock = clock }
            return state.rate.admit(origin, at: clock.now, remaining: { context.remaining }) { CallWait() }
        }
        switch admission {
        case .admitted: return
        case .late(let wait):
            throw Self.rejection("its turn would come in \(wait), after the call's deadline; allow more time or send fewer", after: wait)
        case .full(let waiting, let wait):
            throw Self.rejection("its queue is full, \(waiting) wait; send fewer, or raise rateLimit(queue:)", after: wait)
        case .waiting(let place, let order, let wait, let wake):
            if let wake { ask(at: wake) }
            do {
                try await wait.value(in: context)
            } catch {
                // If a token is being handed over just now, it is refused, and put back.
                _ = state.withLock { $0.rate.leave(place, order: order) }
                throw error.retold { $0.wasQueued = true }
            }
        }
    }

    /// Has the tokens given out at an instant, unless they are at an earlier one, after which it is asked anew.
    private func ask(at instant: Duration) {
        let (alarm, needless) = state.withLock { state -> (Alarm?, Timers.ID?) in
            if let asked = state.asked, asked.instant <= instant { return (nil, nil) }
            if state.alarm == nil { state.alarm = state.clock.map(Alarm.init) }
            defer { state.asked = (instant, nil) }
            return (state.alarm, state.asked?.timer)
        }
        guard let alarm else { return }
        if let needless { alarm.takeBack(needless) }
        let timer = alarm.set(instant) { [weak self] in self?.rang(at: instant) }
        let isWanted = state.withLock { state in
            // It may have rung already, or an earlier one may have been asked for.
            guard let asked = state.asked, asked.instant == instant, asked.timer == nil else { return false }
            state.asked = (instant, timer)
            return true
        }
        if !isWanted { alarm.takeBack(timer) }
    }

    private func rang(at instant: Duration) {
        let counts = state.withLock { state in
            guard state.asked?.instant == instant else { return false }
            state.asked = nil
            return true
        }
        if counts { giveOut() }
    }

    private func giveOut() {
        while true {
            let (going, next) = state.withLock { state -> ([(waiter: CallWait<Void>, place: Rate.Place)], Duration?) in
                guard let now = state.clock?.now else { return ([], nil) }
                return state.rate.due(at: now)
            }
            let refused = going.filter { !$0.waiter.give(.success(())) }
            guard !refused.isEmpty else {
                if let next { ask(at: next) }
                return
            }
            state.withLock { state in for (_, place) in refused { state.rate.giveBack(place) } }
        }
    }

    private static func rejection(_ reason: String, after wait: Duration) -> RequestError {
        .rejected(.init(.init(retryAfter: wait), reason: "the rate limit lets no more requests go now: \(reason)"))
            .retold { $0.wasQueued = true }
    }
}
