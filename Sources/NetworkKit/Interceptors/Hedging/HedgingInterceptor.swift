internal import PlatformBase

extension Interceptor where Self == HedgingInterceptor {
    /// Sends a request a second time beside the first when that takes long, and takes the answer that comes first: what a few slow servers
    /// among many cost is cut off. The other attempt is cancelled.
    ///
    /// ```swift
    /// let budget = RetryBudget()
    /// HTTPSession(interceptors: [.retry(budget: budget), .hedging(after: .p95(), budget: budget)])
    /// ```
    ///
    /// Only requests that may be sent twice are: those that are idempotent or have an idempotency key, with a body that can be sent again.
    /// An answer that means failure (408, 425, 429, 5xx) doesn't win over an attempt that is still on its way. An answer has come when its
    /// head has, or its body too where the transport gives both at once.
    ///
    /// Each such request takes two tasks, one to send in and one that waits for the delay: some microseconds of work, and a change of
    /// thread on the way there and back. It belongs inside of ``Interceptor/retry(_:budget:random:)``.
    ///
    /// - Parameters:
    ///   - delay: how long the first attempt may take.
    ///   - budget: bounds how many are sent twice; `nil` for no bound. Give it the one of `.retry` to have both spend from one.
    public static func hedging(after delay: HedgingDelay, budget: RetryBudget? = RetryBudget()) -> HedgingInterceptor {
        HedgingInterceptor(delay: delay, budget: budget)
    }

    /// The same with a delay that is always the same.
    public static func hedging(after delay: Duration, budget: RetryBudget? = RetryBudget()) -> HedgingInterceptor {
        hedging(after: .fixed(delay), budget: budget)
    }
}

/// Sends slow requests twice: see ``Interceptor/hedging(after:budget:)-(HedgingDelay,_)``.
public struct HedgingInterceptor: StockInterceptor {
    private let delay: HedgingDelay
    private let budget: RetryBudget?
    private let latencies: Latencies?

    private final class Latencies: Sendable {
        let window: Lock<LatencyWindow>
        init(share: Double) { window = Lock(LatencyWindow(share: share)) }
    }

    init(delay: HedgingDelay, budget: RetryBudget?) {
        self.delay = delay
        self.budget = budget
        if case .percentile(let share, _, _) = delay.kind { latencies = Latencies(share: share) } else { latencies = nil }
    }

    /// Sends the request, and perhaps a second time.
    public func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
        budget?.count(request)
        guard Self.mayBeSentTwice(request) else { return try await next(request) }
        let delay = currentDelay
        // What would be hedged after the call's end needs no race.
        if let remaining = request.context.remaining, remaining <= delay { return try await next(request) }
        let (latencies, budget, clock) = (latencies, budget, request.context.clock)
        let call = HedgedCall(request, next) { latency in latencies?.window.withLock { $0.add(latency) } }
        return try await call.run(after: delay) { budget?.spend(at: clock.now) ?? true }
    }

    private var currentDelay: Duration {
        switch delay.kind {
        case .fixed(let delay): delay
        case .percentile(_, let initially, let atLeast):
            max(latencies?.window.withLock { $0.percentile } ?? initially, atLeast)
        }
    }

    private static func mayBeSentTwice(_ request: HTTPRequest) -> Bool {
        request.isIdempotent && request.body?.isReplayable != false
    }

    /// After how long it would send a second one.
    public func describe(_ request: HTTPRequest) -> String? {
        guard Self.mayBeSentTwice(request) else {
            let reason = request.isIdempotent ? "its body can be read once" : "\(request.method) isn't idempotent"
            return "sends it once, since \(reason)"
        }
        return "sends it a second time after \(delay)" + (budget.map { "; budget: \($0.words)" } ?? "")
    }
}
