public import NetworkKit

/// What `--verbose` shows of each call, on standard error: the library's line about it, and below that where the time went, or how
/// long what the cache has is still good.
public struct CallLog: Sendable {
    private let sink: LogSink

    /// A log.
    public init(_ console: Console) {
        sink = LogSink { entry in
            let picture = entry.metrics.waterfall(width: min(console.columns, 78)).split(separator: "\n")
            let below = ([Freshness.words(for: entry)] + picture.map(String.init)).compactMap { $0 }
            // One piece, so that the lines of calls that run at once don't mix.
            console.note(([TextLayout.printable(entry.line)] + below.map { "  " + $0 }).joined(separator: "\n"))
        }
    }

    /// What a session needs to write it.
    public var interceptor: any Interceptor { .logging(sink: sink) }

    /// Waits until all of it has been written.
    public func flush() async { await sink.flush() }
}

/// How long an answer of the cache is still good, in words.
enum Freshness {
    /// `nil` for an answer that the server gave.
    static func words(for entry: LogEntry) -> String? {
        words(entry.metrics.cache, left: entry.cacheTimeToLive)
    }

    static func words(_ use: RequestMetrics.CacheUse?, left: Duration?) -> String? {
        switch use {
        case .hit, .stale: left.map { $0 >= .zero ? "cached, \(text($0)) left" : "cached, out of date for \(text(.zero - $0))" } ?? "cached"
        case .revalidated: "cached, and still good by the server's word"
        case .miss, nil: nil
        }
    }

    /// Whole units, rounded down: what is said to be left is.
    private static func text(_ time: Duration) -> String {
        let seconds = time.components.seconds
        return switch seconds {
        case ..<60: "\(seconds) s"
        case ..<7200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3600) h"
        default: "\(seconds / 86_400) days"
        }
    }
}
