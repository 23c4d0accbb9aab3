internal import PlatformBase

extension Interceptor where Self == RetryInterceptor {
    /// Sends a request again when it failed in a way that may pass: see ``RetryPolicy`` for when, and for how long it waits.
    ///
    /// ```swift
    /// let session = HTTPSession(interceptors: [.logging(), .retry()])
    /// ```
    ///
    /// The last attempt's outcome is the call's, with all attempts in ``RequestError/attempts``, and in the error's reason why there was no
    /// further one. Where a call wants a value, an answer that breaks off in mid-body is tried again too; in a stream that is its reader's
    /// to do. No wait is begun that would pass the call's deadline, and cancelling ends one at once.
    ///
    /// - Parameters:
    ///   - policy: when, and after how long.
    ///   - budget: bounds all attempts that are added to the session's calls; `nil` for no bound. Default: one of its own.
    ///   - random: where the jitter and the keys come from.
    public static func retry(
        _ policy: RetryPolicy = .standard, budget: RetryBudget? = RetryBudget(),
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) -> RetryInterceptor {
        RetryInterceptor(policy: policy, budget: budget, random: RandomSource(random))
    }
}

/// Sends requests again: see ``Interceptor/retry(_:budget:random:)``.
public struct RetryInterceptor: StockInterceptor {
    let policy: RetryPolicy
    let budget: RetryBudget?
    let random: RandomSource

    /// Sends the request, and sends it again as the policy says.
    public func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
        var request = request
        if request.context.scope == nil { request.context.scope = CallScope(start: request.context.clock.now) }
        budget?.count(request)
        prepare(&request)
        let gathers = request.context.delivery == .value && policy.maySendAgain(request)
        var attempt = 1
        while true {
            let ending: Ending
            do throws(RequestError) {
                var response = try await next(request)
                if !policy.statuses.contains(response.head.status) {
                    if gathers, response.head.status.isSuccess {
                        try await response.gather(upTo: request.options.maximumBodySize ?? .max)
                    }
                    return response
                }
                ending = .answer(response)
            } catch {
                ending = .failure(error)
            }
            switch decide(attempt, request, ending) {
            case .stop(let stop): return try last(ending, of: request, stop)
            case .after(let wait):
                if case .answer(let response) = ending { response.body.discard() }
                try await pause(request, for: wait)
                attempt += 1
                request.context.attempt += 1
            }
        }
    }

    private enum Ending {
        case answer(HTTPResponse)
        case failure(RequestError)
    }

    /// Sees to it that the key that makes a request idempotent is sent.
    private func prepare(_ request: inout HTTPRequest) {
        guard !request.method.isIdempotent else { return }
        if policy.makesIdempotencyKeys, !request.isIdempotent {
            request.options.idempotencyKey = request.context.scope?.idempotencyKey(of: request, random.uuid) ?? random.uuid()
        }
        if let key = request.options.idempotencyKey, !request.headers.contains(.idempotencyKey) {
            request.headers.append(HTTPField(name: .idempotencyKey, value: key))
        }
    }

    private func decide(_ attempt: Int, _ request: HTTPRequest, _ ending: Ending) -> RetryDecision {
        let context = request.context
        let outcome: RetryOutcome =
            switch ending {
            case .answer(let response): .answer(response.head)
            case .failure(let error): .failure(error)
            }
        let decision = policy.decide(
            attempt: attempt, request: request, outcome: outcome,
            now: RetryMoment(date: context.clock.date, remaining: context.remaining), random: random.unit())
        if case .after = decision, let budget, !budget.spend(at: context.clock.now) { return .stop(.budgetSpent) }
        return decision
    }

    /// The last attempt's outcome, which says why it is the last.
    private func last(_ ending: Ending, of request: HTTPRequest, _ stop: RetryStop) throws(RequestError) -> HTTPResponse {
        let remark = stop.remark(for: request, policy: policy)
        switch ending {
        case .answer(let response):
            // An error is made of it later, if at all.
            if let remark { request.context.scope?.remark = remark }
            return response
        case .failure(let error):
            throw error.retold { story in
                if let remark { story.add(remark: remark) }
                story.add(attemptsOf: request, ending: error)
            }
        }
    }

    private func pause(_ request: HTTPRequest, for wait: Duration) async throws(RequestError) {
        do throws(RequestError) {
            try await request.context.pause(for: wait)
            // A wait of nothing notices nothing.
            if Task.isCancelled { throw .cancelled }
        } catch {
            throw error.retold { $0.add(attemptsOf: request, ending: error) }
        }
    }

    /// How often it would be sent.
    public func describe(_ request: HTTPRequest) -> String? {
        guard policy.maximumAttempts > 1 else { return "sends it once" }
        let prepared = policy.makesIdempotencyKeys && !request.isIdempotent
        if prepared { return "sends it up to \(policy.maximumAttempts) times, with an Idempotency-Key" + bound }
        guard policy.maySendAgain(request) else {
            let reason = request.body?.isReplayable == false ? "its body can be read once" : "\(request.method) isn't idempotent"
            return "sends it once, since \(reason)"
        }
        return "sends it up to \(policy.maximumAttempts) times" + bound
    }

    private var bound: String { budget.map { "; budget: \($0.words)" } ?? "" }
}
