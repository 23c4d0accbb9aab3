import NetworkKitTesting
import Testing

@testable import NetworkKit

@Suite("Randomness that many draw from")
struct RandomSourceTests {
    @Test("Numbers lie from 0 up to 1, and follow from the seed")
    func unit() {
        let (one, same) = (RandomSource(SeededRandom(seed: 1)), RandomSource(SeededRandom(seed: 1)))
        for _ in 0..<1000 {
            let number = one.unit()
            #expect((0..<1).contains(number) && number == same.unit())
        }
    }

    @Test("Of a number its upper 53 bits count: as many as there can be, and never 1")
    func unitOfNumber() {
        #expect(RandomSource.unit(0) == 0 && RandomSource.unit(1 << 63) == 0.5 && RandomSource.unit(1 << 11) == 0x1p-53)
        #expect(RandomSource.unit(.max) == 1 - 0x1p-53)
    }

    @Test("A UUID has its form and its version, whatever is drawn", arguments: [0, .max, 0x0123_4567_89AB_CDEF] as [UInt64])
    func uuid(number: UInt64) {
        struct Constant: RandomNumberGenerator, Sendable {
            let number: UInt64
            func next() -> UInt64 { number }
        }
        let text = RandomSource(Constant(number: number)).uuid()
        #expect(text.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
    }
}
