import NetworkKitTesting
import Testing

@testable import NetworkKit

@Suite("Who waits for a token")
struct RateStateTests {
    private typealias State = RateState<Int>

    private static func origin(_ name: String) -> Origin { Origin(scheme: "https", host: name, port: 443) }
    private let a = origin("a.test")
    private let b = origin("b.test")

    /// One request a second, without a burst.
    private func state(queue: Int = 10, hosts: Int = 1024) -> State {
        State(TokenBucket(1, per: .seconds(1), burst: 1), queue: queue, hosts: hosts)
    }

    private enum Outcome: Equatable { case admitted, waits(wake: Duration?), late(Duration), full(Duration) }

    private func ask(
        _ id: Int, _ origin: Origin, at now: Duration, remaining: Duration? = nil, _ state: inout State
    ) -> Outcome {
        switch state.admit(origin, at: now, remaining: { remaining }, { id }) {
        case .admitted: .admitted
        case .waiting(_, _, _, let wake): .waits(wake: wake)
        case .late(let wait): .late(wait)
        case .full(_, let wait): .full(wait)
        }
    }

    @Test("The first waiter names the instant to ask at, and the others follow one interval apart")
    func order() {
        var state = state()
        #expect(ask(1, a, at: .zero, &state) == .admitted)
        #expect(ask(2, a, at: .milliseconds(300), &state) == .waits(wake: .seconds(1)))
        #expect(ask(3, a, at: .milliseconds(400), &state) == .waits(wake: nil))
        #expect(ask(4, b, at: .milliseconds(400), &state) == .admitted, "another host has a bucket of its own")
        #expect(state.due(at: .milliseconds(999)).going.isEmpty)
        let first = state.due(at: .seconds(1))
        #expect(first.going.map(\.waiter) == [2] && first.next == .seconds(2))
        let second = state.due(at: .seconds(2))
        #expect(second.going.map(\.waiter) == [3] && second.next == nil && state.waiting == 0)
    }

    @Test("A wait that would pass the deadline isn't begun, and says how long it would have been")
    func deadline() {
        var state = state()
        #expect(ask(1, a, at: .zero, &state) == .admitted)
        #expect(ask(2, a, at: .zero, remaining: .milliseconds(900), &state) == .late(.seconds(1)))
        #expect(ask(3, a, at: .zero, remaining: .seconds(1), &state) == .waits(wake: .seconds(1)))
        #expect(ask(4, a, at: .milliseconds(500), remaining: .milliseconds(1400), &state) == .late(.milliseconds(1500)))
    }

    @Test("Past the bound of the queue a request is refused, and told when there would be a token")
    func bound() {
        var state = state(queue: 1)
        #expect(ask(1, a, at: .zero, &state) == .admitted && ask(2, a, at: .zero, &state) == .waits(wake: .seconds(1)))
        #expect(ask(3, a, at: .zero, &state) == .full(.seconds(2)))
    }

    @Test("Whoever leaves makes those behind it move up")
    func leaving() throws {
        var state = state()
        #expect(ask(1, a, at: .zero, &state) == .admitted)
        guard case .waiting(let place, let order, _, _) = state.admit(a, at: .zero, remaining: { nil }, { 2 }) else {
            return #expect(Bool(false), "it waits")
        }
        #expect(ask(3, a, at: .zero, &state) == .waits(wake: nil))
        #expect(state.leave(place, order: order) && !state.leave(place, order: order))
        #expect(state.due(at: .seconds(1)).going.map(\.waiter) == [3])
    }

    @Test("A token that its waiter refuses goes to the next")
    func refused() {
        var state = state()
        #expect(ask(1, a, at: .zero, &state) == .admitted && ask(2, a, at: .zero, &state) == .waits(wake: .seconds(1)))
        #expect(ask(3, a, at: .zero, &state) == .waits(wake: nil))
        let due = state.due(at: .seconds(1))
        for (_, place) in due.going { state.giveBack(place) }
        #expect(state.due(at: .seconds(1)).going.map(\.waiter) == [3])
    }

    @Test("Memory is bounded, however many hosts are asked; a host with waiters isn't forgotten")
    func hosts() {
        var state = state(hosts: 16)
        #expect(ask(0, a, at: .zero, &state) == .admitted && ask(1, a, at: .zero, &state) == .waits(wake: .seconds(1)))
        for number in 0..<1000 { #expect(ask(number, Self.origin("h\(number).test"), at: .zero, &state) == .admitted) }
        #expect(state.hosts <= 16 && state.due(at: .seconds(1)).going.map(\.waiter) == [1])
    }

    @Test("Nobody is lost, passed over or let through too early, over 10,000 random steps", arguments: [11, 12, 13] as [UInt64])
    func randomSteps(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var state = State(TokenBucket(10, per: .seconds(1), burst: 3), queue: 30)
        var waiting: [(id: Int, place: State.Place, order: Int)] = []
        var gone: [Int] = []
        var now = 0
        for id in 0..<10_000 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4:
                switch state.admit(a, at: .milliseconds(now), remaining: { nil }, { id }) {
                case .admitted:
                    #expect(waiting.isEmpty, "nobody overtakes")
                    gone.append(now)
                case .waiting(let place, let order, _, _): waiting.append((id, place, order))
                case .full: #expect(waiting.count == 30)
                case .late: #expect(Bool(false))
                }
            case 4..<5:
                guard let index = waiting.indices.randomElement(using: &random) else { continue }
                let waiter = waiting.remove(at: index)
                #expect(state.leave(waiter.place, order: waiter.order) == true)
            default:
                now += Int.random(in: 0..<100, using: &random)
                let due = state.due(at: .milliseconds(now))
                #expect(due.going.map(\.waiter) == waiting.prefix(due.going.count).map(\.id))
                waiting.removeFirst(due.going.count)
                gone += due.going.map { _ in now }
                #expect((due.next == nil) == waiting.isEmpty && due.next ?? .seconds(1_000_000) > .milliseconds(now))
            }
            #expect(state.waiting == waiting.count)
        }
        for index in gone.indices.dropFirst(10) { #expect(gone[index] - gone[index - 10] >= 700) }
        now += 1_000_000
        while !waiting.isEmpty {
            let due = state.due(at: .milliseconds(now))
            waiting.removeFirst(due.going.count)
            now += 100
        }
        #expect(state.waiting == 0)
    }
}
