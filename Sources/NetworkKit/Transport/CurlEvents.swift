#if canImport(CCurl)
internal import CCurl
internal import PlatformBase

/// What libcurl wants to hear of its sockets and of time, kept in the system's own list (epoll), so that a round costs what has
/// happened in it and not what is open.
///
/// The loop's thread works with it; ``wake()`` may be called from any.
final class CurlEvents: @unchecked Sendable {
    // All but the two descriptors is touched by the loop's thread alone: libcurl calls back while that thread works with it, or while
    // nobody else is left, when the loop goes. Descriptors may be written to and closed from anywhere; they go with the last reference.

    private let list = epoll_create1(Int32(EPOLL_CLOEXEC))
    private let bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    private var sockets: [Socket] = []
    private var ready = [epoll_event](repeating: epoll_event(), count: 256)
    /// When libcurl wants to be called whatever happens, on the monotonic clock; `nil` for never.
    private(set) var due: Duration?

    private struct Socket {
        /// What the list has.
        var listed: UInt32 = 0
        /// What libcurl wants to hear of.
        var wanted: UInt32 = 0
        /// Whether we open and close it. Such a one stays in the list between two requests, since its next one nearly always wants to hear
        /// the same; of others we don't hear when they are closed.
        var isOwn = false
    }

    init() { set(bell, listing: UInt32(EPOLLIN.rawValue), isNew: true) }

    deinit {
        Glibc.close(list)
        Glibc.close(bell)
    }

    /// Whether the system gave what it takes.
    var isUsable: Bool { list >= 0 && bell >= 0 }

    /// Lets libcurl tell what it wants.
    func attach(to multi: UnsafeMutableRawPointer) {
        nk_multi_setopt_pointer(multi, Int32(NK_MOPT_SOCKETDATA), context)
        nk_multi_setopt_pointer(multi, Int32(NK_MOPT_TIMERDATA), context)
        nk_multi_setopt_socket_callback(multi, Int32(NK_MOPT_SOCKETFUNCTION)) { _, socket, what, context, _ in
            CurlEvents.at(context)?.want(socket, what)
            return 0
        }
        nk_multi_setopt_timer_callback(multi, Int32(NK_MOPT_TIMERFUNCTION)) { _, milliseconds, context in
            // At once needs no clock: whatever time it is, that has come.
            CurlEvents.at(context)?.due =
                switch milliseconds {
                case ..<0: nil
                case 0: .zero
                default: CurlWorker.clock() + .milliseconds(milliseconds)
                }
            return 0
        }
    }

    /// What the callbacks are given.
    var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static func at(_ context: UnsafeMutableRawPointer?) -> CurlEvents? {
        context.map { Unmanaged<CurlEvents>.fromOpaque($0).takeUnretainedValue() }
    }

    // MARK: Sockets

    /// Opens a socket as libcurl asks.
    func open(_ address: nk_address) -> Int32 {
        let socket = socket(address.family, address.socktype | Int32(SOCK_CLOEXEC.rawValue), address.protocol)
        if socket >= 0 { change(socket) { $0 = Socket(isOwn: true) } }
        return socket
    }

    func close(_ socket: Int32) -> Int32 {
        // The system takes it off the list.
        change(socket) { $0 = Socket() }
        return Glibc.close(socket)
    }

    private func want(_ socket: Int32, _ what: Int32) {
        guard socket >= 0 else { return }
        change(socket) { state in
            state.wanted = (what & 1 != 0 ? UInt32(EPOLLIN.rawValue) : 0) | (what & 2 != 0 ? UInt32(EPOLLOUT.rawValue) : 0)
            if what == NK_CURL_POLL_REMOVE {
                state.wanted = 0
                if state.isOwn { return }
            }
            guard state.wanted != state.listed else { return }
            set(socket, listing: state.wanted, isNew: state.listed == 0)
            state.listed = state.wanted
        }
    }

    private func change(_ socket: Int32, _ change: (inout Socket) -> Void) {
        let place = Int(socket)
        if place >= sockets.count { sockets += Array(repeating: Socket(), count: place + 1 - sockets.count) }
        change(&sockets[place])
    }

    private func set(_ socket: Int32, listing events: UInt32, isNew: Bool) {
        var event = epoll_event()
        event.events = events
        event.data.fd = socket
        let action = events == 0 ? EPOLL_CTL_DEL : isNew ? EPOLL_CTL_ADD : EPOLL_CTL_MOD
        epoll_ctl(list, action, socket, &event)
    }

    // MARK: Waiting

    /// Waits until something has happened that libcurl wants to hear of, or somebody rings. Gives how much, which is to be told next.
    func wait(milliseconds: Int32) -> Int { max(0, Int(epoll_wait(list, &ready, Int32(ready.count), milliseconds))) }

    /// Tells libcurl what has happened.
    func tell(_ count: Int, _ multi: UnsafeMutableRawPointer) {
        for index in 0..<count { tell(ready[index], multi) }
    }

    private func tell(_ event: epoll_event, _ multi: UnsafeMutableRawPointer) {
        let socket = event.data.fd
        guard socket != bell else {
            var rings: UInt64 = 0
            read(bell, &rings, MemoryLayout<UInt64>.size)
            return
        }
        let state = sockets[Int(socket)]
        guard state.wanted != 0 else {
            // An idle connection, which the server has closed, as a rule. libcurl sees it when it wants to use it again.
            if state.listed != 0 { change(socket) { $0.listed = 0 } }
            return set(socket, listing: 0, isNew: false)
        }
        var what: Int32 = 0
        if event.events & UInt32(EPOLLIN.rawValue) != 0 { what |= Int32(NK_CURL_CSELECT_IN) }
        if event.events & UInt32(EPOLLOUT.rawValue) != 0 { what |= Int32(NK_CURL_CSELECT_OUT) }
        // A connection that has broken is found so by reading from it or writing to it.
        if event.events & UInt32(EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { what |= Int32(NK_CURL_CSELECT_ERR | NK_CURL_CSELECT_IN) }
        var running: Int32 = 0
        curl_multi_socket_action(multi, socket, what, &running)
    }

    /// Lets libcurl do what its time has come for: begin a request, connect elsewhere, give up.
    func runTimers(at now: Duration, _ multi: UnsafeMutableRawPointer) {
        guard let due, due <= now else { return }
        runTimers(multi)
    }

    /// The same, whether it has said so or not.
    func runTimers(_ multi: UnsafeMutableRawPointer) {
        due = nil
        var running: Int32 = 0
        curl_multi_socket_action(multi, Int32(NK_CURL_SOCKET_TIMEOUT), 0, &running)
    }

    /// Ends a wait, or the next one.
    func wake() {
        var ring: UInt64 = 1
        write(bell, &ring, MemoryLayout<UInt64>.size)
    }
}
#endif
