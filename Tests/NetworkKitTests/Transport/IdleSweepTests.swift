import Testing

@testable import NetworkKit

@Suite("When idle connections are looked for")
struct IdleSweepTests {
    @Test("Not while none was used; in the second after the lifetime; when the last one used is too old, and once more; then no more")
    func times() {
        var sweep = IdleSweep(lifetime: .seconds(60))
        var found: [Duration?] = [sweep.due]
        sweep.connectionUsed(at: .seconds(1000))
        sweep.connectionUsed(at: .seconds(1040))
        var isDue: [Bool] = []
        for time in [1060, 1061, 1062, 1101, 1103, 2000] {
            found.append(sweep.due)
            isDue.append(sweep.isDue(at: .seconds(time)))
        }
        #expect(isDue == [false, true, false, true, true, false])
        let last = Duration.seconds(1101) + IdleSweep.interval
        #expect(found == [nil, .seconds(1061), .seconds(1061), .seconds(1101), .seconds(1101), last, nil])
    }

    @Test("Two looks are never so near to each other that the second is passed over")
    func distance() {
        var sweep = IdleSweep(lifetime: .seconds(1))
        sweep.connectionUsed(at: .zero)
        sweep.connectionUsed(at: .milliseconds(5))
        let isDue = sweep.isDue(at: .seconds(2))
        #expect(isDue)
        #expect(sweep.due == .seconds(2) + IdleSweep.interval)
    }

    @Test("A lifetime below nothing is none")
    func negative() {
        var sweep = IdleSweep(lifetime: .seconds(-5))
        sweep.connectionUsed(at: .zero)
        #expect(sweep.due == .seconds(1))
    }

    @Test("The longest lifetime there is, is one that libcurl can count")
    func longest() {
        var sweep = IdleSweep(lifetime: .seconds(Int64.max))
        sweep.connectionUsed(at: .zero)
        #expect(sweep.due == .seconds(Int32.max))
        #expect(IdleSweep.seconds(.seconds(Int64.max)) == Int(Int32.max) - 1)
    }
}
