public import NetworkKit

/// What `--verbose` shows of each call, on standard error: the library's line about it, and below that where the time went.
public struct CallLog: Sendable {
    private let sink: LogSink

    /// A log.
    public init(_ console: Console) {
        sink = LogSink { entry in
            let picture = entry.metrics.waterfall(width: min(console.columns, 78)).split(separator: "\n")
            // One piece, so that the lines of calls that run at once don't mix.
            console.note(([TextLayout.printable(entry.line)] + picture.map { "  " + $0 }).joined(separator: "\n"))
        }
    }

    /// What a session needs to write it.
    public var interceptor: any Interceptor { .logging(sink: sink) }

    /// Waits until all of it has been written.
    public func flush() async { await sink.flush() }
}
