internal import PlatformBase
internal import TestSupport

extension BuiltProgram {
    /// What is on the screen of a terminal emulator when it has run, line by line; `nil` where there is no tmux.
    ///
    /// - Parameters:
    ///   - columns: the screen's width.
    ///   - environment: further variables.
    public func onScreen(
        _ arguments: [String] = [], columns: Int, environment: [String: String] = [:]
    ) async throws -> [String]? {
        let places = ["/usr/bin/tmux", "/usr/local/bin/tmux", "/opt/homebrew/bin/tmux"]
        guard let tmux = places.first(where: { access($0, X_OK) == 0 }) else { return nil }
        return try await onThread {
            // A server of its own, which ends with its only session.
            let server = "example-\(UUID().uuidString)"
            func run(_ arguments: String..., output: ChildProcess.Channel = .nothing) throws {
                let process = try ChildProcess(
                    tmux, ["-L", server, "-f", "/dev/null", "-u"] + arguments,
                    environment: Self.environment.merging(["TERM": "xterm-256color", "LC_ALL": "C.UTF-8"]) { $1 }, folder: "/",
                    output: output)
                process.wait()
            }
            let words = ["env"] + environment.map { "\($0.key)=\($0.value)" } + [path] + arguments
            let command = words.map { "'\($0)'" }.joined(separator: " ")
            // The channel makes capturing wait for the program's end, without a pause of a guessed length.
            try run(
                "new-session", "-d", "-x", "\(columns)", "-y", "120",
                "\(command); '\(tmux)' -L \(server) wait-for -S over; exec sleep 60")
            try run("wait-for", "over")
            let pipe = try ClosedPipe()
            try run("capture-pane", "-p", output: .descriptor(pipe.writing))
            close(pipe.writing)
            try run("kill-server")
            return pipe.readToEnd().split(separator: "\n", omittingEmptySubsequences: false).map { line in
                String(line.reversed().drop { $0 == " " }.reversed())
            }
        }
    }
}
