internal import PlatformBase

/// Runs a program's body and turns how it ends into an exit status.
public enum RunningProgram {
    /// Runs a body, prints the line of the failure that it throws, and gives the status.
    public static func status(
        in surroundings: Surroundings, of body: () async throws(Failure) -> ExitCode
    ) async -> ExitCode {
        let console = surroundings.console
        do throws(Failure) {
            let status = try await body()
            console.endProgress()
            guard !console.isOutputLost else { throw Failure(.failure, "The output could not be written.") }
            return status
        } catch {
            console.endProgress()
            console.note("Error: \(error.message)")
            return error.status
        }
    }

    /// Runs a body in the process's own surroundings and ends the process with its status.
    public static func main(_ body: @Sendable (Surroundings) async throws(Failure) -> ExitCode) async -> Never {
        let surroundings = Surroundings.ofProcess()
        if surroundings.terminal.showsProgress { restoreTerminalOnInterrupt() }
        let status = await status(in: surroundings) { () async throws(Failure) in try await body(surroundings) }
        exit(status.rawValue)
    }

    /// On Ctrl-C takes a progress line and colours away, then ends by the signal, so that a shell sees what happened.
    private static func restoreTerminalOnInterrupt() {
        for number in [SIGINT, SIGTERM] {
            signal(number) { number in
                // Only calls that POSIX allows in a handler.
                let restore: StaticString = "\u{1B}[0m\r\u{1B}[K"
                _ = write(STDERR_FILENO, restore.utf8Start, restore.utf8CodeUnitCount)
                signal(number, SIG_DFL)
                raise(number)
            }
        }
    }
}
