import PlatformBase

/// Plain sockets of 127.0.0.1, for helpers that speak less than HTTP.
package enum LoopbackSocket {
    package struct Failure: Error {
        package var text: String

        package init(text: String) { self.text = text }
    }

    /// A socket that is bound to a port, and that port; 0 is one which the system chooses.
    package static func bound(to port: UInt16 = 0) throws -> (descriptor: Int32, port: Int) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = address(port: port)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else {
            close(descriptor)
            throw Failure(text: "no free port")
        }
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }

    private static let given = Lock<Set<Int>>([])

    /// A port that nobody listens at: below those that the system gives to connections, or one of the many that tests make could have
    /// it before whoever it is for. Nor is it given to two, of whom neither listens yet.
    package static func freePort() throws -> Int {
        for _ in 0..<100 {
            guard let (descriptor, port) = try? bound(to: .random(in: 20_000..<32_000)) else { continue }
            close(descriptor)
            if given.withLock({ $0.insert(port).inserted }) { return port }
        }
        throw Failure(text: "no free port")
    }

    /// A connection to a port; `nil` when it is refused.
    package static func connected(to port: Int) -> Int32? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let isConnected = withUnsafePointer(to: address(port: UInt16(port))) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        if isConnected { return descriptor }
        close(descriptor)
        return nil
    }

    /// Waits until somebody listens at a port.
    package static func waitForListener(at port: Int) throws {
        for _ in 0..<2000 {
            if let descriptor = connected(to: port) {
                close(descriptor)
                return
            }
            poll(nil, 0, 5)
        }
        throw Failure(text: "nobody listens at \(port)")
    }

    private static func address(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
