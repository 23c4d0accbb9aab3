#if URLSession
import Testing

@testable import NetworkKit

@Suite("URLSessionTransport: who has a place")
struct URLSessionPlacesTests {
    private let a: Origin
    private let b: Origin

    init() throws {
        a = try #require(Origin(url("https://a.test")))
        b = try #require(Origin(url("https://b.test")))
    }

    /// Asks for places, one after the other, under numbers that are also their names.
    private func enter(_ ids: ClosedRange<UInt64>, to origin: Origin, _ places: inout URLSessionPlaces<String>) -> [Bool] {
        ids.map { places.enter($0, to: origin, "\($0)") }
    }

    /// Gives places back, one after the other; each time who is let in.
    private func leave(_ ids: [UInt64], _ places: inout URLSessionPlaces<String>) -> [[String]] { ids.map { places.leave($0) } }

    @Test("A place that is given back goes to who has waited longest, once; another origin's is no matter")
    func order() {
        var places = URLSessionPlaces<String>(connectionsPerHost: 1)
        let first = enter(1...3, to: a, &places)
        let other = enter(4...4, to: b, &places)
        #expect(first == [true, false, false] && other == [true])
        // The second time it was given back already.
        let admitted = leave([1, 1, 2, 3], &places)
        #expect(admitted == [["2"], [], ["3"], []])
        let later = enter(5...5, to: a, &places)
        #expect(later == [true])
    }

    @Test("Who leaves the queue gets no place, and takes none away")
    func leaving() {
        var places = URLSessionPlaces<String>(connectionsPerHost: 1)
        let first = enter(1...3, to: a, &places)
        #expect(first == [true, false, false])
        let admitted = leave([2, 1, 7], &places)
        #expect(admitted == [[], ["3"], []])
    }

    @Test("Connections that carry many requests let in those that wait, up to what one connection carries")
    func multiplexed() {
        var places = URLSessionPlaces<String>(connectionsPerHost: 1)
        let first = enter(0...199, to: a, &places)
        #expect(first.filter { $0 }.count == 1)
        let admitted = places.markMultiplexed(a)
        #expect(admitted == (1..<100).map { "\($0)" })
        let next = leave([5], &places)
        #expect(next == [["100"]])
    }
}
#endif
