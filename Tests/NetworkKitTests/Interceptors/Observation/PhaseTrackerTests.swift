import PlatformBase
import Testing

@testable import NetworkKit

@Suite("From reports to pairs")
struct PhaseTrackerTests {
    private let get = HTTPRequest(url: url("https://h.test/"))
    private let post = HTTPRequest(url: url("https://h.test/"), method: .post, body: .data(.init([1, 2])))

    /// What is marked, as `+wait 3` and `-wait 5`, in milliseconds.
    private func marks(_ events: [(Int, TransportEvent)], finish: Int, error: RequestError? = nil) -> [String] {
        var tracker = PhaseTracker()
        var marks: [PhaseTracker.Mark] = []
        for (time, event) in events { tracker.take(event, at: .milliseconds(time)) { marks.append($0) } }
        tracker.finish(error, at: .milliseconds(finish)) { marks.append($0) }
        return marks.map { mark in
            let name =
                switch mark.subject {
                case .call: "call"
                case .attempt: "attempt\(mark.attempt)"
                case .phase(let phase): phase.rawValue
                }
            return "\(mark.edge == .began ? "+" : "-")\(name) \(Int(mark.time.milliseconds))"
        }
    }

    private func metrics(_ lookup: Int?, _ connect: Int?, _ tls: Int?, isReused: Bool = false) -> RequestMetrics {
        var metrics = RequestMetrics()
        metrics.nameLookup = lookup.map { .milliseconds($0) }
        metrics.connect = connect.map { .milliseconds($0) }
        metrics.tls = tls.map { .milliseconds($0) }
        metrics.isConnectionReused = isReused
        return metrics
    }

    private let head = ResponseHead(status: 200, url: url("https://h.test/"))

    @Test("Queue, lookup, connect, TLS, send, wait and receive come in pairs, one behind the other")
    func whole() {
        let marks = marks(
            [
                (0, .sending(post)), (1, .queued), (10, .started), (16, .measured(metrics(1, 3, 6))), (16, .connected(reused: false)),
                (17, .sent(1)), (18, .sent(2)), (30, .head(200)), (40, .received(5)), (50, .ended(metrics(1, 3, 6))), (51, .answered(head)),
            ], finish: 60)
        #expect(
            marks == [
                "+attempt1 0", "+queue 1", "-queue 10", "+lookup 10", "-lookup 11", "+connect 11", "-connect 13", "+tls 13", "-tls 16",
                "+send 16", "-send 18", "+wait 18", "-wait 30", "+receive 30", "-receive 50", "-attempt1 51",
            ])
    }

    @Test("A kept connection has nothing in front of the wait; a redirect is another attempt")
    func kept() {
        let marks = marks(
            [
                (0, .sending(get)), (1, .measured(metrics(0, 0, 0, isReused: true))), (5, .head(302)), (6, .answered(head)),
                (7, .sending(get)), (8, .measured(metrics(0, 0, 0, isReused: true))), (9, .head(200)), (10, .answered(head)),
                (12, .ended(metrics(0, 0, 0, isReused: true))),
            ], finish: 13)
        #expect(
            marks == [
                "+attempt1 0", "+wait 1", "-wait 5", "+receive 5", "-receive 7", "-attempt1 7", "+attempt2 7", "+wait 8", "-wait 9",
                "+receive 9", "-receive 12", "-attempt2 12",
            ])
    }

    @Test("A transport that tells nothing has waited and received")
    func silent() {
        #expect(
            marks([(0, .sending(get)), (7, .answered(head))], finish: 9) == [
                "+attempt1 0", "+wait 0", "-wait 7", "+receive 7", "-receive 9", "-attempt1 9",
            ])
    }

    @Test("What fails ends where it was, at any place")
    func failures() {
        let events: [(Int, TransportEvent)] = [
            (0, .sending(post)), (1, .queued), (2, .started), (4, .measured(metrics(1, 2, nil))), (5, .sent(1)), (6, .sent(2)),
            (7, .head(200)),
        ]
        for count in 1...events.count {
            let marks = marks(events.prefix(count) + [(8, .failed(.timedOut()))], finish: 9, error: .timedOut())
            let open = marks.filter { $0.hasPrefix("+") }.map { $0.dropFirst().split(separator: " ")[0] }
            let closed = marks.filter { $0.hasPrefix("-") }.map { $0.dropFirst().split(separator: " ")[0] }
            #expect(open.sorted() == closed.sorted() && marks.last == "-attempt1 8")
            #expect(open.count == Set(open).count)
        }
        #expect(marks(events, finish: 9).last == "-attempt1 9")
        #expect(marks([], finish: 1) == [])
    }
}
