import PlatformBase

/// Sees to it that a signal that ends this program ends its server too.
enum Ending {
    private static let cleanup = Lock<(@Sendable () -> Void)?>(nil)

    /// Waits for the signals on a thread of its own, where any code may run, as it may not in a signal's handler.
    static func prepare(_ body: @escaping @Sendable () -> Void) {
        cleanup.withLock { $0 = body }
        // The output may go to a program that stops reading: its failure to be written must not end this one before its children.
        var blocked = signals
        sigaddset(&blocked, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &blocked, nil)
        #if canImport(Darwin)
        var thread: pthread_t?
        pthread_create(&thread, nil, { _ in Ending.wait() }, nil)
        #else
        var thread = pthread_t()
        pthread_create(&thread, nil, { _ in Ending.wait() }, nil)
        #endif
    }

    private static var signals: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&set, signal) }
        return set
    }

    private static func wait() -> UnsafeMutableRawPointer? {
        var set = signals
        var signal: Int32 = 0
        sigwait(&set, &signal)
        cleanup.withLock { $0 }?()
        _exit(128 + signal)
    }
}
