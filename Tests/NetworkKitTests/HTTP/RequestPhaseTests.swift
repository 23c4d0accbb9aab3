import Testing

@testable import NetworkKit

@Suite("Phases and their picture")
struct RequestPhaseTests {
    private func metrics(_ change: (inout RequestMetrics) -> Void) -> RequestMetrics {
        var metrics = RequestMetrics()
        change(&metrics)
        return metrics
    }

    private var whole: RequestMetrics {
        metrics {
            $0.queue = .milliseconds(10)
            $0.nameLookup = .milliseconds(1)
            $0.connect = .milliseconds(3)
            $0.tls = .milliseconds(6)
            $0.requestSent = .milliseconds(7)
            $0.firstByte = .milliseconds(20)
            $0.total = .milliseconds(25)
            $0.decode = .milliseconds(2)
        }
    }

    @Test("Each phase begins where the one before it ended")
    func phases() {
        #expect(whole.phases.map(\.phase) == [.queue, .lookup, .connect, .tls, .send, .wait, .receive, .decode])
        #expect(whole.phases.map { Int($0.start.milliseconds) } == [0, 10, 11, 13, 16, 17, 30, 35])
        #expect(whole.phases.last?.end == .milliseconds(37))
        #expect(RequestMetrics().phases.isEmpty)
    }

    @Test("A kept connection has none of its own; an answer may come before the request is out")
    func kept() {
        let metrics = metrics {
            $0.isConnectionReused = true
            $0.connect = .microseconds(10)
            $0.requestSent = .milliseconds(9)
            $0.firstByte = .milliseconds(5)
            $0.total = .milliseconds(10)
        }
        #expect(metrics.phases.map(\.phase) == [.send, .wait, .receive])
        #expect(metrics.phases.map { Int($0.end.milliseconds) } == [5, 5, 10])
    }

    @Test("What failed did so in its last phase")
    func failed() {
        #expect(metrics { $0.total = .milliseconds(5) }.phases.map(\.phase) == [.lookup])
        let refused = metrics {
            $0.nameLookup = .milliseconds(1)
            $0.total = .milliseconds(5)
        }
        #expect(refused.phases.map(\.phase) == [.lookup, .connect])
    }

    @Test("The picture has a line a phase, all as wide as was asked for, and at least one cell each")
    func waterfall() {
        let lines = whole.waterfall(width: 60).split(separator: "\n")
        #expect(lines.count == 8 && Set(lines.map(\.count)) == [60])
        #expect(lines.allSatisfy { $0.contains("█") })
        #expect(lines[0].hasPrefix("queue   ██████████") && lines[0].hasSuffix(" 10.0 ms"))
        #expect(RequestMetrics().waterfall() == "")
        #expect(whole.waterfall(width: 1).split(separator: "\n").first?.count == 40)
        let nothing = metrics {
            $0.isConnectionReused = true
            $0.firstByte = .zero
            $0.total = .zero
        }
        #expect(nothing.waterfall(width: 40).hasPrefix("wait █"))
    }

    @Test(
        "Times are written as a person reads them",
        arguments: [
            (Duration.zero, "0.0 ms"), (.microseconds(449), "0.4 ms"), (.microseconds(999_949), "999.9 ms"), (.seconds(1), "1.00 s"),
            (.milliseconds(1236), "1.24 s"), (.milliseconds(75_040), "75.0 s"), (.seconds(-1), "0.0 ms"),
            (.seconds(1) * 1_000_000, "1000000.0 s"),
        ])
    func times(duration: Duration, text: String) { #expect(duration.shortText == text) }
}
