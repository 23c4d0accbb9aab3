internal import PlatformBase

/// A thread of the system, for work that must not run on Swift's own.
enum Thread {
    /// What starts threads: ``start(_:)``, or a test's.
    typealias Starter = @Sendable (_ body: @escaping @Sendable () -> Void) -> Bool

    /// Starts a thread that runs `body` and ends with it; `false`, and nothing is run, where the system gives none.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        let box = Unmanaged.passRetained(Box(body))
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        #if canImport(Darwin)
        var thread: pthread_t?
        #else
        var thread = pthread_t()
        #endif
        let code = pthread_create(&thread, &attributes, { Thread.main($0) }, box.toOpaque())
        pthread_attr_destroy(&attributes)
        if code != 0 { box.release() }
        return code == 0
    }

    private final class Box: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    #if canImport(Darwin)
    private static func main(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
        return nil
    }
    #else
    private static func main(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        if let argument { Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body() }
        return nil
    }
    #endif
}

/// A counting semaphore for threads of our own; never waited on from Swift's.
final class Semaphore: @unchecked Sendable {
    // A semaphore of POSIX threads may be used from any thread; the memory is stable and freed after the last use, by deinit.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var count = 0  // guarded by `mutex`

    init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    func signal() {
        pthread_mutex_lock(mutex)
        count += 1
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
    }

    func wait() {
        pthread_mutex_lock(mutex)
        while count == 0 { pthread_cond_wait(condition, mutex) }
        count -= 1
        pthread_mutex_unlock(mutex)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        pthread_cond_destroy(condition)
        mutex.deallocate()
        condition.deallocate()
    }
}
