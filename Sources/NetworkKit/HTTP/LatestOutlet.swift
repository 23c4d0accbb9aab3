internal import PlatformBase

/// Hands the newest of some values to somebody else's code, on a thread of its own: at most one waits, and a newer one takes its place, so
/// that code that is slow is never behind by more than the value that it is busy with.
final class LatestOutlet<Value: Sendable>: Sendable {
    /// What the thread holds, so that the outlet itself may go.
    private final class Slot: Sendable {
        let waiting = Lock<Value?>(nil)
    }

    private let slot: Slot
    private let outlet: Outlet<Void>

    /// - Parameter deliver: the code. It may block.
    init(_ deliver: @escaping @Sendable (Value) -> Void) {
        let slot = Slot()
        self.slot = slot
        outlet = Outlet { _ in
            if let value = slot.waiting.withLock({ $0.take() }) { deliver(value) }
        }
    }

    /// Hands a value on. It never waits.
    func send(_ value: Value) {
        let isAlone = slot.waiting.withLock { waiting in
            defer { waiting = value }
            return waiting == nil
        }
        if isAlone { outlet.send(()) }
    }

    /// Waits until the last value has been taken, until the call or the task ends.
    nonisolated(nonsending) func taken(in context: CallContext) async {
        let wait = CallWait<Void>()
        outlet.flush { _ = wait.give(.success(())) }
        try? await wait.value(in: context)
    }
}
