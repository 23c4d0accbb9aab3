import PlatformBase
import Testing

@testable import NetworkKit

@Suite("Outlets")
struct OutletTests {
    @Test("Flushing waits for what was handed on before, and not for what comes meanwhile")
    func steady() async {
        let taken = Recorder<Int>()
        let holder = Lock<Outlet<Int>?>(nil)
        // Each value that is taken brings another: the outlet is never at rest.
        let outlet = Outlet<Int> { value in
            taken.add(value)
            holder.withLock { $0 }?.send(value + 1)
        }
        holder.withLock { $0 = outlet }
        for value in [-30, -20, -10] { outlet.send(value) }
        for _ in 0..<3 {
            let before = taken.values.count
            await outlet.flush()
            #expect(Set([-30, -20, -10]).isSubset(of: taken.values) && taken.values.count >= before)
        }
        holder.withLock { $0 = nil }
        await outlet.flush()
    }

    @Test("Flushing an outlet that has nothing to do is over at once, and one that is busy when all has been taken")
    func all() async {
        let taken = Recorder<Int>()
        let outlet = Outlet<Int> { taken.add($0) }
        await outlet.flush()
        for round in 1...20 {
            for value in 0..<100 { outlet.send(value) }
            await outlet.flush()
            #expect(taken.values.count == round * 100)
        }
    }

    @Test(
        "Where the system gives no thread, values are let go of and counted, and nobody waits; the next value asks again",
        .timeLimit(.minutes(1)))
    func withoutThread() async {
        let hasThreads = OnceFlag()
        let taken = Recorder<Int>()
        let outlet = Outlet<Int>(start: { hasThreads.isSet && Thread.start($0) }) { taken.add($0) }
        for number in 0..<3 { outlet.send(number) }
        await outlet.flush()
        outlet.drain()
        #expect(outlet.lost == 3 && taken.values.isEmpty)
        #expect(hasThreads.set())
        outlet.send(3)
        await outlet.flush()
        #expect(outlet.lost == 3 && taken.values == [3])
    }
}
