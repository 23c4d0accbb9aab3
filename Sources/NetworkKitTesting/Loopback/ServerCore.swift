internal import PlatformBase

/// The parts of a running server, and how they end.
final class ServerCore: Sendable {
    let ledger: Ledger
    let port: Int
    private let loop: EventLoop
    private let listener: ListeningSocket
    private let work: Lock<Task<Void, Never>?> = Lock(nil)

    /// So many connections may wait to be accepted; the system may set a lower bound of its own.
    private static let backlog: Int32 = 4_096

    init(routes: LoopbackRoutes, limits: LoopbackServer.Limits, clock: any Clock<Duration>) throws(LoopbackError) {
        let loop = try EventLoop.start()
        let listener: ListeningSocket
        do {
            listener = try ListeningSocket(loop: loop, backlog: Self.backlog)
        } catch {
            loop.stop()
            throw error
        }
        let ledger = Ledger(limits: limits)
        self.loop = loop
        self.listener = listener
        self.ledger = ledger
        port = listener.port
        let task = Task {
            await withDiscardingTaskGroup { group in
                while let descriptor = await Self.nextConnection(listener) {
                    guard let (number, socket) = Self.open(descriptor, loop, ledger) else { continue }
                    let service = ConnectionService(
                        number: number, socket: socket, routes: routes, ledger: ledger, limits: limits, clock: clock)
                    group.addTask { await service.run() }
                }
            }
        }
        work.withLock { $0 = task }
    }

    func stop() async {
        let task = work.withLock { $0 }
        listener.close()
        for socket in ledger.close() { socket.close() }
        task?.cancel()
        await task?.value
        loop.stop()
    }

    private static func open(_ descriptor: Int32, _ loop: EventLoop, _ ledger: Ledger) -> (number: Int, socket: StreamSocket)? {
        let opened = ledger.open { number in
            StreamSocket(descriptor: descriptor, loop: loop) { ledger.closed(connection: number) }
        }
        if opened == nil { close(descriptor) }
        return opened
    }

    /// The next connection; `nil` when the listener is closed.
    private static func nextConnection(_ listener: ListeningSocket) async -> Int32? {
        while let acceptance = listener.takeConnection() {
            switch acceptance {
            case .accepted(let descriptor): return descriptor
            case .skipped: continue
            case .wouldBlock: await listener.waitForConnection()
            // The backlog keeps the listener readable: waiting for that would spin until a descriptor is free.
            case .exhausted: try? await Task.sleep(for: .milliseconds(10))
            case .failed: return nil
            }
        }
        return nil
    }
}
