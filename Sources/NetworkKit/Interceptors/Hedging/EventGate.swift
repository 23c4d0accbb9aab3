internal import PlatformBase

/// Between one of two attempts and whoever follows the call: who listens is told of one attempt after the other, as of a retry, though
/// they run side by side.
///
/// What a held-back attempt has to say waits until it is the one that counts, and is lost if it never is.
final class EventGate: Sendable {
    private struct State {
        var isOpen: Bool
        var isShut = false
        var held: [TransportEvent] = []
    }

    private let listener: @Sendable (TransportEvent) -> Void
    private let state: Lock<State>

    init(isOpen: Bool, _ listener: @escaping @Sendable (TransportEvent) -> Void) {
        self.listener = listener
        state = Lock(State(isOpen: isOpen))
    }

    // Listeners don't wait, so that telling them under the lock keeps the order.

    func take(_ event: TransportEvent) {
        state.withLock { state in
            if state.isShut { return }
            if state.isOpen { return listener(event) }
            // Counts that go up say all in the last one, which comes when the gate is open.
            switch event {
            case .received, .sent: break
            default: state.held.append(event)
            }
        }
    }

    /// The attempt counts from here on.
    func open() {
        state.withLock { state in
            guard !state.isOpen, !state.isShut else { return }
            state.isOpen = true
            for event in state.held { listener(event) }
            state.held = []
        }
    }

    /// The attempt counts no more. If it was told of, it is told that it is over.
    func shut() {
        state.withLock { state in
            guard !state.isShut else { return }
            if state.isOpen { listener(.failed(.outrun)) }
            state.isShut = true
            state.held = []
        }
    }
}

extension RequestError {
    /// Another attempt has answered.
    static let outrun = RequestError.cancelled(.init(reason: "another attempt answered first"))
}
