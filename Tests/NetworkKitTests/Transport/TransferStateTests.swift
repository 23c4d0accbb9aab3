import Foundation
import Testing

@testable import NetworkKit

@Suite("One transfer, in every order of events")
struct TransferStateTests {
    private typealias State = TransferState<String, String>

    private let head = ReceivedHead(head: ResponseHead(status: 200, url: url("https://h.test")), length: nil, metrics: RequestMetrics())

    private func bytes(_ text: String) -> Data { Data(text.utf8) }
    private func bytes(_ count: Int) -> Data { Data(count: count) }

    /// What a reading or a wake-up says: text, "end", a kind of error, or "nothing".
    private func words(_ result: Result<Data?, RequestError>?) -> String {
        switch result {
        case .success(let data?): String(decoding: data, as: UTF8.self)
        case .success(nil): "end"
        case .failure(let error): error.caseName
        case nil: "nothing"
        }
    }

    private func words(_ reading: State.Reading?) -> String {
        if case .ready(let result, _) = reading { words(result) } else { "nothing" }
    }

    private func words(_ result: Result<ReceivedHead, RequestError>?) -> String {
        switch result {
        case .success(let head): "\(head.head.status.code)"
        case .failure(let error): error.caseName
        case nil: "nothing"
        }
    }

    private func finish(
        _ state: inout State, _ result: Result<Void, RequestError> = .success(()), last: String = "", head: ReceivedHead? = nil
    ) -> State.Wakeups {
        state.finish(result, head: head, last: bytes(last), metrics: RequestMetrics(), trailers: ["T": "1"])
    }

    // MARK: The head

    @Test("Who waits for the head is told when it comes, and who comes later at once")
    func headWaiter() {
        var state = State(gathering: nil)
        #expect(state.waitForHead("h") == nil)
        let wakeups = state.receive(head: head)
        #expect(wakeups.head?.waiter == "h" && words(wakeups.head?.result) == "200" && wakeups.body == nil)
        #expect(words(state.waitForHead("late")) == "200")
        #expect(finish(&state).head == nil, "nobody is told twice")
    }

    @Test("A caller who wants a value hears of the head with the body", arguments: [true, false])
    func valueAtOnce(waitsFirst: Bool) {
        var state = State(gathering: 100)
        if waitsFirst { #expect(state.waitForHead("h") == nil) }
        let wakeups = finish(&state, last: "abc", head: head)
        #expect(words(waitsFirst ? wakeups.head?.result : state.waitForHead("h")) == "200")
        #expect(words(state.gather(upTo: 100)) == "abc")
    }

    @Test("A caller who wants a value has no use for a head whose body broke off")
    func valueBroken() {
        var state = State(gathering: 100)
        _ = state.waitForHead("h")
        #expect(words(finish(&state, .failure(.connection()), last: "ab", head: head).head?.result) == "connection")
        #expect(words(state.waitForHead("late")) == "connection")
    }

    @Test("A stream's head stands although its body broke off")
    func streamBroken() {
        var state = State(gathering: nil)
        _ = state.waitForHead("h")
        #expect(words(finish(&state, .failure(.connection()), last: "ab", head: head).head?.result) == "200")
        #expect(words(state.read()) == "ab")
        #expect(words(state.read()) == "connection")
        #expect(words(state.read()) == "connection")
    }

    @Test("An end without a head is an error for whoever waits or comes later", arguments: [nil, 100])
    func noHead(gathering: Int?) {
        var state = State(gathering: gathering)
        _ = state.waitForHead("h")
        #expect(words(finish(&state).head?.result) == "noResponse")
        #expect(words(state.waitForHead("late")) == "noResponse")
        var failed = State(gathering: gathering)
        _ = failed.waitForHead("h")
        #expect(words(failed.fail(.cancelled()).wakeups.head?.result) == "cancelled")
        #expect(words(failed.waitForHead("late")) == "cancelled")
    }

    @Test("The head of a failed status comes alone, also to a caller who wants a value")
    func headAlone() {
        var state = State(gathering: 100)
        _ = state.waitForHead("h")
        #expect(words(state.receive(head: head).head?.result) == "200")
        #expect(state.gathering == nil)
        _ = state.receive(bytes("ab"), isPaused: false)
        #expect(words(state.read()) == "ab")
    }

    // MARK: The body, piece by piece

    @Test("Pieces are read in order, the end behind them and again and again")
    func pieces() {
        var state = State(gathering: nil)
        _ = state.receive(head: head)
        #expect(words(state.read()) == "nothing")
        #expect(state.receive(bytes("a"), isPaused: false).held == 1)
        #expect(state.receive(bytes("bc"), isPaused: false).held == 3)
        #expect(words(state.read()) == "a")
        _ = finish(&state, last: "d")
        #expect(state.trailers["T"] == "1")
        #expect([words(state.read()), words(state.read()), words(state.read()), words(state.read())] == ["bc", "d", "end", "end"])
    }

    @Test("Who waits for bytes gets the next ones, once")
    func waiting() {
        var state = State(gathering: nil)
        _ = state.receive(head: head)
        #expect(state.waitForBody("b") == nil)
        let empty = state.receive(bytes(""), isPaused: false)
        #expect(empty.wakeups.body == nil, "no bytes are no news")
        let first = state.receive(bytes("a"), isPaused: false)
        #expect(first.wakeups.body?.waiter == "b" && words(first.wakeups.body?.result) == "a" && first.held == 0)
        #expect(state.receive(bytes("b"), isPaused: false).wakeups.body == nil)
        #expect(words(state.waitForBody("b")) == "b")
    }

    @Test("Who waits is told of the end, of the last bytes before it, and of a failure")
    func waitingForEnd() {
        func waiting() -> State {
            var state = State(gathering: nil)
            _ = state.receive(head: head)
            _ = state.waitForBody("b")
            return state
        }
        var state = waiting()
        #expect(words(finish(&state).body?.result) == "end")
        state = waiting()
        #expect(words(finish(&state, last: "z").body?.result) == "z")
        #expect(words(state.waitForBody("b")) == "end")
        state = waiting()
        #expect(words(finish(&state, .failure(.connection())).body?.result) == "connection")
        state = waiting()
        #expect(words(state.fail(.timedOut()).wakeups.body?.result) == "timedOut")
    }

    // MARK: The body at once

    @Test("A reader who wants all is woken at the end, with all")
    func gathered() {
        var state = State(gathering: nil)
        _ = state.receive(head: head)
        _ = state.receive(bytes("a"), isPaused: false)
        #expect(words(state.gather(upTo: 10)) == "nothing")
        #expect(state.waitForBody("b") == nil)
        #expect(state.receive(bytes("b"), isPaused: false).wakeups.body == nil)
        #expect(words(finish(&state, last: "c").body?.result) == "abc")
        #expect(words(state.read()) == "end")
    }

    @Test("Gathering nothing is the end, and a broken body is no short one")
    func gatheredEnds() {
        var state = State(gathering: 10)
        _ = finish(&state, head: head)
        #expect(words(state.gather(upTo: 10)) == "end")
        state = State(gathering: nil)
        _ = state.receive(head: head)
        _ = state.receive(bytes("a"), isPaused: false)
        _ = state.gather(upTo: 10)
        _ = state.waitForBody("b")
        #expect(words(finish(&state, .failure(.connection()), last: "b").body?.result) == "connection")
        #expect(words(state.gather(upTo: 10)) == "connection")
    }

    @Test("The loop goes on only when the reader has taken enough")
    func backPressure() {
        var state = State(gathering: nil)
        _ = state.receive(head: head)
        let piece = State.highWater / 4
        for _ in 0..<3 { #expect(!state.receive(bytes(piece), isPaused: false).resumes) }
        #expect(!state.receive(bytes(piece), isPaused: true).resumes)
        var resumes: [Bool] = []
        for _ in 0..<4 {
            guard case .ready(_, let goesOn) = state.read() else { break }
            resumes.append(goesOn)
        }
        #expect(resumes == [false, false, true, false], "once, at the low water mark")
    }

    @Test("A pause that came with bytes a reader waits for ends at once")
    func pauseWithReader() {
        var state = State(gathering: nil)
        _ = state.receive(head: head)
        _ = state.waitForBody("b")
        #expect(state.receive(bytes("a"), isPaused: true).resumes)
        #expect(!state.receive(bytes("b"), isPaused: false).resumes)
    }

    @Test("Only the first end counts")
    func firstEnd() {
        var state = State(gathering: nil)
        _ = state.receive(head: head)
        #expect(state.fail(.cancelled()).isFirst)
        #expect(!state.fail(.timedOut()).isFirst)
        #expect(finish(&state, last: "x").body == nil)
        #expect(state.receive(bytes("a"), isPaused: true).held == 0 && state.receive(head: head).head == nil)
        #expect(words(state.read()) == "cancelled" && words(state.gather(upTo: 1)) == "cancelled")
        var done = State(gathering: nil)
        _ = done.receive(head: head)
        _ = finish(&done, last: "x")
        #expect(!done.fail(.cancelled()).isFirst && words(done.read()) == "x")
    }

    @Test("A failure from outside drops what is held")
    func failureDrops() {
        var state = State(gathering: nil)
        _ = state.receive(head: head)
        _ = state.receive(bytes("a"), isPaused: false)
        _ = state.fail(.timedOut())
        #expect(words(state.read()) == "timedOut")
    }

    @Test("A body that was discarded early is no short success", arguments: [true, false])
    func discarded(endsFirst: Bool) {
        var state = State(gathering: nil)
        _ = state.receive(head: head)
        _ = state.receive(bytes("a"), isPaused: false)
        if endsFirst { _ = finish(&state) }
        _ = state.dropBuffered()
        if !endsFirst { _ = finish(&state) }
        #expect(words(state.read()) == "stream" && words(state.gather(upTo: 9)) == "stream")
    }

    @Test("Letting go of a body that was read whole changes nothing")
    func letGo() {
        var state = State(gathering: nil)
        _ = state.receive(head: head)
        _ = finish(&state, last: "a")
        _ = state.read()
        _ = state.dropBuffered()
        #expect(words(state.read()) == "end")
    }

    @Test("A reader who waits while the body is let go of is told at once")
    func letGoWhileReading() {
        var state = State(gathering: nil)
        _ = state.receive(head: head)
        _ = state.receive(head: head)
        #expect(state.waitForBody("b") == nil)
        let wakeups = state.dropBuffered()
        #expect(wakeups.body?.waiter == "b" && words(wakeups.body?.result) == "stream")
        #expect(finish(&state).body == nil, "nobody is told twice")
    }
}
