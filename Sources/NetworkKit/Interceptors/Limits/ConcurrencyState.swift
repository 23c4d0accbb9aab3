/// Who may send now and who waits: first come, first served, within a limit for each host and one for all.
///
/// A host that is full holds up no other, and of those that wait for a host with room the one goes first that has waited longest. So
/// nobody holds a place of one kind while waiting for the other, and nothing can lock up.
///
/// The transport's own `Admission` is of another kind: it counts connections, which carry one request or a hundred, on one thread and
/// without a bound; this counts requests, and lets go of whoever leaves at once.
struct ConcurrencyState<Waiter> {
    /// Where a request has its slot or waits for one.
    typealias Place = HostTable<Lane>.Place

    enum Admission {
        /// It has a slot, to be given back once.
        case admitted(Place)
        /// It waits for one; `order` is its number in the queue.
        case waiting(Place, order: Int, Waiter)
        /// As many wait as may.
        case full(active: Int, waiting: Int)
    }

    struct Lane {
        fileprivate(set) var active = 0
        fileprivate(set) var waiting = WaitQueue<Waiter>()
    }

    private let perHost: Int
    private let total: Int
    private let queue: Int
    /// Those in which nobody sends or waits are let go of now and then.
    private var lanes = HostTable<Lane>(bound: 256)
    /// The lanes in which somebody waits.
    private var crowded: [Place] = []
    private var lastOrder = 0
    /// How many have a slot.
    private(set) var active = 0
    /// How many wait.
    private(set) var waiting = 0
    /// How many hosts are known.
    var hosts: Int { lanes.count }

    init(perHost: Int?, total: Int?, queue: Int) {
        self.perHost = max(1, perHost ?? .max)
        self.total = max(1, total ?? .max)
        self.queue = max(0, queue)
    }

    /// Asks for a slot. `makeWaiter` is called for one that must wait.
    mutating func admit(_ origin: Origin, _ makeWaiter: () -> Waiter) -> Admission {
        let place = lanes.place(of: origin) {
            $0.active == 0 && $0.waiting.isEmpty ? .none : .needed
        } make: {
            Lane()
        }
        let hasRoom = active < total
        let laneActive = lanes.change(place) { lane -> Int? in
            // Behind whoever waits already, also when a slot is free just now.
            guard hasRoom, lane.active < perHost, lane.waiting.isEmpty else { return lane.active }
            lane.active += 1
            return nil
        }
        guard let laneActive = laneActive ?? nil else {
            active += 1
            return .admitted(place)
        }
        guard waiting < queue else { return .full(active: hasRoom ? laneActive : active, waiting: waiting) }
        lastOrder += 1
        waiting += 1
        let waiter = makeWaiter()
        let isFirst = lanes.change(place) { [lastOrder] lane in
            lane.waiting.append(waiter, order: lastOrder)
            return lane.waiting.count == 1
        }
        if isFirst == true { crowded.append(place) }
        return .waiting(place, order: lastOrder, waiter)
    }

    /// Gives a slot back, which goes to the next: who has it now, and where.
    mutating func release(_ place: Place) -> (waiter: Waiter, place: Place)? {
        let wasFull = active >= total
        active -= 1
        lanes.change(place) { $0.active -= 1 }
        guard waiting > 0 else { return nil }
        // While there was room for all, those that wait do so for their own host.
        guard let next = wasFull ? longestWaiting() : place else { return nil }
        guard active < total, let waiter = lanes.change(next, takeFirst) ?? nil else { return nil }
        waiting -= 1
        active += 1
        noteEmpty(next)
        return (waiter, next)
    }

    /// Takes one out of the queue that doesn't want to wait any more; `false` when it has been given a slot meanwhile.
    mutating func leave(_ place: Place, order: Int) -> Bool {
        guard (lanes.change(place) { $0.waiting.remove(order: order) } ?? nil) != nil else { return false }
        waiting -= 1
        noteEmpty(place)
        return true
    }

    private mutating func noteEmpty(_ place: Place) {
        guard lanes[place]?.waiting.isEmpty != false, let index = crowded.firstIndex(of: place) else { return }
        crowded.remove(at: index)
    }

    private func takeFirst(_ lane: inout Lane) -> Waiter? {
        guard lane.active < perHost, let waiter = lane.waiting.popFirst() else { return nil }
        lane.active += 1
        return waiter
    }

    /// Of the hosts with room, the one whose first request has waited longest.
    private func longestWaiting() -> Place? {
        var best: (order: Int, place: Place)?
        for place in crowded {
            guard let lane = lanes[place], lane.active < perHost, let order = lane.waiting.firstOrder else { continue }
            if order < best?.order ?? .max { best = (order, place) }
        }
        return best?.place
    }
}
