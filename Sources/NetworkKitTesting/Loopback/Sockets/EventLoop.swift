internal import PlatformBase

/// One thread that waits with `poll(2)` for all sockets of a server, and resumes the tasks that wait for one.
///
/// A wait is good for one event and bears a ticket, by which it can be cancelled.
final class EventLoop: Sendable {
    enum Readiness { case ready, cancelled }
    enum Direction { case readable, writable }
    typealias Ticket = UInt64
    typealias Waiter = CheckedContinuation<Readiness, Never>

    private struct Entry {
        let ticket: Ticket
        let poll: pollfd
    }

    private struct State {
        var lastTicket: Ticket = 0
        var waiters: [Ticket: Waiter] = [:]
        var added: [Entry] = []
        var removed: Set<Ticket> = []
        /// Whether the pipe has been written to since the loop last looked: one byte is enough.
        var isWoken = false
        var isStopping = false
    }

    private let state = Lock(State())
    private let pipe: WakePipe
    private let thread: Lock<LoopThread?> = Lock(nil)

    private init() throws(LoopbackError) {
        pipe = try WakePipe()
    }

    static func start() throws(LoopbackError) -> EventLoop {
        let loop = try EventLoop()
        do {
            let thread = try LoopThread { loop.run() }
            loop.thread.withLock { $0 = thread }
        } catch {
            loop.pipe.closeBothEnds()
            throw error
        }
        return loop
    }

    func makeTicket() -> Ticket {
        state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
    }

    /// Has `waiter` resumed when the descriptor is ready, or has an error to tell. Nobody may close the descriptor before it
    /// has been resumed or cancelled.
    func register(_ waiter: Waiter, ticket: Ticket, descriptor: Int32, direction: Direction) {
        let isRefused = state.withLock { state in
            guard !state.isStopping else { return true }
            state.waiters[ticket] = waiter
            let events = Int16(direction == .readable ? POLLIN : POLLOUT)
            state.added.append(Entry(ticket: ticket, poll: pollfd(fd: descriptor, events: events, revents: 0)))
            wake(&state)
            return false
        }
        if isRefused { waiter.resume(returning: .cancelled) }
    }

    /// Ends waits before their time. Tickets that nobody waits on are passed over.
    func cancel(_ tickets: some Sequence<Ticket>) {
        let waiters = state.withLock { state in
            var waiters: [Waiter] = []
            for ticket in tickets {
                guard let waiter = state.waiters.removeValue(forKey: ticket) else { continue }
                state.removed.insert(ticket)
                waiters.append(waiter)
            }
            if !waiters.isEmpty { wake(&state) }
            return waiters
        }
        for waiter in waiters { waiter.resume(returning: .cancelled) }
    }

    /// Ends the thread; waits that are left are cancelled. When this returns the thread and the pipe are gone. A second call
    /// does nothing: the pipe's descriptors may be somebody else's by then.
    func stop() {
        guard let thread = thread.withLock({ $0.take() }) else { return }
        state.withLock { state in
            state.isStopping = true
            wake(&state)
        }
        thread.join()
        pipe.closeBothEnds()
    }

    private func wake(_ state: inout State) {
        if state.isWoken { return }
        state.isWoken = true
        pipe.wake()
    }

    private func run() {
        var polls: [pollfd] = [pollfd(fd: pipe.readEnd, events: Int16(POLLIN), revents: 0)]
        var tickets: [Ticket] = [0]
        var fired: [Ticket] = []
        while update(&polls, &tickets, fired: &fired) {
            guard poll(&polls, nfds_t(polls.count), -1) > 0 else { continue }
            if polls[0].revents != 0 { pipe.drain() }
            var index = polls.count - 1
            while index > 0 {
                if polls[index].revents != 0 {
                    fired.append(tickets[index])
                    polls.swapRemove(index)
                    tickets.swapRemove(index)
                }
                index -= 1
            }
        }
        let left = state.withLock { state in
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in left { waiter.resume(returning: .cancelled) }
    }

    /// Resumes the waits that have fired and takes over what was added and removed; `false` when the loop is to end.
    private func update(_ polls: inout [pollfd], _ tickets: inout [Ticket], fired: inout [Ticket]) -> Bool {
        let (waiters, added, removed, goesOn) = state.withLock { state in
            let waiters = fired.compactMap { state.waiters.removeValue(forKey: $0) }
            defer {
                state.added.removeAll(keepingCapacity: true)
                state.removed = []
                state.isWoken = false
            }
            return (waiters, state.added, state.removed, !state.isStopping)
        }
        fired.removeAll(keepingCapacity: true)
        for waiter in waiters { waiter.resume(returning: .ready) }
        for entry in added where !removed.contains(entry.ticket) {
            polls.append(entry.poll)
            tickets.append(entry.ticket)
        }
        if !removed.isEmpty {
            for index in stride(from: polls.count - 1, to: 0, by: -1) where removed.contains(tickets[index]) {
                polls.swapRemove(index)
                tickets.swapRemove(index)
            }
        }
        return goesOn
    }
}

extension Array {
    /// Removes an element in constant time: the last takes its place.
    fileprivate mutating func swapRemove(_ index: Int) {
        swapAt(index, count - 1)
        removeLast()
    }
}
