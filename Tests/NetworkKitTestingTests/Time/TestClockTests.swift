import NetworkKitTesting
import Testing

@Suite("TestClock")
struct TestClockTests {
    private let clock = TestClock()

    @Test("Time passes only when the test says so, and wakes the sleepers in their order")
    func order() async throws {
        let woken = Ran()
        let sleeps = [3, 1, 2].map { seconds in
            Task { [clock] in
                try await clock.sleep(for: .seconds(seconds))
                woken.note("\(seconds)")
            }
        }
        await clock.sleepers([.seconds(1), .seconds(2), .seconds(3)])
        #expect(clock.elapsed == .zero && woken.texts.isEmpty)
        for expected in ["1", "2", "3"] {
            #expect(await clock.runToNext() == .seconds(1))
            while woken.texts.last != expected { await Task.yield() }
        }
        for sleep in sleeps { try await sleep.value }
        #expect(clock.elapsed == .seconds(3) && clock.waits.isEmpty)
    }

    @Test("A sleeper is let through its sleep, whoever else sleeps")
    func through() async throws {
        let other = Task { [clock] in try await clock.sleep(for: .seconds(9)) }
        async let slept: Void = clock.sleep(for: .seconds(5))
        await clock.sleepers([.seconds(5), .seconds(9)])
        await clock.advance(through: .seconds(5))
        try await slept
        #expect(clock.waits == [.seconds(4)])
        #expect(clock.description.contains("4.0 seconds"))
        other.cancel()
        await clock.sleepers([])
        await #expect(throws: CancellationError.self) { try await other.value }
    }

    @Test("A sleep that is cancelled before it begins, and one in the past, end at once")
    func atOnce() async throws {
        try await clock.sleep(until: clock.now.advanced(by: .seconds(-1)), tolerance: nil)
        let task = Task { [clock] in
            while !Task.isCancelled { await Task.yield() }
            try await clock.sleep(for: .seconds(1))
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("Waiting for a sleeper ends with the waiter's cancellation")
    func waiter() async {
        let waits = [
            Task { [clock] in await clock.sleepers([.seconds(1)]) }, Task { [clock] in await clock.advance(through: .seconds(2)) },
            Task { [clock] in _ = await clock.runToNext() },
        ]
        for wait in waits { wait.cancel() }
        for wait in waits { await wait.value }
        #expect(clock.elapsed == .zero)
    }

    @Test("A thousand sleepers of many tasks all wake")
    func many() async {
        await withTaskGroup(of: Bool.self) { group in
            for index in 0..<1000 {
                group.addTask { [clock] in (try? await clock.sleep(for: .milliseconds(index % 10 + 1))) != nil }
            }
            while clock.waits.count < 1000 { await Task.yield() }
            clock.advance(by: .milliseconds(10))
            for await isWoken in group { #expect(isWoken) }
        }
    }
}
