internal import Dispatch
internal import PlatformBase
internal import TestSupport

/// A program as it was built, run in a process of its own.
public struct BuiltProgram: Sendable {
    /// Its path.
    public let path: String

    /// The program of a name, which a build puts beside the tests; `nil` where it isn't.
    public init?(_ name: String) {
        var directory = URL(filePath: CommandLine.arguments.first ?? "").deletingLastPathComponent()
        for _ in 0..<4 {
            let candidate = directory.appending(path: name).path
            var isDirectory = false
            if FileManager.default.fileExists(atPath: candidate, isDirectory: &isDirectory), !isDirectory {
                path = candidate
                return
            }
            directory = directory.deletingLastPathComponent()
        }
        return nil
    }

    /// What a process printed and how it ended.
    public struct Ending: Sendable {
        /// The exit status, or the signal's number when ``isSignal`` says so.
        public let status: Int32
        /// Whether a signal ended it.
        public let isSignal: Bool
        /// What went to standard output; under a terminal everything.
        public let output: String
        /// What went to standard error.
        public let errors: String
    }

    /// The variables that every run has: few, so that the machine's settings don't matter; but what a sanitizer is told, the program,
    /// which was built with it, must hear too.
    static let environment = ["PATH": "/usr/bin:/bin:/usr/local/bin:/opt/homebrew/bin", "HOME": "/nonexistent"]
        .merging(ProcessInfo.processInfo.environment.filter { ["ASAN_OPTIONS", "TSAN_OPTIONS"].contains($0.key) }) { $1 }

    /// Runs it with standard output and standard error as pipes.
    ///
    /// - Parameter input: what it reads from standard input: no more than fits into a pipe. `nil` for nothing to read from.
    public func throughPipe(
        _ arguments: [String] = [], environment: [String: String] = [:], input: String? = nil
    ) async throws -> Ending {
        try await onThread {
            let (output, errors) = (try ClosedPipe(), try ClosedPipe())
            let source = try input.map { try ClosedPipe(holding: $0) }
            defer { if let source { close(source.reading) } }
            // It works in the root directory, where there is no `.env`.
            let process = try ChildProcess(
                path, arguments, environment: Self.environment.merging(environment) { $1 }, folder: "/",
                input: source.map { .descriptor($0.reading) } ?? .nothing, output: .descriptor(output.writing),
                errors: .descriptor(errors.writing))
            close(output.writing)
            close(errors.writing)
            // What these programs say on standard error fits into a pipe, so that reading one after the other can't block.
            let (text, notes) = (output.readToEnd(), errors.readToEnd())
            let ending = process.ending()
            return Ending(status: ending.status, isSignal: ending.isSignal, output: text, errors: notes)
        }
    }

    /// Runs it under a terminal of its own.
    ///
    /// - Parameters:
    ///   - columns: the terminal's width.
    ///   - interruptAt: a text at whose appearance it gets what Ctrl-C sends.
    public func underTerminal(
        _ arguments: [String] = [], columns: Int, environment: [String: String] = [:], interruptAt: String? = nil
    ) async throws -> Ending {
        try await onThread {
            let terminal = try PseudoTerminal(columns: columns)
            let process = try ChildProcess(
                path, arguments,
                environment: Self.environment.merging(["TERM": "xterm-256color"]) { $1 }.merging(environment) { $1 }, folder: "/",
                input: .descriptor(terminal.inside), output: .descriptor(terminal.inside), errors: .descriptor(terminal.inside))
            terminal.closeInside()
            var text = ""
            var isInterrupted = false
            while let piece = terminal.read() {
                text += piece
                if let interruptAt, !isInterrupted, text.contains(interruptAt) {
                    isInterrupted = true
                    process.send(SIGINT)
                }
            }
            let ending = process.ending()
            return Ending(
                status: ending.status, isSignal: ending.isSignal, output: text.replacing("\r\n", with: "\n"), errors: "")
        }
    }

    /// What the dynamic linker says it would load: what `ldd` shows, where there is no `ldd`.
    public func loadedLibraries() async throws -> String {
        try await throughPipe(environment: ["LD_TRACE_LOADED_OBJECTS": "1"]).output
    }
}

/// Waits on a thread of its own: the threads of the concurrency runtime are few, and the servers of other tests need them.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(with: Result(catching: body)) }
    }
}
