import NetworkKitTesting
import PlatformBase
import Testing

@testable import NetworkKit

@Suite("Alarms")
struct AlarmTests {
    private let clock = TestClock()

    @Test("Timers ring in their order, each once, and never early")
    func order() async {
        let alarm = Alarm(CallClock(clock))
        let (rings, rang) = AsyncStream<Int>.makeStream()
        let timers = [(3, 30), (1, 10), (2, 20)].map { name, second in alarm.timer(.seconds(second)) { rang.yield(name) } }
        var iterator = rings.makeAsyncIterator()
        for expected in 1...3 {
            await clock.sleepers([.seconds(10)])
            clock.advance(by: .seconds(9))
            await clock.sleepers([.seconds(1)])
            clock.advance(by: .seconds(1))
            #expect(await iterator.next() == expected)
        }
        withExtendedLifetime(timers) {}
    }

    @Test("An earlier timer wakes the sleeper earlier, a later one leaves it alone")
    func earlier() async {
        let alarm = Alarm(CallClock(clock))
        let (rings, rang) = AsyncStream<String>.makeStream()
        var iterator = rings.makeAsyncIterator()
        let late = alarm.timer(.seconds(10)) { rang.yield("late") }
        await clock.sleepers([.seconds(10)])
        let later = alarm.timer(.seconds(20)) { rang.yield("later") }
        let early = alarm.timer(.seconds(5)) { rang.yield("early") }
        await clock.sleepers([.seconds(5)])
        clock.advance(by: .seconds(5))
        #expect(await iterator.next() == "early")
        await clock.sleepers([.seconds(5)])
        clock.advance(by: .seconds(100))
        #expect(await iterator.next() == "late")
        #expect(await iterator.next() == "later")
        withExtendedLifetime((late, later, early)) {}
    }

    @Test("A timer that is let go of doesn't ring")
    func takenBack() async {
        let alarm = Alarm(CallClock(clock))
        let (rings, rang) = AsyncStream<String>.makeStream()
        var iterator = rings.makeAsyncIterator()
        var needless: Alarm.Timer? = alarm.timer(.seconds(5)) { rang.yield("needless") }
        withExtendedLifetime(needless) {}
        let timer = alarm.timer(.seconds(6)) { rang.yield("wanted") }
        needless = nil
        await clock.sleepers([.seconds(5)])
        clock.advance(by: .seconds(5))
        await clock.sleepers([.seconds(1)])
        clock.advance(by: .seconds(1))
        #expect(await iterator.next() == "wanted")
        withExtendedLifetime(timer) {}
    }

    @Test("A timer whose instant has passed rings at once")
    func past() async {
        let alarm = Alarm(CallClock(clock))
        clock.advance(by: .seconds(9))
        let rang = OneShot<Bool>()
        let timer = alarm.timer(.seconds(5)) { rang.resolve(true) }
        #expect(await rang.value())
        withExtendedLifetime(timer) {}
    }

    @Test("On a clock that is turned the sleeper goes with the last timer, and comes again with the next")
    func idle() async {
        let alarm = Alarm(CallClock(clock))
        let first = alarm.set(.seconds(300)) {}
        let second = alarm.set(.seconds(400)) {}
        await clock.sleepers([.seconds(300)])
        alarm.takeBack(first)
        #expect(clock.waits == [.seconds(300)])
        alarm.takeBack(second)
        await clock.sleepers([])
        let rang = OneShot<Bool>()
        let timer = alarm.timer(.seconds(500)) { rang.resolve(true) }
        await clock.advance(through: .seconds(500))
        #expect(await rang.value())
        withExtendedLifetime(timer) {}
    }

    @Test("A call that is over leaves nobody asleep, so that running to the next goes to the next")
    func afterCall() async throws {
        let client = NetworkClient(session: HTTPSession(transport: StubTransport(.text("ok")), clock: clock))
        for _ in 0..<20 { #expect(try await client.data(for: SampleEndpoint()).get() == Data("ok".utf8)) }
        await clock.sleepers([])
        async let slept: Void = clock.sleep(for: .seconds(2))
        #expect(await clock.runToNext() == .seconds(2))
        try await slept
    }

    @Test("The sleeper goes with the alarm")
    func gone() async {
        do {
            let alarm = Alarm(CallClock(clock))
            let timer = alarm.timer(.seconds(5)) {}
            await clock.sleepers([.seconds(5)])
            withExtendedLifetime(timer) {}
        }
        await clock.sleepers([])
    }

    @Test("Timers set at once from many tasks all ring, whichever came first")
    func concurrent() async {
        for _ in 0..<50 {
            let clock = TestClock()
            let alarm = Alarm(CallClock(clock))
            let (rings, rang) = AsyncStream<Int>.makeStream()
            let timers = await withTaskGroup(of: Alarm.Timer.self) { group in
                for second in 1...4 { group.addTask { alarm.timer(.seconds(second)) { rang.yield(second) } } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            await clock.sleepers([.seconds(1)])
            var iterator = rings.makeAsyncIterator()
            clock.advance(by: .seconds(4))
            for expected in 1...4 { #expect(await iterator.next() == expected) }
            withExtendedLifetime(timers) {}
        }
    }

    @Test("Of timers the due ones are taken out in order, and the next one named")
    func pure() {
        var timers = Timers()
        let told = Recorder<Int>()
        let adds = [5, 3, 4, 9].map { second in timers.add(.seconds(second)) { told.add(second) } }
        #expect(adds.map(\.isEarliest) == [true, true, false, false])
        timers.remove(adds[2].id)
        let none = timers.takeDue(at: .seconds(2))
        #expect(none.due.isEmpty && none.next == .seconds(3))
        let some = timers.takeDue(at: .seconds(5))
        for action in some.due { action() }
        #expect(told.values == [3, 5] && some.next == .seconds(9))
        #expect(timers.takeDue(at: .seconds(9)).next == nil)
        #expect(timers.add(.seconds(20)) {}.isEarliest)
    }
}
