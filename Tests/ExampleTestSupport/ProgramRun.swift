public import ExampleSupport

/// One run of a program in the test's own process: what it printed and how it ended.
public struct ProgramRun: Sendable {
    /// How it ended.
    public let status: ExitCode
    /// What went to standard output.
    public let output: String
    /// What went to standard error.
    public let errors: String

    /// Runs a program's body as its `main` does.
    public init(_ surroundings: Surroundings, _ body: (Surroundings) async throws(Failure) -> ExitCode) async {
        status = await RunningProgram.status(in: surroundings) { () async throws(Failure) in try await body(surroundings) }
        output = surroundings.console.captured.output
        errors = surroundings.console.captured.errors
    }

    /// The lines of standard output.
    public var lines: [String] { output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
    /// The lines of standard error, the last, which says what went wrong, last.
    public var errorLines: [String] { errors.split(separator: "\n").map(String.init) }
    /// The widest line of standard output, in cells.
    public var widest: Int { lines.map { TextWidth.cells($0) }.max() ?? 0 }
}
