import PlatformBase
import Testing

@testable import NetworkKit

@Suite("File work")
struct FileWorkTests {
    @Test("Where the system gives no thread, work is done at once by whoever adds it")
    func inPlace() {
        let asked = Recorder<Void>()
        let queue = BlockingQueue(threads: 2) { _ in
            asked.add(())
            return false
        }
        let done = Recorder<Int>()
        for number in 0..<5 {
            queue.add { done.add(number) }
            #expect(done.values == Array(0...number))
        }
        // Asked for each time: there may be one by now.
        #expect(asked.values.count == 5)
    }

    @Test("Work that adds work, over and over, doesn't run within itself without end where there is no thread")
    func chain() {
        let queue = BlockingQueue(threads: 2) { _ in false }
        let count = Lock(0)
        @Sendable func work() {
            if count.withLock({
                $0 += 1
                return $0 < 30_000
            }) {
                queue.add(work)
            }
        }
        queue.add(work)
        #expect(count.withLock { $0 } == 30_000)
    }

    @Test("Work goes to threads as soon as there are some", .timeLimit(.minutes(1)))
    func later() async {
        let hasThreads = OnceFlag()
        let queue = BlockingQueue(threads: 2) { hasThreads.isSet && Thread.start($0) }
        let done = Recorder<Int>()
        queue.add { done.add(0) }
        #expect(done.values == [0])
        #expect(hasThreads.set())
        for number in 1...100 { await withCheckedContinuation { waiter in queue.add { waiter.resume(returning: done.add(number)) } } }
        #expect(done.values == Array(0...100))
    }
}
