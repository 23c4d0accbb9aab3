internal import PlatformBase

/// Threads for the tasks of one case, so that a transport that blocks its caller's thread blocks one of these and none of Swift's,
/// of which there are as many as cores. Those that are still blocked when the case is over are left behind.
final class CaseExecutor: TaskExecutor, @unchecked Sendable {
    // All mutable state is guarded by the mutex; both it and the condition have stable memory until deinit, which can't come while
    // a thread runs, since each has the executor.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var jobs: [UnownedJob] = []
    private var firstJob = 0
    private var threads = 0
    private var idleThreads = 0
    private var isClosed = false

    private static let threadLimit = 4

    init() {
        mutex.initialize(to: pthread_mutex_t())
        condition.initialize(to: pthread_cond_t())
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        pthread_cond_destroy(condition)
        mutex.deallocate()
        condition.deallocate()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        pthread_mutex_lock(mutex)
        jobs.append(job)
        let needsThread = jobs.count - firstJob > idleThreads && threads < Self.threadLimit
        if needsThread { threads += 1 } else { pthread_cond_signal(condition) }
        pthread_mutex_unlock(mutex)
        guard needsThread else { return }
        do throws(LoopbackError) {
            try LoopThread { self.work() }.detach()
        } catch {
            // No thread is to be had. The job is done here, or by a thread that there is.
            work(once: true)
        }
    }

    /// Lets the threads end. What is enqueued later gets a new one.
    func close() {
        pthread_mutex_lock(mutex)
        isClosed = true
        pthread_cond_broadcast(condition)
        pthread_mutex_unlock(mutex)
    }

    private func work(once: Bool = false) {
        while let job = nextJob(orEnd: once) { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    private func nextJob(orEnd: Bool) -> UnownedJob? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while firstJob == jobs.count {
            if isClosed || orEnd {
                threads -= 1
                return nil
            }
            idleThreads += 1
            pthread_cond_wait(condition, mutex)
            idleThreads -= 1
        }
        defer {
            firstJob += 1
            if firstJob == jobs.count {
                jobs.removeAll(keepingCapacity: true)
                firstJob = 0
            }
        }
        return jobs[firstJob]
    }
}
