/// Who may connect now and who waits: first come, first served, within a limit for each origin and one for all.
///
/// libcurl's own limit for a host queues unfairly (a hundredth of the requests wait a hundred times the median), so it is off. `URLSession`
/// doesn't tell that a request waits, so that its wait would count as the server's silence.
struct Admission<ID: Hashable> {
    private final class Lane {
        var active = 0
        var isMultiplexed = false
        var waiting: ArraySlice<(order: Int, id: ID)> = []

        /// Connections that so many requests need.
        func connections(for active: Int) -> Int {
            isMultiplexed ? (active + streamsPerConnection - 1) / streamsPerConnection : active
        }
        /// What its connections carry is found out anew.
        var isUnused: Bool { active == 0 && waiting.isEmpty }
    }

    /// Requests that a multiplexed connection carries at once: a common default of servers (RFC 9113 §6.5.2), and libcurl's own.
    /// Past it libcurl would open a connection for each, so that is also where further requests to one origin wait.
    static var streamsPerConnection: Int { 100 }

    private let perOrigin: Int
    private let total: Int
    private var connections = 0
    private var lanes: [Origin: Lane] = [:]
    private var gone: Set<ID> = []
    private var waitingCount = 0
    /// How many entries its queues have, those of who has left included.
    var queued: Int { lanes.values.reduce(0) { $0 + $1.waiting.count } }
    var knownOrigins: Int { lanes.count }
    private var lastOrder = 0

    private static var keptLanes: Int { 256 }
    private static var keptGone: Int { 64 }

    init(perOrigin: Int, total: Int) {
        self.perOrigin = perOrigin
        self.total = total
    }

    /// Asks for a place; `false` when the request waits for one.
    mutating func admit(_ id: ID, to origin: Origin) -> Bool {
        let lane = lane(origin)
        if lane.waiting.isEmpty, hasRoom(lane) {
            change(lane) { $0.active += 1 }
            return true
        }
        lastOrder += 1
        waitingCount += 1
        lane.waiting.append((lastOrder, id))
        return false
    }

    /// Gives a place back, and hands out what has become free: who may connect now.
    mutating func release(_ origin: Origin) -> [ID] {
        change(lane(origin)) { $0.active -= 1 }
        return admitWaiting()
    }

    /// Takes a request, which must be waiting, out of the queue.
    mutating func leave(_ id: ID) {
        gone.insert(id)
        // In a lane that has no room for long, nobody comes by who takes them off.
        guard gone.count > Self.keptGone, gone.count > waitingCount / 2 else { return }
        for lane in lanes.values { lane.waiting.removeAll { gone.contains($0.id) } }
        waitingCount -= gone.count
        gone = []
    }

    /// Remembers that the origin's connections carry many requests at once (HTTP/2), so that a place is a stream and no connection.
    mutating func markMultiplexed(_ origin: Origin) -> [ID] {
        let lane = lane(origin)
        guard !lane.isMultiplexed else { return [] }
        change(lane) { $0.isMultiplexed = true }
        return admitWaiting()
    }

    private mutating func admitWaiting() -> [ID] {
        guard waitingCount > 0 else { return [] }
        var admitted: [ID] = []
        while let (id, lane) = nextWaiting() {
            takeFirst(lane)
            change(lane) { $0.active += 1 }
            admitted.append(id)
        }
        return admitted
    }

    /// Of the origins with room, the one whose first request has waited longest. Those that have left are taken off on the way.
    private mutating func nextWaiting() -> (ID, Lane)? {
        var best: (order: Int, id: ID, lane: Lane)?
        for lane in lanes.values where !lane.waiting.isEmpty && hasRoom(lane) {
            while let first = lane.waiting.first, gone.remove(first.id) != nil { takeFirst(lane) }
            if let first = lane.waiting.first, first.order < best?.order ?? .max { best = (first.order, first.id, lane) }
        }
        return best.map { ($0.id, $0.lane) }
    }

    private mutating func takeFirst(_ lane: Lane) {
        lane.waiting.removeFirst()
        waitingCount -= 1
    }

    private func hasRoom(_ lane: Lane) -> Bool {
        let capacity = lane.isMultiplexed ? Swift.max(perOrigin, Self.streamsPerConnection) : perOrigin
        let more = lane.connections(for: lane.active + 1) - lane.connections(for: lane.active)
        return lane.active < capacity && connections + more <= total
    }

    private mutating func lane(_ origin: Origin) -> Lane {
        if let lane = lanes[origin] { return lane }
        // Origins that nobody asks any more are let go of now and then: nearly always the next request is for the same one.
        if lanes.count >= Self.keptLanes { lanes = lanes.filter { !$0.value.isUnused } }
        let lane = Lane()
        lanes[origin] = lane
        return lane
    }

    private mutating func change(_ lane: Lane, _ change: (Lane) -> Void) {
        connections -= lane.connections(for: lane.active)
        change(lane)
        connections += lane.connections(for: lane.active)
    }
}
