/// Whoever waits for a value that is given once.
///
/// In debug builds a checked continuation, so that one that is resumed twice or never is found, and a lock around the hand-over: where the
/// value is given before anybody waits for it, Thread Sanitizer sees nothing else between its maker and its user. Else a continuation that
/// costs nothing to check.
package struct Waiter<Value: Sendable>: Sendable {
    #if DEBUG
    private let continuation: CheckedContinuation<Value, Never>
    private let handOver: HandOver
    #else
    private let continuation: UnsafeContinuation<Value, Never>
    #endif

    /// Waits for the value that `begin`, or whoever it tells, gives the waiter.
    @inlinable
    package static func wait(
        isolation: isolated (any Actor)? = #isolation, _ begin: (Waiter) -> Void
    ) async -> Value {
        #if DEBUG
        let handOver = HandOver()
        let value = await withCheckedContinuation(isolation: isolation) { begin(Waiter(continuation: $0, handOver: handOver)) }
        handOver.lock.withLock { _ in }
        return value
        #else
        await withUnsafeContinuation(isolation: isolation) { begin(Waiter(continuation: $0)) }
        #endif
    }

    /// Gives the value. Exactly once.
    package func resume(_ value: Value) {
        #if DEBUG
        handOver.lock.withLock { _ in }
        #endif
        continuation.resume(returning: value)
    }

    #if DEBUG
    private final class HandOver: Sendable {
        let lock = Lock(())
    }
    #endif
}
