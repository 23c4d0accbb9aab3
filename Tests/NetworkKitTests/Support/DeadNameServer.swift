#if os(Linux)
import PlatformBase

@testable import NetworkKit

/// A place to run tasks in where names are asked of a server that never answers: a thread with a mount namespace of its own, whose
/// `/etc/resolv.conf` names a socket that nobody reads. Threads that its tasks start are in it too. It needs root.
final class DeadNameServer: TaskExecutor, @unchecked Sendable {
    // The queue is guarded by its lock; the descriptor is written before the thread starts and closed at the end.
    private let jobs = Lock<[UnownedJob]>([])
    private let count = Semaphore()
    private let descriptor: Int32
    private let file = FileManager.default.temporaryDirectory.appending(path: "networkkit-resolv-\(UUID().uuidString)")

    /// The one place of this process; `nil` where it may not make one.
    static let shared = DeadNameServer()

    private let ready = Lock(false)
    private var isReady: Bool { ready.withLock { $0 } }

    private init?() {
        descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(53).bigEndian
        // An address of the loopback block that no other server is likely to have.
        address.sin_addr.s_addr = UInt32(0x7F00_3505).bigEndian
        let bound = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard bound, (try? Data("nameserver 127.0.53.5\noptions timeout:20 attempts:1\n".utf8).write(to: file)) != nil else {
            close(descriptor)
            return nil
        }
        let started = Semaphore()
        _ = Thread.start { [self] in
            let isIn = enter()
            ready.withLock { $0 = isIn }
            started.signal()
            while isIn { runNext() }
        }
        started.wait()
        // What has been mounted stays where it is mounted.
        try? FileManager.default.removeItem(at: file)
        guard isReady else { return nil }
    }

    private func enter() -> Bool {
        // Glibc's module doesn't show this function to Swift.
        guard let symbol = dlsym(nil, "unshare") else { return false }
        let unshare = unsafeBitCast(symbol, to: (@convention(c) (CInt) -> CInt).self)
        let newMountNamespace: CInt = 0x20000
        return unshare(newMountNamespace) == 0 && mount("none", "/", nil, UInt(MS_REC | MS_PRIVATE), nil) == 0
            && mount(file.path, "/etc/resolv.conf", nil, UInt(MS_BIND), nil) == 0
    }

    private func runNext() {
        count.wait()
        let job = jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        job?.runSynchronously(on: asUnownedTaskExecutor())
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        count.signal()
    }
}
#endif
