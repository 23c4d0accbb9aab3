/// Whoever waits for a value that is given once.
///
/// In debug builds a checked continuation, so that one that is resumed twice or never is found; else one that costs nothing to check.
package struct Waiter<Value: Sendable>: Sendable {
    #if DEBUG
    private let continuation: CheckedContinuation<Value, Never>
    #else
    private let continuation: UnsafeContinuation<Value, Never>
    #endif

    /// Waits for the value that `begin`, or whoever it tells, gives the waiter.
    @inlinable
    package static func wait(
        isolation: isolated (any Actor)? = #isolation, _ begin: (Waiter) -> Void
    ) async -> Value {
        #if DEBUG
        await withCheckedContinuation(isolation: isolation) { begin(Waiter(continuation: $0)) }
        #else
        await withUnsafeContinuation(isolation: isolation) { begin(Waiter(continuation: $0)) }
        #endif
    }

    /// Gives the value. Exactly once.
    package func resume(_ value: Value) { continuation.resume(returning: value) }
}
