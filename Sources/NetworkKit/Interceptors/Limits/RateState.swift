/// Who may send now and who waits for a token, for each host or for all: first come, first served.
///
/// A token is given when it is there and not before, so that whoever leaves the queue shortens the wait of all behind.
struct RateState<Waiter> {
    typealias Place = HostTable<Lane>.Place

    enum Admission {
        /// It has its token.
        case admitted
        /// It waits for one, until about the instant `until`; `order` is its number in the queue. `wake` when ``due(at:)`` must be
        /// asked at an instant for it.
        case waiting(Place, order: Int, Waiter, wake: Duration?)
        /// It would be past its deadline when its turn comes, after `wait`.
        case late(wait: Duration)
        /// As many wait as may; a token would be there after `wait`.
        case full(waiting: Int, wait: Duration)
    }

    struct Lane {
        fileprivate var bucket: TokenBucket
        fileprivate var waiting = WaitQueue<Waiter>()
    }

    private let bucket: TokenBucket
    private let queue: Int
    private var lanes: HostTable<Lane>
    private var crowded: [Place] = []
    private var lastOrder = 0
    /// How many wait.
    private(set) var waiting = 0
    /// How many hosts are known.
    var hosts: Int { lanes.count }

    init(_ bucket: TokenBucket, queue: Int, hosts: Int = 1024) {
        self.bucket = bucket
        self.queue = max(0, queue)
        lanes = HostTable(bound: hosts)
    }

    /// Asks for a token.
    ///
    /// - Parameters:
    ///   - remaining: how long the request may still take.
    ///   - makeWaiter: called for one that must wait.
    mutating func admit(_ origin: Origin, at now: Duration, remaining: () -> Duration?, _ makeWaiter: () -> Waiter) -> Admission {
        let place = lanes.place(of: origin) { lane in
            // A bucket that has filled again is as good as a new one.
            if lane.waiting.isEmpty { lane.bucket.isFull(at: now) ? .none : .some } else { .needed }
        } make: { [bucket] in
            Lane(bucket: bucket)
        }
        let ahead = lanes.change(place) { lane -> (count: Int, wait: Duration)? in
            if lane.waiting.isEmpty, lane.bucket.take(at: now) { return nil }
            return (lane.waiting.count, lane.bucket.wait(at: now))
        }
        guard let ahead = ahead ?? nil else { return .admitted }
        let wait = ahead.wait + bucket.interval * ahead.count
        if let remaining = remaining(), wait > remaining { return .late(wait: wait) }
        guard waiting < queue else { return .full(waiting: waiting, wait: wait) }
        lastOrder += 1
        waiting += 1
        let waiter = makeWaiter()
        _ = lanes.change(place) { [lastOrder] in $0.waiting.append(waiter, order: lastOrder) }
        if !crowded.contains(place) { crowded.append(place) }
        return .waiting(place, order: lastOrder, waiter, wake: ahead.count == 0 ? now + wait : nil)
    }

    /// Gives out the tokens that are there: who goes, and at which instant to ask again.
    mutating func due(at now: Duration) -> (going: [(waiter: Waiter, place: Place)], next: Duration?) {
        var going: [(waiter: Waiter, place: Place)] = []
        var next: Duration?
        crowded.removeAll { place in
            lanes.change(place) { lane in
                while !lane.waiting.isEmpty, lane.bucket.take(at: now) {
                    if let waiter = lane.waiting.popFirst() { going.append((waiter, place)) }
                }
                guard !lane.waiting.isEmpty else { return true }
                let instant = now + lane.bucket.wait(at: now)
                next = min(next ?? instant, instant)
                return false
            } ?? true
        }
        waiting -= going.count
        return (going, next)
    }

    /// Puts a token back that its waiter didn't want any more.
    mutating func giveBack(_ place: Place) { _ = lanes.change(place) { $0.bucket.giveBack() } }

    /// Takes one out of the queue; `false` when it has been given its token meanwhile.
    mutating func leave(_ place: Place, order: Int) -> Bool {
        guard (lanes.change(place) { $0.waiting.remove(order: order) } ?? nil) != nil else { return false }
        waiting -= 1
        return true
    }
}
