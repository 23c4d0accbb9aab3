package import PlatformBase

/// Another program, in a process of its own.
///
/// Made by `posix_spawn`. Foundation's `Process` won't do: on Linux it takes a child for running as long as any descendant is, and some
/// leave a server behind.
package final class ChildProcess: Sendable {
    /// Its number.
    package let id: pid_t

    /// Why there is no process: the system's error number.
    package struct Fault: Error, CustomStringConvertible {
        package let code: Int32

        package init(code: Int32) { self.code = code }

        package var description: String { "the program doesn't start: error \(code)" }
    }

    /// What one of its standard streams is.
    package enum Channel: Sendable {
        case nothing
        case descriptor(Int32)
        /// A file that is written to at its end, and made when it isn't there.
        case file(URL)
    }

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - environment: its variables; `nil` for those of this process.
    ///   - folder: where it works, if not where this process does.
    package init(
        _ path: String, _ arguments: [String] = [], environment: [String: String]? = nil, folder: String? = nil,
        input: Channel = .nothing, output: Channel = .nothing, errors: Channel = .nothing
    ) throws(Fault) {
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
        for (number, channel) in [(0, input), (1, output), (2, errors)] as [(Int32, Channel)] {
            switch channel {
            case .nothing: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
            case .descriptor(let descriptor): posix_spawn_file_actions_adddup2(&actions, descriptor, number)
            case .file(let file):
                posix_spawn_file_actions_addopen(&actions, number, file.path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
            }
        }
        let command = Self.command([path] + arguments, environment: environment, folder: folder)
        let words = command.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        let noVariables: [UnsafeMutablePointer<CChar>?] = [nil]
        var id = pid_t()
        let code =
            environment == nil
            ? posix_spawn(&id, command[0], &actions, &attributes, words, environ)
            : posix_spawn(&id, command[0], &actions, &attributes, words, noVariables)
        guard code == 0 else { throw Fault(code: code) }
        self.id = id
    }

    /// The change of directory that `posix_spawn` can make is not in every C library's headers, so a shell makes it and becomes the
    /// program. The variables are set last, so that those for the dynamic linker don't reach the shell.
    private static func command(_ words: [String], environment: [String: String]?, folder: String?) -> [String] {
        var words = words
        if let environment { words = ["/usr/bin/env", "-i"] + environment.map { "\($0.key)=\($0.value)" } + words }
        if let folder { words = ["/bin/sh", "-c", #"cd "$0" && exec "$@""#, folder] + words }
        return words
    }

    /// Starts a program and reads the first line that it prints; it has no reader for others.
    package static func reading(_ path: String, _ arguments: [String]) throws(Fault) -> (process: ChildProcess, line: String) {
        let pipe = try ClosedPipe()
        defer { close(pipe.reading) }
        let process: ChildProcess
        do {
            defer { close(pipe.writing) }
            process = try ChildProcess(path, arguments, output: .descriptor(pipe.writing))
        }
        return (process, pipe.line())
    }

    /// Sends it a signal.
    package func send(_ signal: Int32) { kill(id, signal) }

    /// Asks it to end.
    package func terminate() { send(SIGTERM) }

    /// Ends it at once, wherever it is.
    package func destroy() { send(SIGKILL) }

    /// Waits for its end; gives its status as the system tells it, 0 when it went well.
    @discardableResult
    package func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        return status
    }

    /// Waits for its end; gives the exit status, or the number of the signal that ended it.
    package func ending() -> (status: Int32, isSignal: Bool) {
        let status = wait()
        let signal = status & 0x7F
        return signal == 0 ? ((status >> 8) & 0xFF, false) : (signal, true)
    }
}
