internal import PlatformBase

/// How much may be sent again, so that an outage isn't multiplied by those who try again: a few in any case, and a share of the recent
/// calls.
///
/// ```swift
/// let budget = RetryBudget(share: 0.1)
/// let session = HTTPSession(interceptors: [.retry(budget: budget), .hedging(after: .p95(), budget: budget)])
/// ```
///
/// Retries and hedges that are given the same budget spend from one. While all is well nobody notices it; when most calls fail, at most
/// `floor` requests and `share` for each call are added to them, and what goes beyond that ends with its first outcome. It belongs to one session, or to
/// sessions that live equally long: time is taken from the session's clock.
public final class RetryBudget: Sendable {
    private let window: Lock<RetryWindow>
    /// How it is described: `10 in 10.0 s, and 20 % of its calls more`.
    let words: String

    /// A budget.
    ///
    /// - Parameters:
    ///   - share: how many requests may be added for each call of the window. Default 0.2; 0 leaves the floor alone.
    ///   - floor: how many may be added in the window in any case, so that a client with few calls can try again too. Default 10.
    ///   - window: how far back calls and additions count. Default 10 s.
    public init(share: Double = 0.2, floor: Int = 10, window: Duration = .seconds(10)) {
        let policy = RetryWindow(share: share, floor: floor, window: window)
        words = "\(policy.floor) in \(policy.length.shortText), and \(Int((policy.share * 100).rounded())) % of its calls more"
        self.window = Lock(policy)
    }

    /// Counts a call, once, however many of its interceptors share the budget and however often it comes by.
    func count(_ request: HTTPRequest) {
        if let scope = request.context.scope, !scope.isNew(to: self) { return }
        let now = request.context.clock.now
        window.withLock { $0.count(at: now) }
    }

    /// Takes one addition out of it; `false` when it is spent.
    func spend(at now: Duration) -> Bool { window.withLock { $0.spend(at: now) } }
}

/// The arithmetic of a budget: calls and additions of the last while, counted in ten slots, the oldest of which is let go of as a whole.
struct RetryWindow: Sendable {
    private static let slots = 10

    let share: Double
    let floor: Int
    let length: Duration
    private var calls = [Int](repeating: 0, count: slots)
    private var spent = [Int](repeating: 0, count: slots)
    private var totalCalls = 0
    private var totalSpent = 0
    /// The slot that is being filled, counted from the clock's origin.
    private var current: Int64 = 0
    /// When that is over, so that little is reckoned before.
    private var currentEnd = Duration.zero

    init(share: Double, floor: Int, window: Duration) {
        // What is no number, or negative, adds nothing.
        self.share = share > 0 ? min(share, 1000) : 0
        self.floor = max(floor, 0)
        length = max(window, .milliseconds(10))
    }

    /// A call has begun.
    mutating func count(at now: Duration) {
        roll(to: now)
        calls[Self.place(of: current)] += 1
        totalCalls += 1
    }

    /// Takes an addition, if there is one left.
    mutating func spend(at now: Duration) -> Bool {
        roll(to: now)
        guard Double(totalSpent + 1) <= Double(floor) + share * Double(totalCalls) + 1e-9 else { return false }
        spent[Self.place(of: current)] += 1
        totalSpent += 1
        return true
    }

    /// Empties the slots that are over. A clock that goes back finds the current one.
    private mutating func roll(to now: Duration) {
        guard now >= currentEnd else { return }
        let slot = Int64(min(max(now / length, 0) * Double(Self.slots), 1e15))
        guard slot > current else { return }
        for over in (current + 1)...min(slot, current + Int64(Self.slots)) {
            let place = Self.place(of: over)
            totalCalls -= calls[place]
            totalSpent -= spent[place]
            calls[place] = 0
            spent[place] = 0
        }
        current = slot
        currentEnd = length / Self.slots * (slot + 1)
    }

    private static func place(of slot: Int64) -> Int { Int(slot % Int64(slots)) }
}
