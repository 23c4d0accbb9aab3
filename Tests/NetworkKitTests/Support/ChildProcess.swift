import PlatformBase

/// Another program, started with its output thrown away, or kept in a file.
final class ChildProcess: Sendable {
    private let pid: pid_t

    struct Unavailable: Error {}

    /// - Parameters:
    ///   - folder: where it works, if not where this process does.
    ///   - output: the file that what it says goes to.
    init(_ program: URL?, _ arguments: [String], folder: URL? = nil, output: URL? = nil) throws {
        guard let program else { throw Unavailable() }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDWR, 0)
        for descriptor: Int32 in 1...2 {
            posix_spawn_file_actions_addopen(&actions, descriptor, output?.path ?? "/dev/null", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        }
        // A test runner may block signals, and a child inherits that: it must still hear that it is to end.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var command = [program.path] + arguments
        // Glibc's module doesn't show Swift the action that changes the folder; the shell becomes the program.
        if let folder { command = ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", folder.path] + command }
        var words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var pid = pid_t()
        guard posix_spawn(&pid, command[0], &actions, &attributes, &words, environ) == 0 else { throw Unavailable() }
        self.pid = pid
    }

    func terminate() { kill(pid, SIGTERM) }

    /// Ends it at once, wherever it is.
    func destroy() { kill(pid, SIGKILL) }

    /// Waits for its end; gives its status, 0 when it went well.
    @discardableResult
    func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        return status
    }
}
