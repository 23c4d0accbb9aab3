internal import PlatformBase

/// What is known of a call when it is over. It becomes text, and its secrets are masked, where it is written: not where the call runs.
struct LogRecord: Sendable {
    let call: LoggedCall
    let end: Duration
    var passage: BodyPassage?
    var error: RequestError?
    /// Whether the body came and isn't the model.
    var isDecoding = false

    var level: LogLevel { call.level }
    var request: HTTPRequest { call.original }
    var date: Date { call.date }
    var duration: Duration { end - call.start }
    /// The answer's head: that of the error, where there is no other.
    var head: ResponseHead? { call.head ?? error?.response?.head }
    var attempts: [RequestAttempt] { call.journal.attempts(since: call.start) }

    /// What must not be seen: of every request of the call, and of its answer.
    var allSecrets: SecretValues {
        var secrets = call.journal.sent.secrets(with: request)
        secrets.insert(head: head)
        return secrets
    }

    /// Somebody else's error is asked for its text here, where it is known what must be masked in it.
    static func words(for error: RequestError) -> String {
        if case .interceptor(let foreign) = error, !(foreign is RequestError) { return "interceptor: \(foreign)" }
        return error.descriptionWithoutRequest
    }

    func line(_ entry: LogEntry) -> String {
        var text = (entry.name.map { "\($0): " } ?? "") + "\(entry.method) \(entry.url)"
        if let error = entry.error {
            text += isDecoding ? " was answered, but not read: \(error)" : " failed after \(entry.duration.shortText): \(error)"
        } else if let status = entry.status {
            text += " → \(status), \(entry.bodySize) bytes"
            if case .letGo = passage?.ending, entry.bodySize > 0 || head?.status.isSuccess == true {
                text += " read and the rest let go of"
            }
            text += ", \(entry.duration.shortText)"
        }
        if entry.attempts.count > 1 { text += ", \(entry.attempts.count) attempts" }
        if let cacheStatus = entry.cacheStatus { text += ", cache \(cacheStatus)" }
        return text
    }

    /// What stands below the line.
    func details(masking secrets: SecretMask) -> [String] {
        // A secret is masked where it stands as a whole, before anything is cut into lines or made fit for a terminal.
        func shown(_ text: String) -> String { LogText.oneLine(secrets.masking(text)) }
        var lines = request.headers.map { "> " + shown($0.description) }
        if let first = call.sentBody?.bytes {
            let size = request.body?.length
            // A stream without a length may have been let go of anywhere.
            let isCut = size.map { $0 > first.count } ?? true
            lines += LogText.body(secrets.masking(first, isCut: isCut), of: first.count, size: size, mark: "> ")
        }
        if let head {
            if head.url != request.url { lines.append("< from " + shown(RequestURL.withoutCredentials(head.url.absoluteString))) }
            lines += head.headers.map { "< " + shown($0.description) }
            if level.bodyLimit > 0, let passage {
                let first = passage.first(level.bodyLimit)
                lines += LogText.body(
                    secrets.masking(first, isCut: passage.isMore(than: first.count)), of: first.count, size: passage.count, mark: "< ")
            }
        }
        return lines.map { "  " + $0 }
    }
}

/// Text that can stand in a log: no line that isn't one of ours, nothing that a terminal obeys.
enum LogText {
    static func oneLine(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    }

    /// The lines of a body's first bytes, or what it is where it is no text.
    ///
    /// - Parameters:
    ///   - data: the bytes, secrets masked.
    ///   - count: how many they were before.
    static func body(_ data: Data, of count: Int, size: Int64?, mark: String) -> [String] {
        guard !data.isEmpty else { return [] }
        let rest = size.map { $0 - Int64(count) } ?? 0
        // A character may have been cut in two at the end.
        let text = (0..<4).lazy.compactMap { String(validating: data.dropLast($0), as: UTF8.self) }.first
        guard let text, !text.utf8.contains(0) else {
            return ["\(mark)(\(size.map { "\($0)" } ?? "\(count) or more") bytes, no text)"]
        }
        return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { mark + oneLine(String($0)) }
            + (rest > 0 ? ["\(mark)… (\(rest) bytes more)"] : [])
    }
}
