#if canImport(CCurl)
internal import CCurl
internal import PlatformBase

/// Whether the loop waits a moment without going to sleep.
///
/// Waking a thread takes the system longer than a near server takes to answer, and a caller who sends one request after the other is
/// back within that time. So after a short pause the next one is waited out awake, and after a long one asleep.
struct Patience {
    static let limit = Duration.microseconds(200)
    /// Waiting awake takes a processor away from whoever else has work.
    private static let isPossible = sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 1

    private(set) var isWorthwhile = false

    /// Notes how long the loop had nothing to do.
    mutating func note(_ pause: Duration) { isWorthwhile = Self.isPossible && pause < Self.limit }
}

/// The loop itself: libcurl's multi interface on one thread. Everything here is touched by that thread alone, which makes it and
/// runs it.
final class CurlWorker {
    let loop: CurlLoop
    var options: CurlTransport.Options { loop.options }
    private var multi: UnsafeMutableRawPointer? { loop.multi }
    private var jobs: [UInt64: CurlJob] = [:]
    private var abandoned: [UInt64: CurlJob] = [:]
    private var waiting: [UInt64: (transfer: Transfer, request: CurlRequest, since: Duration)] = [:]
    private var admission: Admission<UInt64>
    private var touched: [CurlJob] = []
    /// What has failed within a call of ours, so that libcurl doesn't say so.
    private var broken: [(job: CurlJob, code: CURLcode)] = []
    private var commands: [CurlLoop.Command] = []
    private var handles: CurlHandlePool
    /// The memory that streams are read into.
    let blocks = BlockPool()
    let events: CurlEvents
    private var mustRunTimers = false
    /// What servers have said of connections that they take no more requests on.
    private var goAways: [ConnectionEnds: HTTP2GoAway] = [:]
    private var nextTimeCheck = Duration.seconds(Int64.max)
    private var patience = [Patience(), Patience()]
    private var sweep: IdleSweep
    private var sweeper = CurlSweeper()
    private var isStopping: Bool
    /// The time of this round, on the monotonic clock.
    private(set) var now = CurlWorker.clock()

    /// - Parameter isStopping: whether nobody will say so any more.
    init(_ loop: CurlLoop, isStopping: Bool) {
        self.loop = loop
        self.isStopping = isStopping
        admission = Admission(perOrigin: loop.options.connectionsPerHost, total: loop.options.connections)
        events = loop.events
        handles = CurlHandlePool(connections: loop.options.connections)
        sweep = IdleSweep(lifetime: loop.options.idleLifetime)
    }

    func run() {
        guard let multi else { return loop.refuseAll("libcurl can't be set up: out of memory") }
        guard events.isUsable else { return loop.refuseAll("libcurl can't be set up: the process has no descriptor left for it") }
        repeat {
            obeyAll()
            if sweep.isDue(at: now) { closeIdle(multi) }
            runTimers(multi)
            settle()
            if !isStopping || hasWork {
                waitForWork(multi)
                settle()
            }
        } while !isStopping || hasWork || !loop.close()
        handles.removeAll()
        sweeper.close()
    }

    private func obeyAll() {
        // A task that runs here may give commands; they are part of the round, unless it goes on for ever.
        for _ in 0..<8 where loop.isCommanded {
            loop.takeCommands(&commands)
            for command in commands { obey(command) }
            // Not held while the loop sleeps: they hold transfers, and the transport itself.
            commands.removeAll(keepingCapacity: true)
        }
    }

    private func closeIdle(_ multi: UnsafeMutableRawPointer) {
        sweeper.closeIdle(in: multi, events, lifetime: options.idleLifetime)
        // Nor are handles kept for requests that don't come.
        if !hasWork { handles.removeAll() }
    }

    private func runTimers(_ multi: UnsafeMutableRawPointer) {
        now = Self.clock()
        if mustRunTimers { events.runTimers(multi) } else { events.runTimers(at: now, multi) }
        mustRunTimers = false
    }

    /// Sees to what libcurl has done.
    private func settle() {
        finishTransfers()
        checkTimes()
        deliver()
    }

    private func waitForWork(_ multi: UnsafeMutableRawPointer) {
        guard touched.isEmpty, !mustRunTimers else { return now = Self.clock() }
        guard jobs.count <= 1, abandoned.isEmpty, events.due ?? .seconds(Int64.max) > now else { return sleep(multi) }
        // For the next request, or for the answer to the one.
        let (place, start) = (jobs.count, now)
        if patience[place].isWorthwhile, isWorkNear(multi) {
            patience[place].note(now - start)
        } else {
            sleep(multi)
            // What the system took to wake the thread is no reason to sleep the next time too.
            patience[place].note((loop.woken ?? now) - start)
        }
    }

    private func sleep(_ multi: UnsafeMutableRawPointer) {
        hear(events.wait(milliseconds: loop.prepareToSleep() ? sleepMilliseconds : 0), multi)
    }

    /// Has libcurl hear what has happened by now: what it brings is of this moment, and not of the one in which the wait began.
    private func hear(_ count: Int, _ multi: UnsafeMutableRawPointer) {
        now = Self.clock()
        events.tell(count, multi)
    }

    /// Waits awake; `false` when nothing came in the time that is worth it.
    private func isWorkNear(_ multi: UnsafeMutableRawPointer) -> Bool {
        let start = now
        repeat {
            if loop.isCommanded {
                now = Self.clock()
                return true
            }
            if !jobs.isEmpty, case let count = events.wait(milliseconds: 0), count > 0 {
                hear(count, multi)
                return true
            }
            sched_yield()
        } while Self.clock() - start < Patience.limit
        return false
    }

    private var hasWork: Bool { !jobs.isEmpty || !abandoned.isEmpty || !waiting.isEmpty }

    // MARK: Commands

    private func obey(_ command: CurlLoop.Command) {
        switch command {
        case .start(let transfer, let request): start(transfer, request)
        case .changed(let transfer): jobs[transfer.id]?.readerChanged()
        case .upload(let transfer): jobs[transfer.id]?.uploadReady()
        case .discard(let transfer):
            guard let job = jobs[transfer.id] else { return }
            if !job.drain() { remove(job) }
        case .cancel(let transfer): cancel(transfer)
        case .run(let job, let executor): executor.run(job)
        case .stop: isStopping = true
        }
    }

    private func start(_ transfer: Transfer, _ request: CurlRequest) {
        guard !transfer.isOver else { return }
        let id = transfer.id
        if admission.admit(id, to: transfer.origin) {
            if !begin(transfer, request) { beginAll(admission.release(transfer.origin)) }
        } else {
            waiting[id] = (transfer, request, now)
            transfer.request.events?(.queued)
        }
    }

    /// Begins a transfer that has its place; `false` when it is over by now and leaves it.
    private func begin(_ transfer: Transfer, _ request: CurlRequest, isResend: Bool = false, queue: Duration? = nil) -> Bool {
        guard !transfer.isOver, let handle = handles.take(for: options, events) else {
            transfer.fail(.connection(.init(reason: "libcurl can't be set up: out of memory")))
            return false
        }
        transfer.began()
        let job = CurlJob(transfer, request, on: handle, worker: self, isResend: isResend)
        job.queue = queue
        jobs[transfer.id] = job
        job.prepare(loop)
        guard curl_multi_add_handle(multi, job.easy) == 0 else {
            jobs[transfer.id] = nil
            handles.giveBack(job.close())
            transfer.fail(.connection(.init(reason: "libcurl can't begin the request: out of memory")))
            return false
        }
        watch(job)
        return true
    }

    private func cancel(_ transfer: Transfer) {
        let id = transfer.id
        if waiting.removeValue(forKey: id) != nil { return admission.leave(id) }
        if let job = jobs[id] { remove(job) }
    }

    // MARK: Ends

    /// Has a job end in the next round, from within its own work.
    func endSoon(_ job: CurlJob, _ code: CURLcode) { broken.append((job, code)) }

    private func finishTransfers() {
        while let (job, code) = broken.popLast() {
            if jobs[job.transfer.id] === job { conclude(job, code) }
        }
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == NK_CURLMSG_DONE, let job = CurlJob.of(message.pointee.easy_handle) else { continue }
            let code = message.pointee.data.result
            if job.transfer.origin.scheme == "https", job.handle.version?.major == 2 {
                beginAll(admission.markMultiplexed(job.transfer.origin))
            }
            guard abandoned.isEmpty || abandoned.removeValue(forKey: job.transfer.id) == nil else {
                close(job)
                continue
            }
            conclude(job, code)
        }
    }

    private func conclude(_ job: CurlJob, _ code: CURLcode) {
        switch job.conclude(code) {
        case .over: remove(job)
        case .sendAgain:
            // On a connection that is surely new, and in the place that it has.
            detach(job)
            if !begin(job.transfer, job.prepared, isResend: true) { release(job) }
        }
    }

    /// Takes a job off the loop and gives its place to who waits.
    private func remove(_ job: CurlJob) {
        guard loop.options.usesQuickExit || !job.isLookingUp else { return abandon(job) }
        if detach(job) { release(job) }
    }

    /// Gives up a job whose lookup libcurl can't break off: taking its handle away would hold up the loop until the name server has
    /// answered. It stays, connects to nothing, and goes when it has its address.
    private func abandon(_ job: CurlJob) {
        guard jobs.removeValue(forKey: job.transfer.id) != nil else { return }
        abandoned[job.transfer.id] = job
        job.abandon()
        release(job)
    }

    /// Takes a job off the loop; `false` when it was off already.
    @discardableResult
    private func detach(_ job: CurlJob) -> Bool {
        guard jobs.removeValue(forKey: job.transfer.id) != nil else { return false }
        close(job)
        return true
    }

    private func close(_ job: CurlJob) {
        curl_multi_remove_handle(multi, job.easy)
        sweep.connectionUsed(at: now)
        handles.giveBack(job.close())
    }

    private func release(_ job: CurlJob) { beginAll(admission.release(job.transfer.origin)) }

    private func beginAll(_ admitted: [UInt64]) {
        // One after the other: thousands may be over, each of which lets in the next.
        var admitted = admitted[...]
        while let id = admitted.popFirst() {
            guard let (transfer, request, since) = waiting.removeValue(forKey: id) else { continue }
            transfer.request.events?(.started)
            if !begin(transfer, request, queue: now - since) { admitted += admission.release(transfer.origin) }
        }
    }

    // MARK: HTTP/2

    /// Whether any server has said so.
    var knowsGoAways: Bool { !goAways.isEmpty }

    /// Forgets what was said of an earlier connection between the same ends.
    func connectionMade(_ ends: ConnectionEnds) { goAways[ends] = nil }

    func goAway(on ends: ConnectionEnds) -> HTTP2GoAway? { goAways[ends] }

    func heard(_ goAway: HTTP2GoAway, on ends: ConnectionEnds) {
        // Of connections that are long gone too, whose ends nothing has taken since. It must not become a list of all that ever were.
        if goAways.count >= 1000, goAways[ends] == nil {
            let inUse = Set(jobs.values.compactMap(\.ends))
            goAways = goAways.filter { inUse.contains($0.key) }
        }
        goAways[ends] = goAways[ends]?.merged(with: goAway) ?? goAway
        guard goAway.error != 0 else { return }
        for job in jobs.values { job.connectionGivenUp(ends) }
    }

    // MARK: Delivery

    /// Remembers a job whose callbacks have brought something in this round.
    func touch(_ job: CurlJob) { touched.append(job) }

    /// Lets libcurl run in the next round, also if it doesn't ask for it: what a pause held back is no event of a socket.
    func runTimersSoon() { mustRunTimers = true }

    /// Hands over what came, once a round and after all of libcurl's work, so that each caller is woken once.
    private func deliver() {
        guard !touched.isEmpty else { return }
        let round = touched
        touched.removeAll(keepingCapacity: true)
        for job in round { job.deliver() }
    }

    // MARK: Time

    /// Sees to it that the job's time limit is looked at when it is due: a new one, or one that a pause had lifted.
    func watch(_ job: CurlJob) {
        if let limit = job.silenceEnds { nextTimeCheck = min(nextTimeCheck, limit) }
    }

    /// Ends what has been silent for too long. A limit only ever moves away, so all are looked at only when the nearest one known
    /// has come.
    private func checkTimes() {
        guard now >= nextTimeCheck else { return }
        nextTimeCheck = .seconds(Int64.max)
        for job in jobs.values {
            guard let limit = job.silenceEnds else { continue }
            if now < limit {
                nextTimeCheck = min(nextTimeCheck, limit)
            } else {
                job.transfer.fail(job.silence)
                remove(job)
            }
        }
    }

    /// How long to sleep: until the nearest time limit, rounded up so that none is looked at early.
    private var sleepMilliseconds: Int32 {
        let wait = min(nextTimeCheck, sweep.due ?? nextTimeCheck, events.due ?? nextTimeCheck) - now
        guard wait < .seconds(60) else { return 60_000 }
        return Int32(
            max(0, wait.components.seconds * 1000 + (wait.components.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
    }

    static func clock() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }
}
#endif
