#if canImport(CCurl)
/// Who may connect now and who waits: first come, first served, within a limit for each origin and one for all.
///
/// libcurl's own limit for a host queues unfairly (a hundredth of the requests wait a hundred times the median), so it is off.
struct Admission<ID: Hashable> {
    private struct Lane {
        var active = 0
        var isMultiplexed = false
        var waiting: ArraySlice<(order: Int, id: ID)> = []

        /// Connections that the active requests need.
        var connections: Int { isMultiplexed ? (active + streamsPerConnection - 1) / streamsPerConnection : active }
        var isUnused: Bool { active == 0 && waiting.isEmpty && !isMultiplexed }
    }

    /// Requests that a multiplexed connection carries at once: a common default of servers (RFC 9113 §6.5.2), and libcurl's own.
    /// Past it libcurl would open a connection for each, so that is also where further requests to one origin wait.
    static var streamsPerConnection: Int { 100 }

    private let perOrigin: Int
    private let total: Int
    private var connections = 0
    private var lanes: [Origin: Lane] = [:]
    private var gone: Set<ID> = []
    private var lastOrder = 0

    init(perOrigin: Int, total: Int) {
        self.perOrigin = perOrigin
        self.total = total
    }

    /// Asks for a place; `false` when the request waits for one.
    mutating func admit(_ id: ID, to origin: Origin) -> Bool {
        if lanes[origin]?.waiting.isEmpty ?? true, hasRoom(origin) {
            change(origin) { $0.active += 1 }
            return true
        }
        lastOrder += 1
        change(origin) { [lastOrder] in $0.waiting.append((lastOrder, id)) }
        return false
    }

    /// Gives a place back, and hands out what has become free: who may connect now.
    mutating func release(_ origin: Origin) -> [ID] {
        change(origin) { $0.active -= 1 }
        return admitWaiting()
    }

    /// Takes a request, which must be waiting, out of the queue.
    mutating func leave(_ id: ID) { gone.insert(id) }

    /// Remembers that the origin's connections carry many requests at once (HTTP/2), so that a place is a stream and no connection.
    mutating func markMultiplexed(_ origin: Origin) -> [ID] {
        guard lanes[origin]?.isMultiplexed != true else { return [] }
        change(origin) { $0.isMultiplexed = true }
        return admitWaiting()
    }

    private mutating func admitWaiting() -> [ID] {
        var admitted: [ID] = []
        while let (id, origin) = nextWaiting() {
            change(origin) {
                $0.waiting.removeFirst()
                $0.active += 1
            }
            admitted.append(id)
        }
        return admitted
    }

    /// Of the origins with room, the one whose first request has waited longest. Those that have left are taken off on the way.
    private mutating func nextWaiting() -> (ID, Origin)? {
        var best: (order: Int, id: ID, origin: Origin)?
        for origin in lanes.keys where lanes[origin]?.waiting.isEmpty == false && hasRoom(origin) {
            while let first = lanes[origin]?.waiting.first, gone.remove(first.id) != nil { change(origin) { $0.waiting.removeFirst() } }
            if let first = lanes[origin]?.waiting.first, first.order < best?.order ?? .max { best = (first.order, first.id, origin) }
        }
        return best.map { ($0.id, $0.origin) }
    }

    private func hasRoom(_ origin: Origin) -> Bool {
        guard var lane = lanes[origin] else { return connections < total }
        let before = lane.connections
        lane.active += 1
        let capacity = lane.isMultiplexed ? Swift.max(perOrigin, Self.streamsPerConnection) : perOrigin
        return lane.active <= capacity && connections + lane.connections - before <= total
    }

    private mutating func change(_ origin: Origin, _ change: (inout Lane) -> Void) {
        var lane = lanes.removeValue(forKey: origin) ?? Lane()
        connections -= lane.connections
        change(&lane)
        connections += lane.connections
        if !lane.isUnused { lanes[origin] = lane }
    }
}
#endif
