internal import PlatformBase

extension Interceptor where Self == ConcurrencyLimitInterceptor {
    /// Lets so many requests be under way at once; the others wait for their turn, first come, first served.
    ///
    /// A host that is full holds up no other. A request is under way until its answer's body has been read, has failed or is let go
    /// of. Whoever is cancelled while waiting, or comes to its deadline, leaves at once and takes nobody's turn. A request past the
    /// bound of the queue fails at once with ``RequestError/rejected(_:)``, unsent.
    ///
    /// ```swift
    /// HTTPSession(interceptors: [.retry(), .concurrencyLimit(perHost: 4, total: 32)])
    /// ```
    ///
    /// The limit holds for what goes through this value: two sessions that are given the same one share it.
    ///
    /// - Parameters:
    ///   - perHost: how many to one origin, at least 1; `nil`, the default, for any number.
    ///   - total: how many in all, at least 1; `nil`, the default, for any number.
    ///   - queue: how many may wait, over all hosts. Default: 10,000.
    public static func concurrencyLimit(
        perHost: Int? = nil, total: Int? = nil, queue: Int = 10_000
    ) -> ConcurrencyLimitInterceptor {
        ConcurrencyLimitInterceptor(perHost: perHost, total: total, queue: queue)
    }
}

/// Lets so many requests be under way at once: see ``Interceptor/concurrencyLimit(perHost:total:queue:)``.
public struct ConcurrencyLimitInterceptor: StockInterceptor {
    private let perHost: Int?
    private let total: Int?
    private let queue: Int
    private let slots: Slots

    init(perHost: Int?, total: Int?, queue: Int) {
        self.perHost = perHost
        self.total = total
        self.queue = queue
        slots = Slots(ConcurrencyState(perHost: perHost, total: total, queue: queue))
    }

    /// Waits for a slot, sends the request on, and gives the slot back when the body has ended.
    public func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
        // Without an origin it is refused by the last check.
        guard let origin = request.origin else { return try await next(request) }
        let place = try await slots.take(origin, request)
        do {
            let response = try await next(request)
            if response.body.isWhole {
                slots.release(place)
                return response
            }
            return response.watched(on: request.context.clock) { [slots] _ in slots.release(place) }
        } catch {
            slots.release(place)
            throw error
        }
    }

    /// The limits.
    public func describe(_ request: HTTPRequest) -> String? {
        let limits = [perHost.map { "\($0) at once to a host" }, total.map { "\($0) in all" }].compactMap { $0 }
        return limits.isEmpty ? "limits nothing" : limits.joined(separator: ", ") + "; up to \(queue) wait"
    }
}

/// Drives a ``ConcurrencyState``: locks it, and tells those whose turn has come.
private final class Slots: Sendable {
    typealias State = ConcurrencyState<CallWait<Void>>

    private let state: Lock<State>

    init(_ state: sending State) { self.state = Lock(state) }

    nonisolated(nonsending) func take(_ origin: Origin, _ request: HTTPRequest) async throws(RequestError) -> State.Place {
        switch state.withLock({ $0.admit(origin) { CallWait() } }) {
        case .admitted(let place): return place
        case .full(let active, let waiting): throw Self.full(origin, active: active, waiting: waiting)
        case .waiting(let place, let order, let wait):
            do {
                try await wait.value(in: request.context)
                return place
            } catch {
                // If a slot is being handed over just now, it is refused, and goes to the next.
                _ = state.withLock { $0.leave(place, order: order) }
                throw error.retold { $0.wasQueued = true }
            }
        }
    }

    func release(_ place: State.Place) {
        var place = place
        while let next = state.withLock({ $0.release(place) }), !next.waiter.give(.success(())) { place = next.place }
    }

    private static func full(_ origin: Origin, active: Int, waiting: Int) -> RequestError {
        .rejected(
            .init(
                reason: "the queue of the concurrency limit is full: \(active) requests are under way and \(waiting) wait, the last for "
                    + "\(origin); send fewer at once, or raise a limit or concurrencyLimit(queue:)")
        ).retold { $0.wasQueued = true }
    }
}
