import NetworkKitTesting
import Testing

@testable import NetworkKit

@Suite("Who shares an exchange")
struct CoalescingStateTests {
    private typealias State = CoalescingState<String, Int, String>

    private func join(_ key: String, _ waiter: Int, limit: Int = 100, _ state: inout State) -> State.Joining {
        state.join(key, limit: limit, waiter) { "\(key) of \(waiter)" }
    }

    @Test("The first begins an exchange, those of the same key join it, and its end tells all")
    func sharing() {
        var state = State()
        let first = join("a", 1, &state)
        let second = join("a", 2, &state)
        #expect(first.isFirst && !second.isFirst && second.handle == "a of 1")
        #expect(join("b", 3, &state).isFirst && state.exchanges == 2)
        _ = join("a", 4, &state)
        let told = state.finish(first.membership.exchange)
        #expect(told.first == 1 && told.others == [2, 4] && state.exchanges == 1)
        #expect(join("a", 5, &state).isFirst, "what has ended is shared with nobody")
    }

    @Test("The exchange stops with the last who leaves, whoever that is, and with nobody before")
    func leaving() {
        var state = State()
        let members = (1...3).map { join("a", $0, &state) }
        #expect(state.leave(members[0].membership) == nil && state.leave(members[0].membership) == nil)
        #expect(state.leave(members[2].membership) == nil)
        #expect(join("a", 4, &state).isFirst == false, "also when the first has left")
        #expect(state.leave(members[1].membership) == nil)
        let told = state.finish(members[0].membership.exchange)
        #expect(told.first == nil && told.others == [4])
        let alone = join("a", 5, &state)
        #expect(state.leave(alone.membership) == "a of 5" && state.exchanges == 0)
        #expect(join("a", 6, &state).isFirst)
        let late = state.finish(alone.membership.exchange)
        #expect(late.first == nil && late.others.isEmpty, "what was stopped has nobody to tell")
    }

    @Test("Nobody joins an exchange that was sealed, who waits for it waits on, and its end leaves its successor where it is")
    func sealing() {
        var state = State()
        let old = join("a", 1, &state)
        _ = join("a", 2, &state)
        _ = join("b", 3, &state)
        state.seal { $0 == "a" }
        #expect(state.callers == 3 && !join("b", 4, &state).isFirst)
        let new = join("a", 5, &state)
        #expect(new.isFirst && new.handle == "a of 5")
        let told = state.finish(old.membership.exchange)
        #expect(told.first == 1 && told.others == [2])
        #expect(join("a", 6, &state).handle == "a of 5")
        state.seal { _ in true }
        #expect(state.finish(new.membership.exchange).others == [6] && join("a", 7, &state).isFirst)
    }

    @Test("A caller who wants more of the body than is read begins its own, which later ones join")
    func limits() {
        var state = State()
        let small = join("a", 1, limit: 10, &state)
        #expect(join("a", 2, limit: 5, &state).handle == "a of 1")
        let large = join("a", 3, limit: 20, &state)
        #expect(large.isFirst && join("a", 4, limit: 15, &state).handle == "a of 3")
        #expect(state.finish(small.membership.exchange).others == [2])
        #expect(join("a", 5, limit: 20, &state).handle == "a of 3", "the smaller one's end leaves the larger one where it is")
        #expect(state.finish(large.membership.exchange).others == [4, 5])
    }

    @Test("Everybody is told or has left, once, over 10,000 random steps", arguments: [31, 32, 33] as [UInt64])
    func randomSteps(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var state = State()
        var here: [(id: Int, joining: State.Joining)] = []
        func members(of exchange: State.Exchange) -> [Int] {
            here.filter { $0.joining.membership.exchange == exchange }.map(\.id)
        }
        for id in 0..<10_000 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                let key = ["a", "b", "c"].randomElement(using: &random) ?? "a"
                here.append((id, join(key, id, limit: Int.random(in: 1...3, using: &random), &state)))
            case 5..<8:
                guard let index = here.indices.randomElement(using: &random) else { continue }
                let leaver = here.remove(at: index)
                let isLast = members(of: leaver.joining.membership.exchange).isEmpty
                #expect((state.leave(leaver.joining.membership) == leaver.joining.handle) == isLast)
            default:
                guard let exchange = here.randomElement(using: &random)?.joining.membership.exchange else { continue }
                let told = state.finish(exchange)
                #expect([told.first].compactMap { $0 } + told.others == members(of: exchange))
                here.removeAll { $0.joining.membership.exchange == exchange }
            }
            #expect(state.exchanges == Set(here.map(\.joining.handle)).count)
        }
    }
}
