import NetworkKitTesting
import Testing

@testable import NetworkKit

@Suite("A queue that may be left from the middle")
struct WaitQueueTests {
    @Test("First come, first served; whoever has left is passed over")
    func order() {
        var queue = WaitQueue<String>()
        for (order, element) in ["a", "b", "c", "d"].enumerated() { queue.append(element, order: order) }
        #expect(queue.remove(order: 1) == "b" && queue.remove(order: 1) == nil && queue.remove(order: 9) == nil)
        #expect(queue.remove(order: 0) == "a" && queue.firstOrder == 2)
        #expect(queue.popFirst() == "c" && queue.popFirst() == "d" && queue.popFirst() == nil && queue.isEmpty)
    }

    @Test("It is what a plain list is, over 20,000 random steps", arguments: [1, 2, 3] as [UInt64])
    func randomSteps(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var queue = WaitQueue<Int>()
        var plain: [Int] = []
        for step in 0..<20_000 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                queue.append(step, order: step)
                plain.append(step)
            case 5..<7: #expect(queue.popFirst() == (plain.isEmpty ? nil : plain.removeFirst()))
            default:
                guard let order = plain.randomElement(using: &random) else { continue }
                #expect(queue.remove(order: order) == order)
                plain.removeAll { $0 == order }
            }
            #expect(queue.count == plain.count && queue.firstOrder == plain.first)
        }
    }
}
