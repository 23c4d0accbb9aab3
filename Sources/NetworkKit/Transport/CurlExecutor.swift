#if canImport(CCurl)
/// Runs tasks on a transport's loop, between the loop's own work, so that an answer needs no change of thread to reach its caller.
final class CurlExecutor: TaskExecutor {
    private let loop: CurlLoop
    /// What keeps the loop's thread alive.
    private let owner: any AnyObject & Sendable

    init(_ loop: CurlLoop, owner: any AnyObject & Sendable) {
        self.loop = loop
        self.owner = owner
    }

    func enqueue(_ job: consuming ExecutorJob) {
        loop.post(.run(UnownedJob(job), self))
    }

    /// Runs a job, on the loop's thread.
    func run(_ job: UnownedJob) { job.runSynchronously(on: asUnownedTaskExecutor()) }
}
#endif
