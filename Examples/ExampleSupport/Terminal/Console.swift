internal import PlatformBase

/// Standard output for results and standard error for everything else, or two texts in their place for a test.
public final class Console: Sendable {
    /// What a test finds in place of the two streams.
    public struct Captured: Sendable, Equatable {
        /// What went to standard output.
        public var output = ""
        /// What went to standard error.
        public var errors = ""
    }

    private let state: Lock<State>
    private let showsProgress: Bool
    /// The width of standard error in cells.
    public let columns: Int

    private struct State {
        var captured: Captured?
        var progress = ""
        var isOutputLost = false
    }

    /// A console.
    ///
    /// - Parameters:
    ///   - isCaptured: whether everything is kept for ``captured`` and nothing written.
    ///   - showsProgress: whether a progress line is shown.
    ///   - columns: the width of standard error in cells.
    public init(isCaptured: Bool = false, showsProgress: Bool = false, columns: Int = 80) {
        self.columns = columns
        state = Lock(State(captured: isCaptured ? Captured() : nil))
        self.showsProgress = showsProgress
    }

    /// What was printed so far, when it is kept.
    public var captured: Captured { state.withLock { $0.captured ?? Captured() } }

    /// Whether standard output could not take all of what was printed, as a full disk can't.
    public var isOutputLost: Bool { state.withLock { $0.isOutputLost } }

    /// Prints a line of the result.
    public func print(_ line: String) { print([line]) }

    /// Prints lines of the result, all in one piece.
    public func print(_ lines: [String]) {
        let text = lines.map { $0 + "\n" }.joined()
        state.withLock { state in
            Self.clear(&state)
            if state.captured != nil {
                state.captured?.output += text
            } else if !Self.write(text, to: STDOUT_FILENO) {
                state.isOutputLost = true
            }
        }
    }

    /// Prints a notice or an error.
    public func note(_ line: String) {
        state.withLock { state in
            Self.clear(&state)
            Self.writeError(line + "\n", &state)
        }
    }

    /// Shows what the program is at, on a line that the next output takes away. Where nobody watches it shows nothing.
    public func progress(_ text: String) {
        guard showsProgress else { return }
        // A line that the terminal breaks could not be taken away by going back to its start.
        let text = TextLayout.truncated(text, to: columns - 1)
        state.withLock { state in
            Self.clear(&state)
            state.progress = text
            Self.writeError(text, &state)
        }
    }

    /// Takes the progress line away.
    public func endProgress() { state.withLock { Self.clear(&$0) } }

    private static func clear(_ state: inout State) {
        guard !state.progress.isEmpty else { return }
        state.progress = ""
        writeError("\r\u{1B}[K", &state)
    }

    private static func writeError(_ text: String, _ state: inout State) {
        if state.captured != nil { state.captured?.errors += text } else { _ = write(text, to: STDERR_FILENO) }
    }

    /// Writes all of the text. Not by `print`, which says nothing of a full disk.
    private static func write(_ text: String, to descriptor: Int32) -> Bool {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { PlatformBase.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else { return false }
            bytes = bytes.dropFirst(count)
        }
        return true
    }
}
