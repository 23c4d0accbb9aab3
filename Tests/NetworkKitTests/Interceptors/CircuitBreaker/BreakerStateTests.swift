import NetworkKitTesting
import Testing

@testable import NetworkKit

@Suite("Whether a host may be asked")
struct BreakerStateTests {
    private let policy = CircuitBreakerPolicy(failureRatio: 0.5, minimumRequests: 4, window: .seconds(10), openFor: .seconds(5))

    /// What a request gets: its pass, or how long it is told to wait.
    private func ask(_ state: inout BreakerState, at second: Int) -> (pass: BreakerState.Pass?, retryAfter: Duration?) {
        switch state.admit(policy, now: { .seconds(second) }) {
        case .passes(let pass): (pass, nil)
        case .refused(let refusal): (nil, refusal.retryAfter)
        }
    }

    /// Sends requests with these outcomes: `.` succeeds, `x` fails, `-` says nothing.
    private func run(_ outcomes: String, _ state: inout BreakerState, at second: Int = 0) {
        for outcome in outcomes {
            guard let pass = ask(&state, at: second).pass else { continue }
            state.report(outcome == "." ? .success : outcome == "x" ? .failure : .nothing, of: pass, policy, at: .seconds(second))
        }
    }

    private func opened() -> BreakerState {
        var state = BreakerState(policy)
        run("xxxx", &state)
        return state
    }

    @Test(
        "It opens when enough of enough requests have failed",
        arguments: [
            ("xxx", false), ("xxxx", true), ("..xx", true), ("...xx", false), ("...xxx", true), ("xxx.", false), ("xxx---", false),
            ("----x", false), (".x.x", true), ("xx....x", false),
        ])
    func opening(outcomes: String, isOpen: Bool) {
        var state = BreakerState(policy)
        run(outcomes, &state)
        #expect((ask(&state, at: 0).pass == nil) == isOpen)
    }

    @Test("Failures that are long past don't open it")
    func sliding() {
        var state = BreakerState(policy)
        run("xxx", &state, at: 0)
        run("x", &state, at: 30)
        #expect(ask(&state, at: 30).pass != nil)
    }

    @Test("While open it refuses, and says when it will try again and why")
    func open() {
        var state = opened()
        #expect(state.admit(policy, now: { .seconds(2) }) == .refused(.init(failures: 4, requests: 4, retryAfter: .seconds(3))))
    }

    @Test("Half-open, one request tries and the others are refused; its success closes it, with all forgotten")
    func closing() throws {
        var state = opened()
        let probe = try #require(ask(&state, at: 5).pass)
        #expect(probe.isProbe && ask(&state, at: 5).pass == nil && ask(&state, at: 500).pass == nil)
        state.report(.success, of: probe, policy, at: .seconds(6))
        #expect(ask(&state, at: 6).pass?.isProbe == false)
        run("xxx", &state, at: 6)
        #expect(ask(&state, at: 6).pass != nil, "earlier failures don't count any more")
    }

    @Test("A try that fails opens it for as long again")
    func reopening() throws {
        var state = opened()
        let probe = try #require(ask(&state, at: 7).pass)
        state.report(.failure, of: probe, policy, at: .seconds(8))
        #expect(ask(&state, at: 12).retryAfter == .seconds(1) && ask(&state, at: 13).pass?.isProbe == true)
    }

    @Test("A try that is cancelled frees its place: the next request tries")
    func cancelledProbe() throws {
        var state = opened()
        let probe = try #require(ask(&state, at: 5).pass)
        state.report(.nothing, of: probe, policy, at: .seconds(5))
        #expect(ask(&state, at: 5).pass?.isProbe == true)
    }

    @Test("What was sent before it opened doesn't count afterwards")
    func late() throws {
        var state = BreakerState(policy)
        let old = try #require(ask(&state, at: 0).pass)
        run("xxxx", &state)
        state.report(.success, of: old, policy, at: .seconds(1))
        #expect(ask(&state, at: 1).pass == nil)
        let probe = try #require(ask(&state, at: 5).pass)
        state.report(.success, of: old, policy, at: .seconds(5))
        #expect(ask(&state, at: 5).pass == nil, "the try decides")
        state.report(.success, of: probe, policy, at: .seconds(5))
        state.report(.failure, of: probe, policy, at: .seconds(5))
        run("xxx", &state, at: 5)
        #expect(ask(&state, at: 5).pass != nil, "reported on once")
    }

    @Test("A clock that jumps back doesn't keep it open longer than it may be")
    func jumpBack() {
        var state = BreakerState(policy)
        run("xxxx", &state, at: 1000)
        #expect(ask(&state, at: 0).retryAfter == .seconds(5))
        #expect(ask(&state, at: 3).pass == nil && ask(&state, at: 5).pass?.isProbe == true)
    }

    @Test(
        "A failure is what says that the host doesn't answer",
        arguments: [
            (.connection(.init(.init(kind: .refused))), .failure), (.connection(.init(.init(kind: .truncated))), .failure),
            (.connection(.init(.init(kind: .tls))), .failure), (.noResponse(), .failure),
            (.timedOut(.init(.init(limit: .attempt))), .failure),
            (.timedOut(.init(.init(limit: .deadline))), .failure), (.cancelled(), .nothing), (.rejected(), .nothing),
            (.responseTooLarge(), .nothing), (.encode(), .nothing), (.unauthorized(), .nothing),
            (.interceptor(CancellationError()), .nothing),
            (RequestError.timedOut(.init(.init(limit: .deadline))).retold { $0.wasQueued = true }, .nothing),
        ] as [(RequestError, HostOutcome)])
    func outcomes(error: RequestError, outcome: HostOutcome) {
        #expect(policy.outcome(of: error) == outcome)
    }

    @Test(
        "Of the statuses, only those that speak of the server's state are failures",
        arguments: [(200, .success), (304, .success), (404, .success), (429, .success), (500, .failure), (501, .success), (503, .failure)]
            as [(HTTPStatus, HostOutcome)])
    func statuses(status: HTTPStatus, outcome: HostOutcome) {
        #expect(policy.outcome(of: status) == outcome)
    }

    @Test("There is never more than one try, and it never stays shut, over 10,000 random steps", arguments: [21, 22, 23] as [UInt64])
    func randomSteps(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var state = BreakerState(policy)
        var passes: [BreakerState.Pass] = []
        var probing: BreakerState.Pass?
        var second = 0
        for _ in 0..<10_000 {
            second += Int.random(in: 0..<3, using: &random) / 2
            if Bool.random(using: &random) {
                guard let pass = ask(&state, at: second).pass else { continue }
                if pass.isProbe {
                    #expect(probing == nil)
                    probing = pass
                } else {
                    #expect(probing == nil, "none but the try while it goes on")
                }
                passes.append(pass)
            } else if let index = passes.indices.randomElement(using: &random) {
                let pass = passes.remove(at: index)
                if pass == probing { probing = nil }
                state.report(
                    [.success, .failure, .failure, .nothing].randomElement(using: &random) ?? .nothing, of: pass, policy,
                    at: .seconds(second))
            }
        }
        if let probing { state.report(.nothing, of: probing, policy, at: .seconds(second)) }
        #expect(ask(&state, at: second + 5).pass != nil)
    }
}
