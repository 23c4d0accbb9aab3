internal import PlatformBase

/// The system's calls on sockets. What differs between Linux and Darwin is settled here.
enum SocketCalls {
    /// What became of an attempt to move bytes without blocking.
    enum Transfer {
        case bytes(Int)
        case wouldBlock
        case failed(Int32)
    }

    /// What became of an attempt to take a connection from the backlog.
    enum Acceptance {
        case accepted(Int32)
        /// The backlog is empty.
        case wouldBlock
        /// The process or the system is out of descriptors or memory; trying again at once would spin.
        case exhausted
        /// The client went before it was taken.
        case skipped
        case failed(Int32)
    }

    /// A listening socket on 127.0.0.1, never on another address, on a port that the system picks.
    static func makeListener(backlog: Int32) throws(LoopbackError) -> (descriptor: Int32, port: Int) {
        let descriptor = makeSocket()
        guard descriptor >= 0 else { throw .system(call: "socket", code: errno) }
        var address = address(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        var failed: String?
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                if bind(descriptor, address, length) != 0 {
                    failed = "bind"
                } else if listen(descriptor, backlog) != 0 {
                    failed = "listen"
                } else if getsockname(descriptor, address, &length) != 0 {
                    failed = "getsockname"
                }
            }
        }
        if let failed {
            let code = errno
            close(descriptor)
            throw .system(call: failed, code: code)
        }
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }

    /// A socket that is about to be connected to a port of 127.0.0.1, or `nil` when none is to be had.
    static func beginConnecting(toPort port: Int) -> Int32? {
        let descriptor = makeSocket()
        guard descriptor >= 0 else { return nil }
        withUnsafePointer(to: address(port: port)) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return descriptor
    }

    private static func makeSocket() -> Int32 {
        #if canImport(Glibc)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        if descriptor >= 0 { makeNonBlocking(descriptor) }
        return descriptor
    }

    /// A port of 127.0.0.1.
    private static func address(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = in_port_t(port).bigEndian
        #if canImport(Darwin)
        address.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
        #endif
        return address
    }

    /// The next connection of the backlog, ready for use without blocking.
    static func takeConnection(_ listener: Int32) -> Acceptance {
        let descriptor = accept(listener, nil, nil)
        guard descriptor >= 0 else {
            switch errno {
            case EAGAIN, EWOULDBLOCK: return .wouldBlock
            case EINTR, ECONNABORTED, EPROTO: return .skipped
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
            case let code: return .failed(code)
            }
        }
        makeNonBlocking(descriptor)
        // Answers go out in whole pieces, so that waiting to fill a segment would only delay them.
        setOption(descriptor, level: Int32(IPPROTO_TCP), name: TCP_NODELAY, to: Int32(1))
        #if canImport(Darwin)
        setOption(descriptor, level: SOL_SOCKET, name: SO_NOSIGPIPE, to: Int32(1))
        #endif
        return .accepted(descriptor)
    }

    /// Reads what has arrived. `.bytes(0)` is the end of the client's side.
    static func receive(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        outcome { recv(descriptor, buffer.baseAddress, buffer.count, 0) }
    }

    /// Writes what the system takes. A client that has gone is an error, not a signal.
    static func transmit(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Transfer {
        #if canImport(Darwin)
        let flags: Int32 = 0
        #else
        let flags = Int32(MSG_NOSIGNAL)
        #endif
        return outcome { send(descriptor, bytes.baseAddress, bytes.count, flags) }
    }

    /// Ends this side of the connection; the other may go on.
    static func endWriting(_ descriptor: Int32) {
        #if canImport(Glibc)
        _ = shutdown(descriptor, Int32(SHUT_WR))
        #else
        _ = shutdown(descriptor, SHUT_WR)
        #endif
    }

    /// Has the next `close` send RST instead of FIN.
    static func lingerWithReset(_ descriptor: Int32) {
        setOption(descriptor, level: SOL_SOCKET, name: SO_LINGER, to: linger(l_onoff: 1, l_linger: 0))
    }

    /// Keeps calls on a descriptor from blocking, and the descriptor from the programs that this one starts.
    static func makeNonBlocking(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    private static func outcome(of call: () -> Int) -> Transfer {
        while true {
            let count = call()
            if count >= 0 { return .bytes(count) }
            switch errno {
            case EINTR: continue
            case EAGAIN, EWOULDBLOCK: return .wouldBlock
            case let code: return .failed(code)
            }
        }
    }

    private static func setOption<Value: BitwiseCopyable>(_ descriptor: Int32, level: Int32, name: Int32, to value: Value) {
        withUnsafeBytes(of: value) { _ = setsockopt(descriptor, level, name, $0.baseAddress, socklen_t($0.count)) }
    }
}
