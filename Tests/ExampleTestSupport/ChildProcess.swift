internal import PlatformBase

/// A process made by `posix_spawn`.
///
/// Foundation's `Process` won't do: on Linux it takes a child for running as long as any descendant is, and tmux leaves a server
/// behind.
struct ChildProcess {
    private let id: pid_t

    /// Why there is no process: the system's error number.
    struct Fault: Error { let code: Int32 }

    /// Starts a process in the root directory, where there is no `.env`.
    ///
    /// - Parameters:
    ///   - path: the program.
    ///   - descriptors: what becomes its standard input, output and error; -1 for nothing.
    init(
        _ path: String, _ arguments: [String], environment: [String: String], descriptors: (input: Int32, output: Int32, error: Int32)
    ) throws {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
        #else
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        #endif
        // The threads of Dispatch block nearly all signals, and a child would too: neither Ctrl-C nor SIGTERM would reach it.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, descriptor) in [(0, descriptors.input), (1, descriptors.output), (2, descriptors.error)] as [(Int32, Int32)] {
            if descriptor < 0 {
                posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
            } else {
                posix_spawn_file_actions_adddup2(&actions, descriptor, number)
            }
        }
        // The change of directory that posix_spawn can make is not in every C library's headers. The variables come last, so that
        // those for the dynamic linker don't reach the shell.
        let shell = ["/bin/sh", "-c", #"cd / && exec /usr/bin/env -i "$@""#, "sh"]
        let words = (shell + environment.map { "\($0.key)=\($0.value)" } + [path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        let variables: [UnsafeMutablePointer<CChar>?] = [nil]
        var id: pid_t = 0
        let code = posix_spawn(&id, shell[0], &actions, &attributes, words, variables)
        guard code == 0 else { throw Fault(code: code) }
        self.id = id
    }

    /// Sends it a signal.
    func send(_ signal: Int32) { kill(id, signal) }

    /// Waits for its end.
    ///
    /// - Returns: the exit status, or the number of the signal that ended it.
    func wait() -> (status: Int32, isSignal: Bool) {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? ((status >> 8) & 0xFF, false) : (signal, true)
    }
}

/// A pipe that no other child inherits.
struct ClosedPipe {
    let reading: Int32
    let writing: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw ChildProcess.Fault(code: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (reading, writing) = (ends[0], ends[1])
    }

    /// A pipe that holds a text, and then ends.
    init(holding text: String) throws {
        try self.init()
        let bytes = Array(text.utf8)
        let count = write(writing, bytes, bytes.count)
        close(writing)
        guard count == bytes.count else { throw ChildProcess.Fault(code: errno) }
    }

    /// All that is written until the other side is closed. It closes this side.
    func readToEnd() -> String {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        var collected: [UInt8] = []
        while true {
            let count = read(reading, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            collected += bytes.prefix(count)
        }
        close(reading)
        return String(decoding: collected, as: UTF8.self)
    }
}
