import NetworkKitTesting
import Testing

@testable import NetworkKit

@Suite("Who may send and who waits")
struct ConcurrencyStateTests {
    private typealias State = ConcurrencyState<Int>

    private static func origin(_ name: String) -> Origin { Origin(scheme: "https", host: name, port: 443) }
    private let a = origin("a.test")
    private let b = origin("b.test")
    private let c = origin("c.test")

    private func admit(_ id: Int, _ origin: Origin, _ state: inout State) -> State.Place? {
        if case .admitted(let place) = state.admit(origin, { id }) { place } else { nil }
    }

    private func next(after place: State.Place, _ state: inout State) -> Int? { state.release(place)?.waiter }

    private func wait(_ id: Int, _ origin: Origin, _ state: inout State) -> (place: State.Place, order: Int)? {
        if case .waiting(let place, let order, _) = state.admit(origin, { id }) { (place, order) } else { nil }
    }

    @Test("Within a host, first come is first served")
    func order() throws {
        var state = State(perHost: 2, total: nil, queue: 10)
        let place = try #require(admit(1, a, &state))
        #expect(admit(2, a, &state) != nil)
        for id in 3...5 { #expect(wait(id, a, &state) != nil) }
        #expect((3...5).map { _ in next(after: place, &state) } == [3, 4, 5])
        #expect(next(after: place, &state) == nil && next(after: place, &state) == nil && state.active == 0)
    }

    @Test("A host that is full holds up no other")
    func hosts() {
        var state = State(perHost: 1, total: 3, queue: 10)
        #expect(admit(1, a, &state) != nil && wait(2, a, &state) != nil && wait(3, a, &state) != nil)
        #expect(admit(4, b, &state) != nil && admit(5, c, &state) != nil)
    }

    @Test("Of the hosts with room, the one goes first that has waited longest")
    func fairness() throws {
        var state = State(perHost: 2, total: 2, queue: 10)
        let first = try #require(admit(1, a, &state))
        #expect(admit(2, a, &state) != nil)
        for (id, origin) in [(3, b), (4, a), (5, c), (6, b)] { #expect(wait(id, origin, &state) != nil) }
        var place = first
        for id in 3...6 {
            let next = state.release(place)
            #expect(next?.waiter == id)
            place = next?.place ?? place
        }
    }

    @Test("One who waits for a full host is passed by, not waited for")
    func passing() throws {
        var state = State(perHost: 1, total: 2, queue: 10)
        let atA = try #require(admit(1, a, &state))
        let atB = try #require(admit(2, b, &state))
        #expect(wait(3, a, &state) != nil && wait(4, c, &state) != nil)
        #expect(next(after: atB, &state) == 4, "3 came first, but its host has no room")
        #expect(next(after: atA, &state) == 3)
    }

    @Test("Past the bound of the queue a request is refused, and the numbers say what is full")
    func bound() throws {
        var state = State(perHost: 1, total: nil, queue: 2)
        let place = try #require(admit(1, a, &state))
        let waiting = try #require(wait(2, a, &state))
        #expect(wait(3, a, &state) != nil)
        guard case .full(active: 1, waiting: 2) = state.admit(a, { 4 }) else { return #expect(Bool(false), "not full") }
        #expect(admit(5, b, &state) != nil, "another host has room")
        #expect(state.leave(waiting.place, order: waiting.order) && !state.leave(waiting.place, order: waiting.order))
        #expect(wait(6, a, &state) != nil, "one has left")
        #expect(next(after: place, &state) == 3)
    }

    @Test("Who has been given a slot can't leave the queue any more")
    func late() throws {
        var state = State(perHost: 1, total: nil, queue: 2)
        let place = try #require(admit(1, a, &state))
        let waiting = try #require(wait(2, a, &state))
        #expect(next(after: place, &state) == 2)
        #expect(!state.leave(waiting.place, order: waiting.order) && state.active == 1)
    }

    @Test("Hosts that nobody asks any more are forgotten")
    func forgetting() throws {
        var state = State(perHost: 1, total: nil, queue: 2)
        let kept = try #require(admit(0, a, &state))
        for number in 1...5000 {
            let place = try #require(admit(number, Self.origin("h\(number).test"), &state))
            #expect(next(after: place, &state) == nil)
        }
        #expect(state.hosts <= 256 && wait(1, a, &state) != nil)
        #expect(next(after: kept, &state) == 1)
    }

    @Test(
        "No slot is lost and no limit passed, over 10,000 random steps",
        arguments: [(2, 5), (1, nil), (nil, 3), (3, 4)] as [(Int?, Int?)], [7, 8] as [UInt64])
    func randomSteps(limits: (perHost: Int?, total: Int?), seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var state = State(perHost: limits.perHost, total: limits.total, queue: 20)
        let origins = (0..<6).map { Self.origin("h\($0).test") }
        var active: [(id: Int, host: Int, place: State.Place)] = []
        var waiting: [(id: Int, host: Int, place: State.Place, order: Int)] = []
        var lastGiven: [Int: Int] = [:]
        func give(_ next: (waiter: Int, place: State.Place)?) throws {
            guard let next else { return }
            let index = try #require(waiting.firstIndex { $0.id == next.waiter })
            let waiter = waiting.remove(at: index)
            #expect(waiter.place == next.place && waiter.order > lastGiven[waiter.host] ?? 0, "in order within the host")
            lastGiven[waiter.host] = waiter.order
            active.append((waiter.id, waiter.host, waiter.place))
        }
        for id in 0..<10_000 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                let host = Int.random(in: 0..<6, using: &random)
                switch state.admit(origins[host], { id }) {
                case .admitted(let place): active.append((id, host, place))
                case .waiting(let place, let order, _): waiting.append((id, host, place, order))
                case .full: #expect(waiting.count == 20)
                }
            case 5..<8:
                guard let index = active.indices.randomElement(using: &random) else { continue }
                try give(state.release(active.remove(at: index).place))
            default:
                guard let index = waiting.indices.randomElement(using: &random) else { continue }
                let waiter = waiting.remove(at: index)
                #expect(state.leave(waiter.place, order: waiter.order) == true)
            }
            #expect(state.active == active.count && state.waiting == waiting.count && active.count <= limits.total ?? .max)
            for host in 0..<6 {
                let count = active.count { $0.host == host }
                #expect(count <= limits.perHost ?? .max)
                let isHeldUp = count == limits.perHost || active.count == limits.total
                #expect(isHeldUp || !waiting.contains { $0.host == host }, "nobody waits for a host with room")
            }
        }
        while let last = active.popLast() { try give(state.release(last.place)) }
        #expect(waiting.isEmpty && state.active == 0 && state.waiting == 0)
    }
}
