import NetworkKitTesting
import Testing

@testable import NetworkKit

@Suite("A rate as a bucket")
struct TokenBucketTests {
    @Test(
        "A full bucket gives its burst at once, and then one an interval",
        arguments: [
            (
                requests: 4, burst: 4, at: [0, 0, 0, 0, 0, 249, 250, 499, 500],
                takes: [true, true, true, true, false, false, true, false, true]
            ),
            (requests: 4, burst: 1, at: [0, 0, 250, 250, 10_000, 10_000], takes: [true, false, true, false, true, false]),
            (requests: 4, burst: 2, at: [0, 0, 0, 10_000, 10_000, 10_000], takes: [true, true, false, true, true, false]),
        ])
    func table(row: (requests: Int, burst: Int, at: [Int], takes: [Bool])) {
        var bucket = TokenBucket(row.requests, per: .seconds(1), burst: row.burst)
        #expect(row.at.map { bucket.take(at: .milliseconds($0)) } == row.takes)
    }

    @Test("It says how long it is until a token is there, and when it is full")
    func waits() {
        var bucket = TokenBucket(2, per: .seconds(1), burst: 2)
        #expect(bucket.wait(at: .zero) == .zero && bucket.isFull(at: .zero))
        #expect(bucket.take(at: .zero) && bucket.take(at: .zero))
        #expect(bucket.wait(at: .milliseconds(100)) == .milliseconds(400))
        #expect(!bucket.isFull(at: .milliseconds(999)) && bucket.isFull(at: .seconds(1)))
        bucket.giveBack()
        #expect(bucket.wait(at: .milliseconds(100)) == .zero)
    }

    @Test("A clock that jumps back costs one filling at most")
    func jumpBack() {
        var bucket = TokenBucket(1, per: .seconds(1), burst: 3)
        #expect(bucket.take(at: .seconds(10_000)) == true)
        #expect(bucket.wait(at: .seconds(5)) == .seconds(1) && !bucket.take(at: .seconds(5)))
        #expect(bucket.take(at: .seconds(6)) && !bucket.take(at: .seconds(6)), "it fills from there on")
        #expect(bucket.isFull(at: .seconds(9)))
    }

    @Test(
        "Nonsense is taken for the nearest rate there is",
        arguments: [(0, Duration.seconds(1)), (-5, .seconds(-1)), (.max, .seconds(Int64.max))])
    func nonsense(requests: Int, duration: Duration) {
        var bucket = TokenBucket(requests, per: duration, burst: requests)
        #expect(bucket.take(at: .zero) == true)
        _ = bucket.take(at: .seconds(1_000_000))
        #expect(bucket.wait(at: .zero) >= .zero)
    }

    @Test("Never more than the burst and the rate allow, in any span of time", arguments: [1, 2, 3, 4] as [UInt64])
    func randomSteps(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var bucket = TokenBucket(10, per: .seconds(1), burst: 5)
        var now = 0
        var taken: [Int] = []
        for _ in 0..<5000 {
            now += Int.random(in: 0..<120, using: &random)
            if bucket.take(at: .milliseconds(now)) { taken.append(now) }
        }
        for (index, start) in taken.enumerated() {
            for length in [1, 5, 20] where index + length < taken.count {
                let span = taken[index + length] - start
                #expect(length + 1 <= 5 + span / 100 + 1)
            }
        }
        #expect(taken.count > 4000 * 120 / 2 / 100 * 9 / 10, "nor much less")
    }
}
