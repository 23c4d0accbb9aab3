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

    /// Has `work` done on one of the threads, and waits for nothing. Where the system gives no thread it is done here and now, so that whoever
    /// adds it must not hold what it needs.
    static func add(_ work: @escaping @Sendable () -> Void) { queue.add(work) }

    private static let queue = BlockingQueue(threads: threadCount)
}

/// Work waiting for a thread, first in, first out.
final class BlockingQueue: Sendable {
    private struct State {
        var jobs: [@Sendable () -> Void] = []
        /// Who does the work: threads, and who had to do it in place of one.
        var workers = 0

        mutating func next() -> (@Sendable () -> Void)? { jobs.isEmpty ? nil : jobs.removeFirst() }
    }

    private let state = Lock(State())
    private let count = Semaphore()
    private let limit: Int
    private let start: Thread.Starter

    init(threads: Int, start: @escaping Thread.Starter = { Thread.start($0) }) {
        limit = threads
        self.start = start
    }

    func add(_ job: @escaping @Sendable () -> Void) {
        let needsWorker = state.withLock { state in
            state.jobs.append(job)
            guard state.workers < limit else { return false }
            state.workers += 1
            return true
        }
        count.signal()
        if needsWorker, !start({ self.work() }) { workInPlace() }
    }

    /// Does the work that comes, for ever.
    private func work() {
        while true {
            count.wait()
            // Nothing is left where it was done in place.
            let job = state.withLock { $0.next() }
            job?()
        }
    }

    /// Does the work that there is. What it adds is work for who is at it already, as soon as so many are: however much follows from one
    /// another, nothing runs within itself without end.
    private func workInPlace() {
        while let job = state.withLock({ state in
            let job = state.next()
            if job == nil { state.workers -= 1 }
            return job
        }) { job() }
    }
}
