internal import PlatformBase

/// Where a log goes. Entries come one after the other, in the order in which the calls ended, on a thread of the sink's own: one that
/// is slow, or blocks, holds up no request. When more than 4,096 wait, further ones are let go of.
///
/// ```swift
/// HTTPSession(interceptors: [.logging(sink: .standardError)])
/// HTTPSession(interceptors: [.logging(sink: .init { entry in file.append(entry.text) })])
/// ```
public struct LogSink: Sendable {
    private let outlet: Outlet<LogRecord>
    /// Whether nothing need be followed for its sake.
    let takesNothing: Bool

    /// A sink that gives each entry to a function. What it throws is passed over.
    public init(_ write: @escaping @Sendable (LogEntry) throws -> Void) {
        self.init(takesNothing: false, write)
    }

    private init(takesNothing: Bool, _ write: @escaping @Sendable (LogEntry) throws -> Void) {
        self.takesNothing = takesNothing
        outlet = Outlet { record in try? write(LogEntry(record: record)) }
    }

    /// Standard error: the text, after the time of day in UTC. What is still to be written when the program ends normally is written
    /// then.
    public static let standardError: LogSink = {
        let sink = LogSink { entry in
            let text = entry.date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)) + " " + entry.text + "\n"
            var bytes = Array(text.utf8)[...]
            while !bytes.isEmpty {
                let count = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR || errno == EAGAIN { continue }
                guard count > 0 else { return }
                bytes = bytes.dropFirst(count)
            }
        }
        atexit { LogSink.standardError.outlet.drain() }
        return sink
    }()

    /// A sink that takes nothing. Calls aren't followed for its sake: a log that is off costs nothing.
    public static var none: LogSink { LogSink(takesNothing: true) { _ in } }

    func send(_ record: LogRecord) { outlet.send(record) }

    /// Waits until everything that was logged so far has been taken.
    public func flush() async { await outlet.flush() }

    /// How many entries were let go of since the sink couldn't take them in time.
    public var lostEntries: Int { outlet.lost }
}
