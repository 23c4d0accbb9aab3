internal import Synchronization

/// The life of one call: it ends when its deadline passes or its task is cancelled, and then whoever waits for something on its
/// behalf is told at once.
///
/// A deadline can't cancel a Swift task from outside without giving every call a task of its own, which costs two changes of
/// thread. So the waits themselves, which are few and all ours, listen here.
final class CallScope: Sendable {
    private struct State {
        var ending: RequestError?
        var listeners: [Int: @Sendable (RequestError) -> Void] = [:]
        var nextID = 0
    }

    private let state = Mutex(State())

    /// Why the call is over, or `nil` while it goes on.
    var ending: RequestError? { state.withLock(\.ending) }

    /// Ends the call. The first reason stands.
    func end(_ reason: RequestError) {
        let listeners = state.withLock { state -> [@Sendable (RequestError) -> Void] in
            guard state.ending == nil else { return [] }
            state.ending = reason
            defer { state.listeners = [:] }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener(reason) }
    }

    /// Calls `listener` when the call ends, at once if it has; gives what ``forget(_:)`` takes.
    func listen(_ listener: @escaping @Sendable (RequestError) -> Void) -> Int {
        let (id, ending) = state.withLock { state -> (Int, RequestError?) in
            guard state.ending == nil else { return (-1, state.ending) }
            state.nextID += 1
            state.listeners[state.nextID] = listener
            return (state.nextID, nil)
        }
        if let ending { listener(ending) }
        return id
    }

    /// Takes a listener back.
    func forget(_ id: Int) {
        _ = state.withLock { $0.listeners.removeValue(forKey: id) }
    }
}
