#if !DEBUG
/// A value that one task or thread at a time may touch.
package typealias Lock<Value: ~Copyable> = Mutex<Value>
#else
/// A value that one task or thread at a time may touch: `Synchronization.Mutex`, but for debug builds, which is where Thread
/// Sanitizer runs.
///
/// The sanitizer knows the locks of POSIX threads. On Linux `Mutex` is built from a futex whose waiting side lies in the standard
/// library, where it sees nothing, so that it reports a race wherever two threads contend for one.
package struct Lock<Value>: ~Copyable, @unchecked Sendable {
    // The value is reached through `withLock` alone, and the memory lives as long as the lock, which can't be copied.
    private let value: UnsafeMutablePointer<Value>
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    package init(_ initial: consuming sending Value) {
        value = .allocate(capacity: 1)
        value.initialize(to: initial)
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    /// Runs `body` while nobody else has the value. Not to be called again by `body`.
    package func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value.pointee)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
        value.deinitialize(count: 1)
        value.deallocate()
    }
}
#endif
