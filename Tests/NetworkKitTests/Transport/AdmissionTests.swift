import Foundation
import Testing

@testable import NetworkKit

@Suite("Who may connect and who waits")
struct AdmissionTests {
    private let a: Origin
    private let b: Origin
    private let c: Origin

    init() throws {
        a = try #require(Origin(url("https://a.test")))
        b = try #require(Origin(url("https://b.test")))
        c = try #require(Origin(url("http://a.test")))
    }

    @Test("Within an origin, first come is first served")
    func order() {
        var admission = Admission<Int>(perOrigin: 2, total: 10)
        #expect((1...5).map { admission.admit($0, to: a) } == [true, true, false, false, false])
        #expect(admission.release(a) == [3])
        #expect(admission.release(a) == [4])
        #expect(admission.admit(6, to: a) == false)
        #expect(admission.release(a) == [5] && admission.release(a) == [6])
        #expect(admission.release(a).isEmpty && admission.release(a).isEmpty)
        #expect(admission.admit(7, to: a) && admission.admit(8, to: a) && !admission.admit(9, to: a))
    }

    @Test("An origin that is full holds up no other")
    func origins() {
        var admission = Admission<Int>(perOrigin: 1, total: 10)
        #expect(admission.admit(1, to: a) && !admission.admit(2, to: a))
        #expect(admission.admit(3, to: b) && admission.admit(4, to: c))
    }

    @Test("Of all origins the one whose request has waited longest gets the free place")
    func fairness() {
        var admission = Admission<Int>(perOrigin: 2, total: 2)
        #expect(admission.admit(1, to: a) && admission.admit(2, to: a))
        for (id, origin) in [(3, b), (4, a), (5, c), (6, b)] { #expect(admission.admit(id, to: origin) == false) }
        #expect(admission.release(a) == [3])
        #expect(admission.release(b) == [4])
        #expect(admission.release(a) == [5])
        #expect(admission.release(c) == [6])
    }

    @Test("One who waits for a full origin is passed by, not waited for")
    func passing() {
        var admission = Admission<Int>(perOrigin: 1, total: 2)
        #expect(admission.admit(1, to: a) && admission.admit(2, to: b))
        #expect(!admission.admit(3, to: a) && !admission.admit(4, to: c))
        #expect(admission.release(b) == [4], "3 came first, but its origin has no room")
        #expect(admission.release(a) == [3])
    }

    @Test("Who has left the queue is passed over")
    func leaving() {
        var admission = Admission<Int>(perOrigin: 1, total: 1)
        #expect(admission.admit(1, to: a) == true)
        for (id, origin) in [(2, a), (3, b), (4, b), (5, a)] { #expect(admission.admit(id, to: origin) == false) }
        admission.leave(2)
        admission.leave(3)
        #expect(admission.release(a) == [4])
        admission.leave(5)
        #expect(admission.release(b).isEmpty)
        #expect(admission.admit(6, to: a) == true, "a queue of those who have left is no queue")
    }

    @Test("Those who leave a lane that has no room don't stay in it, and hold up nobody behind them")
    func leavingFullLane() {
        var admission = Admission<Int>(perOrigin: 1, total: 10)
        #expect(admission.admit(0, to: a) == true)
        for id in 1...10_000 {
            #expect(admission.admit(id, to: a) == false)
            if id % 1000 != 0 { admission.leave(id) }
        }
        #expect(admission.queued < 200)
        var admitted: [Int] = []
        for _ in 1...10 { admitted += admission.release(a) }
        #expect(admitted == (1...10).map { $0 * 1000 })
    }

    @Test("Origins that nobody asks any more are forgotten, whatever their connections carried")
    func forgotten() throws {
        var admission = Admission<Int>(perOrigin: 1, total: 10)
        for id in 0..<2000 {
            let origin = try #require(Origin(url("https://h\(id).test")))
            #expect(admission.admit(id, to: origin) == true)
            _ = admission.markMultiplexed(origin)
            _ = admission.release(origin)
        }
        #expect(admission.knownOrigins <= 256)
    }

    @Test("Limits hold, whatever happens in whatever order")
    func limits() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<8 {
            var admission = Admission<Int>(perOrigin: 3, total: 5)
            var active: [Int: Origin] = [:]
            var waiting: [Int: Origin] = [:]
            func enter(_ ids: [Int]) {
                for id in ids {
                    #expect(waiting[id] != nil, "only who waits is let in")
                    active[id] = waiting.removeValue(forKey: id)
                }
            }
            for id in 0..<400 {
                switch Int.random(in: 0..<5, using: &random) {
                case 0...2:
                    let origin = [a, b, c][id % 3]
                    if admission.admit(id, to: origin) { active[id] = origin } else { waiting[id] = origin }
                case 3:
                    guard let (left, origin) = active.randomElement(using: &random) else { continue }
                    active[left] = nil
                    enter(admission.release(origin))
                default:
                    guard let (left, _) = waiting.randomElement(using: &random) else { continue }
                    waiting[left] = nil
                    admission.leave(left)
                }
                #expect(active.count <= 5)
                for origin in [a, b, c] { #expect(active.values.count { $0 == origin } <= 3) }
                let roomFor = Set(waiting.values).filter { origin in active.values.count { $0 == origin } < 3 }
                #expect(active.count == 5 || roomFor.isEmpty, "nobody waits where there is room")
            }
            while let (left, origin) = active.first {
                active[left] = nil
                enter(admission.release(origin))
            }
            #expect(waiting.isEmpty, "everybody's turn comes")
        }
    }

    @Test("A multiplexed connection carries a hundred requests in one place")
    func multiplexed() {
        var admission = Admission<Int>(perOrigin: 1, total: 2)
        #expect(admission.admit(0, to: a) == true)
        for id in 1...150 { #expect(admission.admit(id, to: a) == false) }
        #expect(admission.markMultiplexed(a) == Array(1...99))
        #expect(admission.markMultiplexed(a).isEmpty)
        #expect(admission.admit(1000, to: b) == true, "the streams are one connection")
        #expect(admission.admit(1001, to: c) == false)
        #expect(admission.release(a) == [100])
        #expect(admission.release(b) == [1001])
    }
}
