import NetworkKitTesting
import Testing

@testable import NetworkKit

@Suite("Two attempts side by side")
struct HedgeRaceTests {
    @Test("An attempt that ends alone is the call's, whatever it came to", arguments: [HedgeRace.Ending.good, .bad, .failed])
    func alone(ending: HedgeRace.Ending) {
        var race = HedgeRace()
        let step = race.end(0, ending)
        let mayBegin = race.begin()
        #expect(step == .end(winner: 0) && !mayBegin && race.isOver)
    }

    @Test(
        "The first good answer wins; of two that aren't, an answer, else the one that came first",
        arguments: [
            ([(0, .good)], [.end(winner: 0)]), ([(1, .good)], [.end(winner: 1)]), ([(0, .good), (1, .good)], [.end(winner: 0), .drop]),
            ([(0, .bad), (1, .good)], [.hold, .end(winner: 1)]), ([(1, .failed), (0, .good)], [.hold, .end(winner: 0)]),
            ([(0, .bad), (1, .bad)], [.hold, .end(winner: 0)]), ([(1, .bad), (0, .bad)], [.hold, .end(winner: 1)]),
            ([(0, .failed), (1, .bad)], [.hold, .end(winner: 1)]), ([(0, .bad), (1, .failed)], [.hold, .end(winner: 0)]),
            ([(0, .failed), (1, .failed)], [.hold, .end(winner: 0)]), ([(0, .failed), (0, .good)], [.hold, .drop]),
        ] as [([(Int, HedgeRace.Ending)], [HedgeRace.Step])])
    func two(endings: [(Int, HedgeRace.Ending)], steps: [HedgeRace.Step]) {
        var race = HedgeRace()
        let mayBegin = race.begin()
        let taken = endings.map { race.end($0.0, $0.1) }
        #expect(mayBegin && taken == steps)
    }

    @Test("A third never begins, nor a second once nobody waits")
    func bounds() {
        var (race, closed) = (HedgeRace(), HedgeRace())
        let begun = [race.begin(), race.begin()]
        closed.close()
        let late = (closed.begin(), closed.end(0, .good))
        #expect(begun == [true, false] && late == (false, .drop))
    }
}

@Suite("Recent latencies")
struct LatencyWindowTests {
    @Test(
        "There is no percentile before enough have been seen; then it is the nearest rank",
        arguments: [(0.95, 95), (0.5, 50), (1, 100), (0, 1)])
    func percentile(share: Double, expected: Int) {
        var seeded = SeededRandom(seed: 4)
        var window = LatencyWindow(share: share)
        for latency in (1...100).shuffled(using: &seeded) {
            window.add(.milliseconds(latency))
        }
        // The last few may not be in it yet.
        for latency in (1...8) { window.add(.milliseconds(latency * 12)) }
        #expect(abs((window.percentile ?? .zero) / .milliseconds(1) - Double(expected)) <= 5)
        var few = LatencyWindow(share: share)
        for _ in 1..<LatencyWindow.enough { few.add(.seconds(1)) }
        #expect(few.percentile == nil)
    }

    @Test("Old ones are forgotten")
    func forgets() {
        var window = LatencyWindow(share: 0.95)
        for _ in 0..<500 { window.add(.seconds(9)) }
        for _ in 0..<(LatencyWindow.size + 8) { window.add(.milliseconds(3)) }
        #expect(window.percentile == .milliseconds(3))
    }
}

@Suite("Telling of one attempt after the other")
struct EventGateTests {
    private func names(_ events: [TransportEvent]) -> [String] {
        events.map { event in
            switch event {
            case .queued: "queued"
            case .started: "started"
            case .received(let count): "received \(count)"
            case .failed: "failed"
            default: "other"
            }
        }
    }

    @Test("What a held-back attempt has to say comes when it counts, without counts that go up anyway")
    func held() {
        let told = Recorder<TransportEvent>()
        let gate = EventGate(isOpen: false) { told.add($0) }
        for event in [TransportEvent.queued, .received(1), .started] { gate.take(event) }
        #expect(told.values.isEmpty)
        gate.open()
        gate.take(.received(2))
        gate.open()
        #expect(names(told.values) == ["queued", "started", "received 2"])
    }

    @Test("One that counts no more is over for who listens; one that never counted isn't told of")
    func shut() {
        let (told, untold) = (Recorder<TransportEvent>(), Recorder<TransportEvent>())
        let (first, second) = (EventGate(isOpen: true) { told.add($0) }, EventGate(isOpen: false) { untold.add($0) })
        first.take(.queued)
        second.take(.queued)
        for gate in [first, second, first] { gate.shut() }
        for gate in [first, second] { gate.take(.started) }
        second.open()
        #expect(names(told.values) == ["queued", "failed"] && untold.values.isEmpty)
    }
}
