import Testing

@testable import NetworkKit

@Suite("The attempts of a call")
struct AttemptListTests {
    private func told(_ list: AttemptList, dropping number: Int = 0) -> [RequestAttempt] {
        list.attempts(dropping: number, since: .seconds(10), now: .seconds(20), ending: "unfinished")
    }

    @Test("Each has its own beginning and end, also where they overlap")
    func overlapping() {
        var list = AttemptList()
        #expect(told(list).isEmpty && list.count == 0)
        let first = list.begin(at: .seconds(11))
        let second = list.begin(at: .seconds(13))
        let third = list.begin(at: .seconds(14))
        list.end(second, at: .seconds(15), status: 200, failure: nil)
        list.end(first, at: .seconds(16), status: nil, failure: "cancelled")
        #expect([first, second, third] == [0, 1, 2] && list.count == 3)
        #expect(
            told(list) == [
                RequestAttempt(startedAfter: .seconds(1), duration: .seconds(5), status: nil, outcome: "cancelled"),
                RequestAttempt(startedAfter: .seconds(3), duration: .seconds(2), status: 200, outcome: "200 OK"),
                RequestAttempt(startedAfter: .seconds(4), duration: .seconds(6), status: nil, outcome: "unfinished"),
            ])
        #expect(told(list, dropping: 2).map(\.outcome) == ["unfinished"])
    }

    @Test("An answer whose body breaks off has failed, and keeps its status")
    func bodyThatBreaksOff() {
        var list = AttemptList()
        let place = list.begin(at: .seconds(10))
        list.end(place, at: .seconds(11), status: 200, failure: nil)
        list.end(place, at: .seconds(12), status: nil, failure: "connection")
        #expect(told(list) == [RequestAttempt(startedAfter: .zero, duration: .seconds(2), status: 200, outcome: "connection")])
    }

    @Test("An attempt that isn't there doesn't end")
    func nowhere() {
        var list = AttemptList()
        list.end(0, at: .zero, status: 200, failure: nil)
        list.end(7, at: .zero, status: 200, failure: nil)
        list.end(-1, at: .zero, status: 200, failure: nil)
        #expect(list.count == 0)
    }
}
