internal import PlatformBase

/// What a program knows of where its output goes.
public struct Terminal: Sendable {
    /// The width of standard output in cells; `nil` where it is no terminal, and so nothing needs to be cut.
    public var width: Int?
    /// Whether standard output takes colours.
    public var isColored: Bool
    /// Whether standard error is a terminal, where a progress line can come and go.
    public var showsProgress: Bool

    /// A terminal as a test wants it.
    public init(width: Int?, isColored: Bool = false, showsProgress: Bool = false) {
        self.width = width
        self.isColored = isColored
        self.showsProgress = showsProgress
    }

    /// The process's own.
    ///
    /// Colours are for terminals only, and off when `NO_COLOR` has any value (no-color.org) or `TERM` is `dumb`.
    public init(environment: [String: String]) {
        let isTerminal = isatty(STDOUT_FILENO) == 1
        let isPlain = !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
        self.init(
            width: isTerminal ? Self.columns(of: STDOUT_FILENO, environment) : nil, isColored: isTerminal && !isPlain,
            showsProgress: isatty(STDERR_FILENO) == 1 && environment["TERM"] != "dumb")
    }

    /// The width to lay out for: 80 where nothing limits it.
    public var columns: Int { max(width ?? 80, 20) }

    /// Styles as they show here.
    public var painter: Painter { Painter(isColored: isColored) }

    /// The width of the terminal behind a descriptor: as it says itself, else as `COLUMNS` says, else 80.
    static func columns(of descriptor: Int32, _ environment: [String: String]) -> Int {
        var size = winsize()
        if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
        return environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } ?? 80
    }
}
