internal import PlatformBase

/// Holds routes back until a test lets them go on: what must happen at the same time is made to, without sleeping.
///
/// ```swift
/// let gate = LoopbackGate()
/// let server = try await LoopbackServer.start { routes in
///     routes.get("/slow") { _ in
///         await gate.wait()
///         return .text("done")
///     }
/// }
/// async let first = …, second = …
/// await server.waitForRequests(2)     // both are in, none is answered
/// gate.open()
/// ```
public final class LoopbackGate: Sendable {
    private struct State {
        var isOpen = false
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var lastWaiter = 0
    }

    private let state = Lock(State())

    /// A closed gate.
    public init() {}

    /// Lets all go on that wait or will wait. A gate isn't closed again.
    public func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until the gate is open, or the task is cancelled, as a route's is when its server stops.
    public func wait() async {
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let goesOn = state.withLock { state in
                    if state.isOpen || Task.isCancelled { return true }
                    state.waiters[id] = continuation
                    return false
                }
                if goesOn { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
        }
    }
}
