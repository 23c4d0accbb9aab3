import PlatformBase

/// Sees to it that a signal that ends this program ends its server too.
enum Ending {
    private static let cleanup = Lock<(@Sendable () -> Void)?>(nil)
    // Written once, before the handlers are there that read it.
    nonisolated(unsafe) private static var bell: Int32 = -1

    /// Calls `body` when a signal is to end the program, and then ends it.
    ///
    /// A handler may do next to nothing: it writes to a pipe, and a thread that reads from it does the rest.
    static func prepare(_ body: @escaping @Sendable () -> Void) throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Unavailable("no pipe: error \(errno)") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        bell = ends[1]
        let reading = ends[0]
        cleanup.withLock { $0 = body }
        let box = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
        box.initialize(to: reading)
        #if canImport(Darwin)
        var thread: pthread_t?
        pthread_create(&thread, nil, { Ending.wait($0) }, box)
        #else
        var thread = pthread_t()
        pthread_create(&thread, nil, { $0.flatMap { Ending.wait($0) } }, box)
        #endif
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number) { number in
                var byte = UInt8(truncatingIfNeeded: number)
                write(Ending.bell, &byte, 1)
            }
        }
        // The output may go to a program that stops reading: that must not end this one before its server. Children don't inherit
        // a handler, as they would the signal's being ignored.
        signal(SIGPIPE) { _ in }
    }

    private static func wait(_ box: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        let descriptor = box.load(as: Int32.self)
        var number: UInt8 = 0
        while read(descriptor, &number, 1) < 0, errno == EINTR {}
        cleanup.withLock { $0 }?()
        _exit(128 + Int32(number))
    }
}
