import NetworkKitTesting
import Testing

@testable import NetworkKit

@Suite("The wait before another attempt")
struct BackoffTests {
    @Test(
        "It grows by the factor up to the cap, and chance takes a part of it",
        arguments: [
            (1, 1, 500), (2, 1, 1000), (3, 1, 2000), (6, 1, 16_000), (7, 1, 20_000), (1000, 1, 20_000), (.max, 1, 20_000),
            (1, 0, 0), (1, 0.5, 250), (3, 0.25, 500), (0, 1, 500), (-5, 1, 500), (1, 2, 500), (1, -1, 0), (3, .nan, 2000),
        ] as [(Int, Double, Int)])
    func table(attempt: Int, random: Double, milliseconds: Int) {
        #expect(Backoff.standard.wait(after: attempt, random: random) == .milliseconds(milliseconds))
    }

    @Test(
        "Numbers that make no sense give a wait between none and the cap",
        arguments: [
            Backoff(base: .seconds(-1)), Backoff(factor: -2), Backoff(factor: .nan), Backoff(factor: .infinity), Backoff(cap: .seconds(-1)),
            Backoff(base: .seconds(Int64.max), factor: 1e300), Backoff(factor: 0), Backoff(base: .zero),
        ])
    func nonsense(backoff: Backoff) {
        for attempt in [1, 2, 10, 100] {
            for random in [0, 0.5, 1] {
                let wait = backoff.wait(after: attempt, random: random)
                #expect(wait >= .zero && wait <= max(backoff.cap, .zero))
            }
        }
    }

    @Test("Full jitter spreads waits over all of it; without jitter they are the same")
    func jitter() {
        let random = RandomSource(SeededRandom(seed: 5))
        let waits = (0..<1000).map { _ in Backoff.standard.wait(after: 2, random: random.unit()) }
        #expect(waits.allSatisfy { $0 >= .zero && $0 < .seconds(1) })
        for part in 0..<10 {
            let range = Duration.milliseconds(part * 100)..<Duration.milliseconds(part * 100 + 100)
            #expect((60...140).contains(waits.count { range.contains($0) }))
        }
        #expect(Backoff.constant(.seconds(3)).wait(after: 9, random: 0) == .seconds(3))
    }
}
