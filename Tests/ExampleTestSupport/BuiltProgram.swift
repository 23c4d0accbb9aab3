internal import Foundation

/// A program as it was built, run in a process of its own.
public struct BuiltProgram: Sendable {
    private let executable: URL

    /// The program of a name, which a build puts beside the tests; `nil` where it isn't.
    public init?(_ name: String) {
        var directory = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        for _ in 0..<4 {
            let candidate = directory.appending(path: name)
            var isDirectory: ObjCBool = false
            if FileManager.default.fileExists(atPath: candidate.path(), isDirectory: &isDirectory), !isDirectory.boolValue {
                executable = candidate
                return
            }
            directory = directory.deletingLastPathComponent()
        }
        return nil
    }

    /// Its path.
    public var path: String { executable.path() }

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

    /// What the dynamic linker says it would load, all of it.
    public static func loadedLibraries(of program: BuiltProgram) throws -> String {
        // What ldd does, where there is no ldd.
        try program.throughPipe(environment: ["LD_TRACE_LOADED_OBJECTS": "1"]).output
    }

    private func process(_ arguments: [String], _ environment: [String: String]) -> Process {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.environment = ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent"].merging(environment) { $1 }
        process.currentDirectoryURL = FileManager.default.temporaryDirectory
        return process
    }

    /// Runs it with standard output and standard error as pipes.
    public func throughPipe(_ arguments: [String] = [], environment: [String: String] = [:]) throws -> Ending {
        let process = process(arguments, environment)
        let (output, errors) = (Pipe(), Pipe())
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        let notes = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Ending(
            status: process.terminationStatus, isSignal: process.terminationReason == .uncaughtSignal,
            output: String(decoding: text, as: UTF8.self), errors: String(decoding: notes, as: UTF8.self))
    }

    /// Runs it under a terminal of its own.
    ///
    /// - Parameters:
    ///   - columns: the terminal's width.
    ///   - interruptAt: a text at whose appearance it gets what Ctrl-C sends.
    public func underTerminal(
        _ arguments: [String] = [], columns: Int, environment: [String: String] = [:], interruptAt: String? = nil
    ) throws -> Ending {
        let terminal = try PseudoTerminal(columns: columns)
        let process = process(arguments, ["TERM": "xterm-256color"].merging(environment) { $1 })
        process.standardInput = terminal.inside
        process.standardOutput = terminal.inside
        process.standardError = terminal.inside
        try process.run()
        terminal.closeInside()
        var text = ""
        var isInterrupted = false
        while let piece = terminal.read() {
            text += piece
            if let interruptAt, !isInterrupted, text.contains(interruptAt) {
                isInterrupted = true
                process.interrupt()
            }
        }
        process.waitUntilExit()
        return Ending(
            status: process.terminationStatus, isSignal: process.terminationReason == .uncaughtSignal,
            output: text.replacing("\r\n", with: "\n"), errors: "")
    }
}
