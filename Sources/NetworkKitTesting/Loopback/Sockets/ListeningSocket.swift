internal import PlatformBase

/// The socket that connections arrive at.
final class ListeningSocket: Sendable {
    let port: Int
    private struct State {
        var descriptor: Int32?
        var ticket: EventLoop.Ticket?
    }
    private let state: Lock<State>
    private let loop: EventLoop

    init(loop: EventLoop, backlog: Int32) throws(LoopbackError) {
        let listener = try SocketCalls.makeListener(backlog: backlog)
        port = listener.port
        state = Lock(State(descriptor: listener.descriptor))
        self.loop = loop
    }

    /// The next connection's descriptor, or what stands in the way; `nil` when the socket is closed.
    func takeConnection() -> SocketCalls.Acceptance? {
        state.withLock { state in state.descriptor.map(SocketCalls.takeConnection) }
    }

    /// Waits until a connection is there to be taken, or the socket is closed.
    func waitForConnection() async {
        let ticket = loop.makeTicket()
        _ = await withCheckedContinuation { waiter in
            let isOpen = state.withLock { state in
                guard let descriptor = state.descriptor else { return false }
                state.ticket = ticket
                loop.register(waiter, ticket: ticket, descriptor: descriptor, direction: .readable)
                return true
            }
            if !isOpen { waiter.resume(returning: EventLoop.Readiness.cancelled) }
        }
    }

    func close() {
        state.withLock { state in
            guard let descriptor = state.descriptor.take() else { return }
            if let ticket = state.ticket { loop.cancel(CollectionOfOne(ticket)) }
            PlatformBase.close(descriptor)
        }
    }
}
