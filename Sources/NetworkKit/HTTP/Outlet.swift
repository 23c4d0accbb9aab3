internal import PlatformBase

/// Hands values to somebody else's code, one after the other and in order, on a thread of its own: whatever that code does with its
/// time, the request that the value is about goes on.
///
/// The thread starts with the first value and ends with the outlet. What can't be taken in time is let go of and counted: memory has
/// an end, and a request isn't held up for the sake of its log.
final class Outlet<Value: Sendable>: Sendable {
    private struct State {
        var values: [Value] = []
        /// What has been taken already. Whoever sends lets go of it, one for one: memory that one thread frees for another is given back
        /// under a lock, for which both wait.
        var spent: [Value] = []
        /// How many are being taken just now.
        var inHand = 0
        var lost = 0
        var isStarted = false
        var isBusy = false
        var isClosed = false
        var waiters: [Waiter] = []

        /// Notes that what was in hand has been taken, and gives those who have waited for the last of it.
        mutating func taken() -> [Waiter] {
            defer { inHand = 0 }
            guard !waiters.isEmpty else { return [] }
            for index in waiters.indices { waiters[index].left -= inHand }
            let ready = waiters.filter { $0.left <= 0 }
            waiters.removeAll { $0.left <= 0 }
            return ready
        }
    }

    /// Somebody who waits until so many more values have been taken.
    private struct Waiter {
        var left: Int
        let resume: @Sendable () -> Void
    }

    /// What the thread holds, so that the outlet itself may go.
    private final class Mailbox: Sendable {
        let state = Lock(State())
        let signal = Semaphore()
    }

    private let mailbox = Mailbox()
    private let limit: Int
    private let deliver: @Sendable (Value) -> Void
    private let start: Thread.Starter

    /// - Parameters:
    ///   - limit: how many values may wait.
    ///   - start: what starts the thread. Where there is none, what waits for it is let go of, and the next value asks again.
    ///   - deliver: the code. It may block.
    init(
        limit: Int = 4096, start: @escaping Thread.Starter = { Thread.start($0) }, _ deliver: @escaping @Sendable (Value) -> Void
    ) {
        self.limit = limit
        self.start = start
        self.deliver = deliver
    }

    deinit {
        mailbox.state.withLock { $0.isClosed = true }
        mailbox.signal.signal()
    }

    /// How many values were let go of.
    var lost: Int { mailbox.state.withLock { $0.lost } }

    /// Hands a value on. It never waits.
    func send(_ value: Value) {
        let (starts, wakes, gone) = mailbox.state.withLock { state -> (Bool, Bool, Value?) in
            guard state.values.count < limit else {
                state.lost += 1
                return (false, false, nil)
            }
            state.values.append(value)
            let starts = !state.isStarted
            // A thread that is busy looks again before it sleeps.
            let wakes = !state.isBusy
            state.isStarted = true
            state.isBusy = true
            return (starts, wakes, state.spent.popLast())
        }
        _ = gone
        if wakes { mailbox.signal.signal() }
        if starts, !start({ [mailbox, deliver] in Self.work(mailbox, deliver) }) { letGo() }
    }

    /// Lets go of all that waits: nobody is there to take it.
    private func letGo() {
        let (values, waiters) = mailbox.state.withLock { state in
            let gone = (state.values, state.waiters)
            state.lost += state.values.count
            state.values = []
            state.waiters = []
            state.isStarted = false
            state.isBusy = false
            return gone
        }
        _ = values
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until all that was handed on before has been taken. What comes meanwhile isn't waited for.
    func flush() async {
        await withCheckedContinuation { continuation in flush { continuation.resume() } }
    }

    /// Tells when all that was handed on before has been taken.
    func flush(_ told: @escaping @Sendable () -> Void) {
        let isIdle = mailbox.state.withLock { state in
            guard state.isBusy else { return true }
            state.waiters.append(Waiter(left: state.inHand + state.values.count, resume: told))
            return false
        }
        if isIdle { told() }
    }

    /// The same for a program that ends, which can't await: for a second at most.
    func drain() {
        for _ in 0..<1000 where mailbox.state.withLock({ $0.isBusy }) { usleep(1000) }
    }

    /// How long the thread stays awake for more, in µs: waking it, earlier and for fewer, costs a busy caller more than all else here.
    private static var linger: UInt32 { 2000 }

    /// How many values aren't made to wait for that.
    private static var many: Int { 512 }

    private enum Turn {
        case deliver
        case linger
        case letGo
        case rest([Waiter], isClosed: Bool)
    }

    private static func work(_ mailbox: Mailbox, _ deliver: @Sendable (Value) -> Void) {
        while true {
            mailbox.signal.wait()
            var mayLinger = false
            // Three lists take turns, so that none grows anew each time.
            var values: [Value] = []
            turns: while true {
                switch mailbox.state.withLock({ state in turn(&state, &values, mayLinger) }) {
                case .deliver:
                    for index in values.indices { deliver(values[index]) }
                    var gone: [Value] = []
                    let ready = mailbox.state.withLock { state in
                        let ready = state.taken()
                        // Who has waited finds nothing held any more.
                        if ready.isEmpty { swap(&state.spent, &values) } else { swap(&state.spent, &gone) }
                        return ready
                    }
                    gone = []
                    values.removeAll(keepingCapacity: true)
                    for waiter in ready { waiter.resume() }
                    mayLinger = true
                case .linger:
                    usleep(linger)
                    mayLinger = false
                case .letGo: values = []
                case .rest(let waiters, let isClosed):
                    for waiter in waiters { waiter.resume() }
                    if isClosed { return }
                    break turns
                }
            }
        }
    }

    private static func turn(_ state: inout State, _ values: inout [Value], _ mayLinger: Bool) -> Turn {
        // One that takes each value as it comes, beside those that send, gets in their way for each of them.
        let isUrgent = state.values.count >= Self.many || !state.waiters.isEmpty || state.isClosed
        if mayLinger, !isUrgent { return .linger }
        if !state.values.isEmpty {
            swap(&state.values, &values)
            state.inHand = values.count
            return .deliver
        }
        if !state.spent.isEmpty {
            swap(&state.spent, &values)
            return .letGo
        }
        state.isBusy = false
        state.values = []
        defer { state.waiters = [] }
        return .rest(state.waiters, isClosed: state.isClosed)
    }
}
