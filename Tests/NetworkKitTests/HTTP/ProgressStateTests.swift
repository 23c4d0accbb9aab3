import NetworkKitTesting
import PlatformBase
import Testing

@testable import NetworkKit

@Suite("How far bodies have come")
struct ProgressStateTests {
    private static let upload = HTTPRequest(url: url("https://api.example.com"), method: .put, body: .data(Data(count: 100)))
    private static let plain = HTTPRequest(url: url("https://api.example.com"))
    private static let unknown = HTTPRequest(
        url: url("https://api.example.com"), method: .put, body: .stream(contentType: nil) { AsyncStream<Data> { $0.finish() } })

    /// What the transport said, and the counts after it as `up/of down/of`.
    private static let table: [(story: String, events: [TransportEvent], counts: String)] = [
        ("an upload and its answer", [.sending(upload), .sent(40), .sent(100), .head(200), .expecting(7), .received(7)], "100/100 7/7"),
        ("nothing to send", [.sending(plain)], "0/0 0/?"),
        ("a length that nobody knows", [.sending(unknown), .sent(40), .head(200), .received(9)], "40/? 9/?"),
        ("a sending that catches up", [.sending(upload), .sent(70), .failed(.cancelled), .sending(upload), .sent(30)], "70/100 0/?"),
        ("one that overtakes", [.sending(upload), .sent(70), .sending(upload), .sent(30), .sent(80)], "80/100 0/?"),
        ("a redirect without a body", [.sending(upload), .sent(100), .head(303), .received(5), .sending(plain)], "100/100 0/?"),
        ("a redirect's own body", [.sending(plain), .head(302), .expecting(5), .received(5), .sending(plain), .head(200)], "0/0 0/?"),
        ("a refusal's body", [.sending(plain), .head(503), .expecting(50), .received(50)], "0/0 0/?"),
        (
            "an answer that broke off and comes anew",
            [.sending(plain), .head(200), .expecting(90), .received(60), .sending(plain), .head(200), .expecting(90), .received(10)],
            "0/0 60/90"
        ),
        (
            "one that is shorter the second time",
            [.sending(plain), .head(200), .expecting(90), .received(60), .sending(plain), .head(200), .expecting(30), .received(30)],
            "0/0 60/?"
        ),
        ("more than was promised", [.sending(plain), .head(200), .expecting(5), .received(6)], "0/0 6/?"),
        ("bytes without a head", [.sending(plain), .received(6)], "0/0 0/?"),
    ]

    private static func text(_ progress: TransferProgress) -> String {
        "\(progress.completed)/\(progress.total.map { String($0) } ?? "?")"
    }

    @Test("Counts go up, and never past the total", arguments: table.map(\.story))
    func counts(_ story: String) throws {
        let row = try #require(Self.table.first { $0.story == story })
        var state = ProgressState()
        var last = (Int64(0), Int64(0))
        for event in row.events {
            _ = state.take(event)
            #expect(state.upload.completed >= last.0 && state.download.completed >= last.1)
            for progress in [state.upload, state.download] { #expect(progress.completed <= progress.total ?? .max) }
            last = (state.upload.completed, state.download.completed)
        }
        #expect("\(Self.text(state.upload)) \(Self.text(state.download))" == row.counts)
    }

    @Test("Whether there is news is whether a count went up")
    func news() {
        var state = ProgressState()
        let news = [
            TransportEvent.sending(Self.upload), .sent(5), .sent(5), .sent(3), .head(200), .expecting(9), .received(4), .received(4),
        ]
        .map { state.take($0) }
        #expect(news == [false, true, false, false, false, false, true, false])
    }

    @Test("At the end everything is known, also of what came from nowhere")
    func end() {
        var state = ProgressState()
        state.succeed(length: 12)
        #expect(state.download == TransferProgress(completed: 12, total: 12))
        var coded = ProgressState()
        for event in [TransportEvent.sending(Self.plain), .head(200), .received(5)] { _ = coded.take(event) }
        coded.succeed(length: 12)
        #expect(coded.download == TransferProgress(completed: 5, total: 5))
    }

    @Test("A fraction is from 0 to 1, and nothing where nobody knows")
    func fractions() {
        #expect(TransferProgress(completed: 1, total: 4).fraction == 0.25)
        #expect(TransferProgress(completed: 0, total: 0).fraction == 1)
        #expect(TransferProgress(completed: 9, total: nil).fraction == nil)
        #expect(TransferProgress(completed: 9, total: 4).total == nil)
        #expect(TransferProgress(completed: -1, total: .max).fraction == 0)
    }

    @Test("So many updates pass in a second")
    func throttle() {
        var throttle = UpdateThrottle(updatesPerSecond: 10)
        let passed = (0..<1000).filter { throttle.isDue(at: .milliseconds(1000 + $0)) }
        #expect(passed == [0, 100, 200, 300, 400, 500, 600, 700, 800, 900])
        var none = UpdateThrottle(updatesPerSecond: 0)
        #expect(none.isDue(at: .zero) && !none.isDue(at: .milliseconds(999)) && none.isDue(at: .seconds(1)))
    }
}
