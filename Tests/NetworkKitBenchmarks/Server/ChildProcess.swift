import PlatformBase

/// Another program. Made by `posix_spawn`: Foundation's `Process` takes a child for running as long as any descendant is.
final class ChildProcess: Sendable {
    let id: pid_t
    /// What it prints; -1 where that is thrown away.
    private let output: Int32

    /// Starts a program.
    ///
    /// - Parameter readsOutput: whether ``line()`` will be asked; else its output is thrown away, as its errors are.
    init(_ path: String, _ arguments: [String], readsOutput: Bool = false) throws {
        var ends: [Int32] = [-1, -1]
        if readsOutput {
            guard pipe(&ends) == 0 else { throw Unavailable("no pipe: error \(errno)") }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        }
        defer { if readsOutput { close(ends[1]) } }
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
        #else
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor: Int32 in 0...2 { posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0) }
        if readsOutput { posix_spawn_file_actions_adddup2(&actions, ends[1], 1) }
        // The threads of Dispatch block nearly all signals, and a child would too: it must hear that it is to end.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var id = pid_t()
        let code = posix_spawn(&id, path, &actions, &attributes, &words, environ)
        guard code == 0 else {
            if readsOutput { close(ends[0]) }
            throw Unavailable("\(path) doesn't start: error \(code)")
        }
        self.id = id
        output = ends[0]
    }

    deinit { if output >= 0 { close(output) } }

    /// The first line that it prints, without its end; empty when it prints none.
    func line() -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while bytes.count < 4096 {
            let count = read(output, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1, byte != UInt8(ascii: "\n") else { break }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    func terminate() { kill(id, SIGTERM) }

    /// Waits for its end; gives its status, 0 when it went well.
    @discardableResult
    func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        return status
    }

    /// A program of the system.
    static func installed(_ name: String) -> String? {
        ["/usr/sbin/", "/usr/bin/", "/usr/local/sbin/", "/usr/local/bin/", "/opt/homebrew/bin/"].map { $0 + name }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// This program.
    static var own: String {
        #if os(Linux)
        if let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") { return path }
        #endif
        return CommandLine.arguments.first ?? ""
    }

    /// A program that was built beside this one.
    static func neighbour(_ name: String) -> String? {
        let path = URL(filePath: own).deletingLastPathComponent().appending(path: name).path
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }
}
