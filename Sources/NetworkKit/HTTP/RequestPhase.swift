/// A stretch of a request's way.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum RequestPhase: String, Sendable, Hashable, CaseIterable {
    /// Waiting for a connection to be free.
    case queue
    /// Looking up the host's name.
    case lookup
    /// Connecting.
    case connect
    /// Agreeing on TLS.
    case tls
    /// Sending the request's body.
    case send
    /// Waiting for the answer's first byte.
    case wait
    /// Receiving the answer.
    case receive
    /// Making the model of the body.
    case decode
}

extension RequestMetrics {
    /// When a phase began and ended, counted from where the request began to wait.
    public struct PhaseSpan: Sendable, Hashable {
        /// The phase.
        public let phase: RequestPhase
        /// When it began.
        public let start: Duration
        /// When it ended.
        public let end: Duration

        /// How long it took.
        public var duration: Duration { end - start }
    }

    /// The phases that the request went through, in order, each where the one before it ended. What isn't known has no phase; of a
    /// request that failed, the last is the one in which it did, as far as that can be told.
    public var phases: [PhaseSpan] {
        var spans: [PhaseSpan] = []
        var now = Duration.zero
        let began = queue ?? .zero
        func add(_ phase: RequestPhase, until end: Duration?) {
            guard let end, end > now || (end == now && phase == .wait) else { return }
            spans.append(PhaseSpan(phase: phase, start: now, end: end))
            now = end
        }
        func instant(_ time: Duration?) -> Duration? { time.map { began + $0 } }
        add(.queue, until: queue)
        if !isConnectionReused {
            add(.lookup, until: instant(nameLookup))
            add(.connect, until: instant(connect))
            add(.tls, until: instant(tls))
        }
        // A server may answer before it has all of the request.
        let firstByte = instant(firstByte)
        if let sent = instant(requestSent) { add(.send, until: firstByte.map { min($0, sent) } ?? sent) }
        add(.wait, until: firstByte)
        let total = instant(total)
        if firstByte != nil {
            add(.receive, until: total)
        } else {
            add(isConnectionReused || connect != nil ? .wait : nameLookup != nil ? .connect : .lookup, until: total)
        }
        add(.decode, until: decode.map { now + $0 })
        return spans
    }

    /// The phases as a picture in text, a line each, for a terminal:
    ///
    /// ```
    /// lookup   ██                                   0.4 ms
    /// connect    █                                  0.2 ms
    /// wait        ██████████████████████████████    6.1 ms
    /// receive                                   █   0.1 ms
    /// ```
    ///
    /// - Parameter width: how many characters a line may have; at least 40 are taken.
    public func waterfall(width: Int = 72) -> String {
        let spans = phases
        guard let last = spans.last else { return "" }
        let names = spans.map(\.phase.rawValue)
        let times = spans.map { $0.duration.shortText }
        let nameWidth = names.map(\.count).max() ?? 0
        let timeWidth = times.map(\.count).max() ?? 0
        let columns = max(width, 40) - nameWidth - timeWidth - 2
        func column(_ time: Duration) -> Int { last.end > .zero ? Int((time / last.end * Double(columns)).rounded()) : 0 }
        return zip(spans, zip(names, times)).map { span, words in
            let start = min(column(span.start), columns - 1)
            let length = max(column(span.end) - start, 1)
            let bar = String(repeating: " ", count: start) + String(repeating: "█", count: length)
            return words.0.padded(to: nameWidth) + " " + bar.padded(to: columns) + " "
                + String(repeating: " ", count: timeWidth - words.1.count) + words.1
        }.joined(separator: "\n")
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(width - count, 0)) }
}

extension Duration {
    /// As a person reads it, three digits or so: `0.4 ms`, `12.3 ms`, `1.24 s`, `75.0 s`.
    var shortText: String {
        let (seconds, attoseconds) = components
        // Whoever means "never" takes the longest time there is.
        let microseconds = min(max(seconds, 0), 100_000_000_000) * 1_000_000 + max(attoseconds, 0) / 1_000_000_000_000
        if microseconds < 1_000_000 { return "\(Self.decimal(microseconds, unit: 1000, digits: 1)) ms" }
        return "\(Self.decimal(microseconds, unit: 1_000_000, digits: microseconds < 10_000_000 ? 2 : 1)) s"
    }

    /// Milliseconds, with their fraction.
    var milliseconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) * 1e3 + Double(attoseconds) / 1e15
    }

    private static func decimal(_ value: Int64, unit: Int64, digits: Int) -> String {
        let scale: Int64 = digits == 1 ? 10 : 100
        let rounded = (value * scale + unit / 2) / unit
        let fraction = String(rounded % scale)
        return "\(rounded / scale)." + String(repeating: "0", count: digits - fraction.count) + fraction
    }
}
