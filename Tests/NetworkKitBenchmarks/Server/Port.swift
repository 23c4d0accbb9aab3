import PlatformBase

/// Ports of the loopback address.
enum Port {
    /// One that nobody listens on: below those that the system gives to connections, or one of these could have it before the server.
    static func free() throws -> Int {
        for _ in 0..<100 {
            let port = UInt16.random(in: 20_000..<32_000)
            if isFree(port) { return Int(port) }
        }
        throw Unavailable("no free port")
    }

    private static func isFree(_ port: UInt16) -> Bool {
        let descriptor = stream()
        defer { close(descriptor) }
        return withUnsafePointer(to: loopback(port)) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    /// Waits until somebody listens; `false` when nobody does within ten seconds.
    static func waitForListener(_ port: Int) -> Bool {
        for _ in 0..<2000 {
            if accepts(port) { return true }
            poll(nil, 0, 5)
        }
        return false
    }

    private static func accepts(_ port: Int) -> Bool {
        let descriptor = stream()
        defer { close(descriptor) }
        return withUnsafePointer(to: loopback(UInt16(port))) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func stream() -> Int32 {
        #if canImport(Glibc)
        socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        socket(AF_INET, SOCK_STREAM, 0)
        #endif
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
