internal import PlatformBase

/// Work with one file, done on the file-work threads one job after the other, in the order in which it was asked for.
final class FileLane: Sendable {
    private struct State {
        var jobs: [@Sendable () -> Void] = []
        var isRunning = false
    }

    private let state = Lock(State())

    /// Adds a job, and waits for nothing.
    func add(_ job: @escaping @Sendable () -> Void) {
        let begins = state.withLock { state in
            state.jobs.append(job)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if begins { FileWork.add { self.run() } }
    }

    /// Does a job, behind those that were added before it.
    func run<Value: Sendable>(_ work: @escaping @Sendable () throws(RequestError) -> Value) async throws(RequestError) -> Value {
        let result = await withCheckedContinuation { (continuation: CheckedContinuation<Result<Value, RequestError>, Never>) in
            add { continuation.resume(returning: Result(catching: work)) }
        }
        return try result.get()
    }

    /// Does one job. The next waits behind other files' work, or a file that is always behind would keep a thread for itself.
    private func run() {
        let job = state.withLock { $0.jobs.removeFirst() }
        job()
        let goesOn = state.withLock { state in
            state.isRunning = !state.jobs.isEmpty
            return state.isRunning
        }
        if goesOn { FileWork.add { self.run() } }
    }
}
