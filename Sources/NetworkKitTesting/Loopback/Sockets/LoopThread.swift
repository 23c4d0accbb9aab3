internal import PlatformBase

/// A thread of the system, to be joined or detached: a server waits for its own at its end, so that none is left when it has stopped.
struct LoopThread: @unchecked Sendable {
    // POSIX lets any thread use the handle; it is set once, and joined or detached once.
    private let handle: pthread_t

    init(_ body: @escaping @Sendable () -> Void) throws(LoopbackError) {
        let box = Unmanaged.passRetained(Box(body))
        #if canImport(Darwin)
        var thread: pthread_t?
        let code = pthread_create(
            &thread, nil,
            {
                Unmanaged<Box>.fromOpaque($0).takeRetainedValue().body()
                return nil
            }, box.toOpaque())
        guard code == 0, let thread else {
            box.release()
            throw .system(call: "pthread_create", code: code)
        }
        #else
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            {
                if let argument = $0 { Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body() }
                return nil
            }, box.toOpaque())
        guard code == 0 else {
            box.release()
            throw .system(call: "pthread_create", code: code)
        }
        #endif
        handle = thread
    }

    /// Waits for the thread's end. To be called once, when the thread is about to end: it blocks.
    func join() {
        pthread_join(handle, nil)
    }

    /// Lets the thread end by itself.
    func detach() {
        pthread_detach(handle)
    }

    private final class Box: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}
