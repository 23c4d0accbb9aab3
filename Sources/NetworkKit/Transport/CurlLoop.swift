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
        /// The transport has been let go of.
        case stop
    }

    private struct Inbox {
        var commands: [Command] = []
        var isAsleep = false
        var isStarted = false
        var multi: MultiHandle?
    }

    /// Only for waking: `curl_multi_wakeup` may be called from any thread while the handle lives, which the inbox's lock sees to.
    private struct MultiHandle: @unchecked Sendable { let pointer: UnsafeMutableRawPointer }

    let options: CurlTransport.Options
    private let inbox = Lock(Inbox())

    init(_ options: CurlTransport.Options) { self.options = options }

    func post(_ command: Command) {
        let mustStart = inbox.withLock { inbox -> Bool in
            if case .stop = command, !inbox.isStarted { return false }
            inbox.commands.append(command)
            if inbox.isAsleep, let multi = inbox.multi {
                inbox.isAsleep = false
                curl_multi_wakeup(multi.pointer)
            }
            defer { inbox.isStarted = true }
            return !inbox.isStarted
        }
        if mustStart { Thread.start { CurlWorker(self).run() } }
    }

    // MARK: The thread's side

    func open(_ multi: UnsafeMutableRawPointer) { inbox.withLock { $0.multi = MultiHandle(pointer: multi) } }

    /// Exchanges the commands that have come for an empty list, whose memory takes the next.
    func takeCommands(_ commands: inout [Command]) {
        commands.removeAll(keepingCapacity: true)
        inbox.withLock { inbox in
            inbox.isAsleep = false
            swap(&inbox.commands, &commands)
        }
    }

    /// Whether there is nothing to do, so that the thread may sleep until it is woken.
    func prepareToSleep() -> Bool {
        inbox.withLock { inbox in
            inbox.isAsleep = inbox.commands.isEmpty
            return inbox.isAsleep
        }
    }

    /// Ends the thread's life, unless something has come meanwhile. A command that comes later starts another thread.
    func close() -> Bool {
        inbox.withLock { inbox in
            guard inbox.commands.isEmpty else { return false }
            inbox.multi = nil
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
