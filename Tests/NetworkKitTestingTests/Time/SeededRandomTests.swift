import NetworkKitTesting
import Testing

@Suite("SeededRandom")
struct SeededRandomTests {
    @Test("The numbers of a seed are those that its algorithm is published with")
    func published() {
        let random = SeededRandom(seed: 1_234_567)
        #expect((0..<3).map { _ in random.next() } == [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423])
        #expect("\(random)" == "SeededRandom(seed: 1234567)")
    }

    @Test("Copies share one sequence, also between tasks")
    func shared() async {
        let expected = SeededRandom(seed: 7)
        let numbers = Set((0..<100).map { _ in expected.next() })
        let random = SeededRandom(seed: 7)
        let drawn = await withTaskGroup(of: UInt64.self) { group in
            for _ in 0..<100 { group.addTask { random.next() } }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(drawn == numbers)
    }

    @Test("It draws from ranges as any source does")
    func ranges() {
        var random = SeededRandom(seed: 0)
        let values = (0..<100).map { _ in Double.random(in: 0...1, using: &random) }
        var again = SeededRandom(seed: 0)
        #expect(values == (0..<100).map { _ in Double.random(in: 0...1, using: &again) })
        #expect(Set(values).count == 100)
    }
}
