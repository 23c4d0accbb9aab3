internal import PlatformBase

extension Interceptor where Self == CoalescingInterceptor {
    /// Has identical requests that are under way at the same time share one exchange: twenty views that ask for the same thing send one
    /// request.
    ///
    /// It is for safe requests without a body whose callers want a value; all others pass. Two are identical when method, URL, fields,
    /// the identity of the credentials, and `timeout`, `cachePolicy` and `redirectPolicy` of their options are. Every caller gets the
    /// head, the whole body and the metrics, or the error.
    ///
    /// Each caller can leave by itself, by its cancellation or its deadline, and the others don't notice. The exchange stops when the
    /// last one has left. It reads as much of the body as the first caller's `maximumBodySize` allows: a caller that allows less gets
    /// ``RequestError/responseTooLarge(_:)`` by itself, and one that allows more begins an exchange of its own, which later ones join.
    ///
    /// It shares no answer that has already come: that is what a cache is for. Nor one that may not be true any more: when an unsafe
    /// request has gone through it and wasn't refused, nobody joins the exchanges of its URL, and of what its answer's `Location` and
    /// `Content-Location` name on the same origin, that began before (RFC 9111 §4.4).
    ///
    /// - Parameter ignoring: fields in which identical requests may differ; the first one's are sent. Default: `traceparent` and
    ///   `tracestate`.
    public static func coalescing(
        ignoring: [HTTPField.Name] = ["traceparent", "tracestate"]
    ) -> CoalescingInterceptor {
        CoalescingInterceptor(ignoring: ignoring)
    }
}

/// Has identical requests share one exchange: see ``Interceptor/coalescing(ignoring:)``.
public struct CoalescingInterceptor: PerHopInterceptor {
    let ignoring: [HTTPField.Name]
    private let exchanges = Exchanges()

    init(ignoring: [HTTPField.Name]) { self.ignoring = ignoring }

    /// How many requests wait for an answer just now, their own or another's.
    var callers: Int { exchanges.callers }

    /// Sends the request, or waits for the answer to one like it.
    public func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
        guard let key = CoalescingKey(request, ignoring: ignoring) else {
            let response = try await next(request)
            if !request.method.isSafe { exchanges.seal(request, answeredBy: response.head) }
            return response
        }
        return try await exchanges.answer(to: request, key, next)
    }

    /// Whether it may be shared.
    public func describe(_ request: HTTPRequest) -> String? {
        CoalescingKey(request, ignoring: ignoring) == nil
            ? "shares nothing: not a safe request without a body for a value" : "shares the exchange with identical requests"
    }
}

/// Drives a ``CoalescingState``: locks it, begins and stops exchanges, and hands their answers round.
private final class Exchanges: Sendable {
    private typealias State = CoalescingState<CoalescingKey, CallWait<Outcome>, SharedExchange>

    /// What a caller gets: one reference, since it goes through several hands.
    private indirect enum Outcome: Sendable {
        /// The answer itself: nobody else wants it.
        case own(HTTPResponse)
        case shared(SharedAnswer)
    }

    private let state = Lock(State())

    var callers: Int { state.withLock { $0.callers } }

    /// What a request has changed is asked for anew from now on.
    func seal(_ request: HTTPRequest, answeredBy head: ResponseHead) {
        guard state.withLock({ $0.exchanges > 0 }) else { return }
        let changed = CacheInvalidation.keys(of: request, answeredBy: head)
        guard !changed.isEmpty else { return }
        state.withLock { $0.seal { changed.contains(CacheKey($0.request.url)) } }
    }

    nonisolated(nonsending) func answer(to request: HTTPRequest, _ key: CoalescingKey, _ next: Next) async throws(RequestError)
        -> HTTPResponse
    {
        let wait = CallWait<Outcome>()
        let limit = request.options.maximumBodySize ?? .max
        let joined = state.withLock { $0.join(key, limit: limit, wait) { SharedExchange(request) } }
        if joined.isFirst {
            let exchange = joined.membership.exchange
            joined.handle.start(request, next) { result in await self.end(exchange, result, limit: limit) }
        } else {
            joined.handle.extend(for: request.context)
        }
        do {
            switch try await wait.value(in: request.context) {
            case .own(let response):
                if !response.status.isSuccess { joined.handle.tellAttempts(to: request.context) }
                return response
            case .shared(let answer):
                if !answer.isGood { joined.handle.tellAttempts(to: request.context) }
                return answer.response(isFirst: joined.isFirst)
            }
        } catch {
            // It is the exchange's failure, and then all have left; or this caller's own.
            joined.handle.tellAttempts(to: request.context)
            if joined.isFirst { joined.handle.firstHasLeft() }
            state.withLock { $0.leave(joined.membership) }?.stop(error)
            throw error.retold { $0.name = request.options.name ?? $0.name }
        }
    }

    /// Hands an exchange's end round. The body is read before that, unless it is there: then only where more than one wants it.
    private func end(_ exchange: State.Exchange, _ result: Result<HTTPResponse, RequestError>, limit: Int) async {
        switch result {
        case .failure(let error): finish(exchange, .failure(error))
        case .success(let response) where response.body.isWhole:
            let callers = state.withLock { $0.finish(exchange) }
            if callers.count == 1 {
                give(.success(.own(response)), callers)
            } else {
                give(.success(.shared(await SharedAnswer(response, upTo: limit))), callers)
            }
        case .success(let response): finish(exchange, .success(.shared(await SharedAnswer(response, upTo: limit))))
        }
    }

    private func finish(_ exchange: State.Exchange, _ result: Result<Outcome, RequestError>) {
        give(result, state.withLock { $0.finish(exchange) })
    }

    private func give(_ result: Result<Outcome, RequestError>, _ callers: State.Callers) {
        // Whoever has just left refuses, and nothing is lost by that.
        _ = callers.first?.give(result)
        for waiter in callers.others { _ = waiter.give(result) }
    }
}
