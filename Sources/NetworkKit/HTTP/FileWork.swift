internal import PlatformBase

/// Blocking work with files: two threads of our own, so that a slow disk holds up neither the transport's loop nor Swift's
/// cooperative threads. They start with the first work and stay for the life of the process.
enum FileWork {
    private static let threadCount = 2

    /// Runs `work` on one of the threads.
    static func run<Value: Sendable>(_ work: @escaping @Sendable () throws(RequestError) -> Value) async throws(RequestError) -> Value {
        let result = await withCheckedContinuation { (continuation: CheckedContinuation<Result<Value, RequestError>, Never>) in
            add { continuation.resume(returning: Result(catching: work)) }
        }
        return try result.get()
    }

    /// Has `work` done on one of the threads, and waits for nothing.
    static func add(_ work: @escaping @Sendable () -> Void) { queue.add(work) }

    private static let queue: BlockingQueue = {
        let queue = BlockingQueue()
        for _ in 0..<threadCount { Thread.start { queue.work() } }
        return queue
    }()
}

/// Work waiting for a thread, first in, first out.
private final class BlockingQueue: Sendable {
    private let jobs = Lock<[@Sendable () -> Void]>([])
    private let count = Semaphore()

    func add(_ job: @escaping @Sendable () -> Void) {
        jobs.withLock { $0.append(job) }
        count.signal()
    }

    /// Does the work that comes, for ever.
    func work() {
        while true {
            count.wait()
            let job = jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            job?()
        }
    }
}
