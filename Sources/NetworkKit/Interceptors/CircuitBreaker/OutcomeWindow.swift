/// How many requests there were lately, and how many of them failed: counted in ten spans of time that are dropped one after the other.
struct OutcomeWindow: Sendable {
    private struct Span {
        var requests = 0
        var failures = 0
    }

    private static let spans = 10
    private let width: Int64
    private var counts = [Span](repeating: Span(), count: spans)
    /// The number of the newest span, counted from the clock's origin.
    private var newest: Int64 = .min
    private(set) var requests = 0
    private(set) var failures = 0

    init(_ duration: Duration) { width = max(1, duration.wholeNanoseconds / Int64(Self.spans)) }

    /// Counts a request that ended.
    mutating func add(isFailure: Bool, at now: Duration) {
        let place = advance(to: now)
        counts[place].requests += 1
        requests += 1
        guard isFailure else { return }
        counts[place].failures += 1
        failures += 1
    }

    /// Whether nothing counts any more.
    func isEmpty(at now: Duration) -> Bool { requests == 0 || abs(clamped(now) - newest) >= Int64(Self.spans) }

    /// Forgets all.
    mutating func clear() {
        guard requests > 0 else { return }
        for index in counts.indices { counts[index] = Span() }
        (requests, failures) = (0, 0)
    }

    private func clamped(_ now: Duration) -> Int64 { max(0, now.wholeNanoseconds) / width }

    /// Drops what is too old, and says where to count.
    private mutating func advance(to now: Duration) -> Int {
        let number = clamped(now)
        if number > newest {
            if newest < 0 || number - newest >= Int64(Self.spans) {
                clear()
            } else {
                for old in (newest + 1)...number {
                    let place = Int(old % Int64(Self.spans))
                    requests -= counts[place].requests
                    failures -= counts[place].failures
                    counts[place] = Span()
                }
            }
            newest = number
        } else if newest - number >= Int64(Self.spans) {
            // The clock has jumped back by more than the window: what was counted is of another time.
            clear()
            newest = number
        }
        // A little back is still now.
        return Int(newest % Int64(Self.spans))
    }
}

extension Duration {
    /// In whole nanoseconds, within what they can count: 292 years.
    fileprivate var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, isOverflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return isOverflow ? (seconds < 0 ? .min : .max) : whole &+ attoseconds / 1_000_000_000
    }
}
