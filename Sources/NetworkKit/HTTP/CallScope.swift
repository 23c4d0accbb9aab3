internal import PlatformBase

/// The life of one call: it ends when its deadline passes or its task is cancelled, and then whoever waits for something on its
/// behalf is told at once.
///
/// A deadline can't cancel a Swift task from outside without giving every call a task of its own, which costs two changes of
/// thread. So the waits themselves, which are few and all ours, listen here.
final class CallScope: Sendable {
    private struct State {
        var ending: RequestError?
        // A call has one or two at a time.
        var listeners: [(id: Int, tell: @Sendable (RequestError) -> Void)] = []
        var nextID = 0
    }

    private let state = Lock(State())

    /// Why the call is over, or `nil` while it goes on.
    var ending: RequestError? { state.withLock(\.ending) }

    /// Ends the call. The first reason stands.
    func end(_ reason: RequestError) {
        let listeners = state.withLock { state -> [@Sendable (RequestError) -> Void] in
            guard state.ending == nil else { return [] }
            state.ending = reason
            defer { state.listeners = [] }
            return state.listeners.map(\.tell)
        }
        for listener in listeners { listener(reason) }
    }

    /// Calls `listener` when the call ends, at once if it has; gives what ``forget(_:)`` takes.
    func listen(_ listener: @escaping @Sendable (RequestError) -> Void) -> Int {
        let (id, ending) = state.withLock { state -> (Int, RequestError?) in
            guard state.ending == nil else { return (-1, state.ending) }
            state.nextID += 1
            state.listeners.append((state.nextID, listener))
            return (state.nextID, nil)
        }
        if let ending { listener(ending) }
        return id
    }

    /// Takes a listener back.
    func forget(_ id: Int) {
        state.withLock { state in state.listeners.removeAll { $0.id == id } }
    }
}

extension CallScope {
    /// Runs work that may not notice the call's end by itself, and gives the end at once when it comes first. The work is cancelled
    /// then; it has a task of its own, so that the caller need not wait for one that ignores that.
    func race<Value: Sendable>(
        _ work: @escaping @Sendable () async throws(RequestError) -> Value
    ) async -> Result<Value, RequestError> {
        let outcome = OneShot<Result<Value, RequestError>>()
        let task = Task {
            do throws(RequestError) {
                outcome.resolve(.success(try await work()))
            } catch {
                outcome.resolve(.failure(error))
            }
        }
        let listener = listen { reason in
            outcome.resolve(.failure(reason))
            task.cancel()
        }
        defer { forget(listener) }
        return await outcome.value()
    }
}

/// A value that one side gives, once, and one side waits for.
final class OneShot<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case waiting(CheckedContinuation<Value, Never>)
        case resolved(Value)
    }

    private let state = Lock(State.empty)

    /// Gives the value. Only the first counts.
    func resolve(_ value: Value) {
        let waiter = state.withLock { state -> CheckedContinuation<Value, Never>? in
            switch state {
            case .resolved: return nil
            case .empty:
                state = .resolved(value)
                return nil
            case .waiting(let continuation):
                state = .resolved(value)
                return continuation
            }
        }
        waiter?.resume(returning: value)
    }

    /// The value, as soon as it is there. One side waits.
    func value() async -> Value {
        await withCheckedContinuation { continuation in
            let value = state.withLock { state -> Value? in
                if case .resolved(let value) = state { return value }
                state = .waiting(continuation)
                return nil
            }
            if let value { continuation.resume(returning: value) }
        }
    }
}
