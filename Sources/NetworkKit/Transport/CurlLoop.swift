#if canImport(CCurl)
internal import CCurl
internal import PlatformBase

/// The way to the loop thread: commands go in from anywhere, the thread takes them in batches. It starts with the first command
/// and ends, after its transport has been let go of, with the last transfer.
final class CurlLoop: Sendable {
    enum Command: Sendable {
        /// Begins a transfer.
        case start(Transfer, CurlRequest)
        /// Its reader has taken bytes, or wants them otherwise.
        case changed(Transfer)
        /// Its request body has bytes to send.
        case upload(Transfer)
        /// Nobody reads on.
        case discard(Transfer)
        /// It is over for its caller already.
        case cancel(Transfer)
        /// Part of a task that prefers to run here.
        case run(UnownedJob, CurlExecutor)
        /// The transport has been let go of.
        case stop

        /// Whether there is something to do also where nothing is going on.
        var isBeginning: Bool {
            switch self {
            case .start, .run: true
            case .changed, .upload, .discard, .cancel, .stop: false
            }
        }
    }

    private struct Inbox {
        var commands: [Command] = []
        var isAsleep = false
        var isStarted = false
        /// Whether nobody is left who could begin a transfer.
        var isStopped = false
        /// When the thread was last woken.
        var woken: Duration?
    }

    /// libcurl's handle for all transfers. Only the loop's thread works with it; waking it is allowed from any thread, and it lives as
    /// long as the loop, which whoever wakes it holds.
    private struct Multi: @unchecked Sendable { let pointer: UnsafeMutableRawPointer? }

    let options: CurlTransport.Options
    private let shared: Multi
    /// What libcurl waits for. It is there for as long as the multi handle.
    let events = CurlEvents()
    private let inbox = Lock(Inbox())
    /// Whether there are commands in the inbox: what the thread looks at while it waits without sleeping.
    private let hasCommands = Atomic(false)

    private let startThread: Thread.Starter

    /// - Parameter start: what starts the thread.
    init(_ options: CurlTransport.Options, start: @escaping Thread.Starter = { Thread.start($0) }) {
        self.options = options
        self.startThread = start
        _ = CurlLibrary.version
        shared = Multi(pointer: curl_multi_init())
        // At least what can be in flight, or libcurl closes connections that are about to be used again.
        if let multi {
            nk_multi_setopt_long(multi, Int32(NK_MOPT_MAXCONNECTS), options.connections)
            events.attach(to: multi)
        }
    }

    deinit {
        // It closes connections, of which `events` is told.
        if let multi { curl_multi_cleanup(multi) }
    }

    /// libcurl's handle; `nil` when there was no memory for it.
    var multi: UnsafeMutableRawPointer? { shared.pointer }

    func post(_ command: Command) {
        let (mustStart, mustWake, isStopped) = inbox.withLock { inbox -> (Bool, Bool, Bool) in
            if case .stop = command { inbox.isStopped = true }
            // Whoever lets go of something late finds the thread gone, and with it what it held.
            if inbox.isStopped, !inbox.isStarted, !command.isBeginning { return (false, false, true) }
            inbox.commands.append(command)
            hasCommands.store(true, ordering: .releasing)
            defer {
                inbox.isStarted = true
                inbox.isAsleep = false
            }
            if inbox.isAsleep { inbox.woken = CurlWorker.clock() }
            return (!inbox.isStarted, inbox.isAsleep, inbox.isStopped)
        }
        // Outside of the lock, which the woken thread is about to take.
        if mustWake { events.wake() }
        if mustStart, !startThread({ CurlWorker(self, isStopping: isStopped).run() }) {
            refuseAll("the system gives no thread for the transport's loop; does the process have too many?")
        }
    }

    /// Ends what has come, where nobody can do it: every request fails, and none hangs. Tasks that prefer to run on the loop run here.
    func refuseAll(_ reason: String) {
        var commands: [Command] = []
        repeat {
            takeCommands(&commands)
            for command in commands {
                switch command {
                case .start(let transfer, _): transfer.fail(.connection(.init(reason: reason)))
                case .run(let job, let executor): executor.run(job)
                case .changed, .upload, .discard, .cancel, .stop: break
                }
            }
            commands.removeAll()
        } while !close()
    }

    // MARK: The thread's side

    /// Exchanges the commands that have come for a list that must be empty, whose memory takes the next.
    func takeCommands(_ commands: inout [Command]) {
        inbox.withLock { inbox in
            inbox.isAsleep = false
            swap(&inbox.commands, &commands)
            hasCommands.store(false, ordering: .relaxed)
        }
    }

    /// Whether there is something to take.
    var isCommanded: Bool { hasCommands.load(ordering: .acquiring) }

    /// Whether there is nothing to do, so that the thread may sleep until it is woken.
    func prepareToSleep() -> Bool {
        inbox.withLock { inbox in
            inbox.isAsleep = inbox.commands.isEmpty
            inbox.woken = nil
            return inbox.isAsleep
        }
    }

    /// When somebody woke the thread from its sleep, if that is what ended it.
    var woken: Duration? { inbox.withLock(\.woken) }

    /// Ends the thread's life, unless something has come meanwhile. A command that comes later starts another thread.
    func close() -> Bool {
        inbox.withLock { inbox in
            guard inbox.commands.isEmpty else { return false }
            inbox.isAsleep = false
            inbox.isStarted = false
            return true
        }
    }
}

extension CurlLoop: TransferDriver {
    func start(_ transfer: Transfer) { post(.start(transfer, CurlRequest(transfer.request))) }
    func readerChanged(_ transfer: Transfer) { post(.changed(transfer)) }
    func discard(_ transfer: Transfer) { post(.discard(transfer)) }
    func cancel(_ transfer: Transfer) { post(.cancel(transfer)) }
}
#endif
