import NetworkKitTesting
import Testing

@testable import NetworkKit

@Suite("What counts lately")
struct OutcomeWindowTests {
    @Test("What is older than the window is dropped, a tenth at a time")
    func sliding() {
        var window = OutcomeWindow(.seconds(10))
        for second in 0..<10 { window.add(isFailure: second < 5, at: .seconds(second)) }
        #expect(window.requests == 10 && window.failures == 5)
        window.add(isFailure: false, at: .seconds(12))
        #expect(window.requests == 8 && window.failures == 2, "0, 1 and 2 have gone, 12 has come")
        #expect(!window.isEmpty(at: .seconds(21)) && window.isEmpty(at: .seconds(22)))
        window.add(isFailure: true, at: .seconds(1000))
        #expect(window.requests == 1 && window.failures == 1)
    }

    @Test("A clock that goes back a little counts as now; one that jumps back begins anew")
    func jumpBack() {
        var window = OutcomeWindow(.seconds(10))
        window.add(isFailure: true, at: .seconds(100))
        window.add(isFailure: true, at: .seconds(95))
        #expect(window.requests == 2)
        window.add(isFailure: false, at: .seconds(3))
        #expect(window.requests == 1 && window.failures == 0)
        window.add(isFailure: true, at: .seconds(-5))
        #expect(window.requests == 2)
    }

    @Test("Its sums are those of a plain list", arguments: [1, 2] as [UInt64])
    func randomSteps(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var window = OutcomeWindow(.seconds(10))
        var plain: [(second: Int, isFailure: Bool)] = []
        var second = 0
        for _ in 0..<5000 {
            second += [0, 0, 0, 1, 1, 4, 30].randomElement(using: &random) ?? 0
            let isFailure = Bool.random(using: &random)
            window.add(isFailure: isFailure, at: .seconds(second))
            plain.append((second, isFailure))
            plain.removeAll { $0.second <= second - 10 }
            #expect(window.requests == plain.count && window.failures == plain.count { $0.isFailure })
        }
    }
}
