public import PlatformBase

/// What a program finds around itself, as a value, so that a test can give it other surroundings.
public struct Surroundings: Sendable {
    /// The command line without the program's name.
    public var arguments: [String]
    /// The variables.
    public var environment: [String: String]
    /// The working directory, where `.env` may lie.
    public var directory: String
    /// Where output goes.
    public var terminal: Terminal
    /// What output goes through.
    public var console: Console
    /// The time.
    public var now: Date

    /// Surroundings as a test wants them: nothing set, everything captured.
    public init(
        arguments: [String] = [], environment: [String: String] = [:], directory: String = "/nonexistent",
        terminal: Terminal = Terminal(width: nil), console: Console = Console(isCaptured: true), now: Date = Date()
    ) {
        self.arguments = arguments
        self.environment = environment
        self.directory = directory
        self.terminal = terminal
        self.console = console
        self.now = now
    }

    /// The process's own.
    public static func ofProcess() -> Surroundings {
        let environment = ProcessInfo.processInfo.environment
        let terminal = Terminal(environment: environment)
        return Surroundings(
            arguments: Array(CommandLine.arguments.dropFirst()), environment: environment, directory: ".", terminal: terminal,
            console: Console(
                showsProgress: terminal.showsProgress,
                columns: terminal.showsProgress ? Terminal.columns(of: STDERR_FILENO, environment) : 80))
    }

    /// Says something on standard error in lines that fit, and where both streams share a screen leaves a line free below.
    public func notice(_ text: String) {
        for line in TextLayout.wrap(text, width: console.columns) { console.note(line) }
        if terminal.width != nil, terminal.showsProgress { console.note("") }
    }

    /// The settings of these surroundings.
    public var settings: Settings { Settings(environment: environment, directory: directory) }
}
