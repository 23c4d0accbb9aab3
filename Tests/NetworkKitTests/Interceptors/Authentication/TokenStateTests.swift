import PlatformBase
import Testing

@testable import NetworkKit

@Suite("A token and its renewal, as a value")
struct TokenStateTests {
    private let start = Date(timeIntervalSince1970: 1_000_000)
    private func after(_ seconds: Double) -> Date { start.addingTimeInterval(seconds) }
    private func state(_ token: AccessToken?, window: Duration = .seconds(30)) -> TokenState<String> {
        TokenState(token, window: window)
    }

    /// What happens next, in words.
    private func text(_ renewal: TokenState<String>.Renewal) -> String {
        switch renewal {
        case .held(let held): "held \(held.token.value)"
        case .failed(let error): "failed \(error.caseName)"
        case .joined: "joined"
        case .begin(let flight): "begin \(flight.token?.value ?? "none")"
        }
    }

    private func text(_ told: TokenState<String>.Told) -> [String] {
        told.map { waiter, outcome in
            switch outcome {
            case .success(let held): "\(waiter): \(held.token.value)"
            case .failure(let error): "\(waiter): \(error.caseName)"
            }
        }
    }

    private func standing(_ state: TokenState<String>, _ now: Date) -> String {
        switch state.snapshot.standing(at: now) {
        case .good: "good"
        case .early: "early"
        case .missing: "missing"
        }
    }

    private func begun(_ renewal: TokenState<String>.Renewal) throws -> TokenFlight {
        guard case .begin(let flight) = renewal else { throw CancellationError() }
        return flight
    }

    @Test(
        "A token is good until its window begins, early until its end, and missing then",
        arguments: [(-1000, "good"), (0, "good"), (69.9, "good"), (70, "early"), (99.9, "early"), (100, "missing"), (1e9, "missing")])
    func standings(seconds: Double, expected: String) {
        #expect(standing(state(AccessToken("a", expires: after(100))), after(seconds)) == expected)
        #expect(standing(state(AccessToken("a")), after(seconds)) == "good")
        #expect(standing(state(nil), after(seconds)) == "missing")
    }

    @Test("The first to fail begins, others join, and all are told the new token")
    func oneFlight() throws {
        var state = state(AccessToken("a", refreshToken: "r"))
        let mark = state.snapshot.mark
        let flight = try begun(state.renew(after: mark, "1"))
        #expect(flight.token == AccessToken("a", refreshToken: "r"))
        #expect(text(state.renew(after: mark, "2")) == "joined" && text(state.renew(after: mark, "3")) == "joined")
        #expect(text(state.succeeded(flight, AccessToken("b"), now: start)) == ["1: b", "2: b", "3: b"])
        // Late with the old number: no refresh.
        #expect(text(state.renew(after: mark, "4")) == "held b")
        // With the new number: one more.
        #expect(text(state.renew(after: state.snapshot.mark, "5")) == "begin b")
    }

    @Test("A failure is told to all once, shared by those that began before it, and tried again by those after")
    func failure() throws {
        var state = state(AccessToken("a"))
        let mark = state.snapshot.mark
        let flight = try begun(state.renew(after: mark, "1"))
        _ = state.renew(after: mark, "2")
        #expect(text(state.failed(flight, .authentication(), now: start)) == ["1: authentication", "2: authentication"])
        #expect(text(state.failed(flight, .authentication(), now: start)) == [])
        #expect(text(state.renew(after: mark, "3")) == "failed authentication")
        #expect(text(state.renew(after: state.snapshot.mark, "4")) == "begin a")
    }

    @Test("A refresh that was given up may still succeed, and whoever waits for its follower gets the token")
    func late() throws {
        var state = state(AccessToken("a"))
        let first = try begun(state.renew(after: state.snapshot.mark, "1"))
        _ = state.failed(first, .timedOut(), now: start)
        let second = try begun(state.renew(after: state.snapshot.mark, "2"))
        #expect(state.isWanted(first) && state.isWanted(second))
        #expect(text(state.succeeded(first, AccessToken("b"), now: start)) == ["2: b"])
        // The follower used a refresh token that was good once.
        #expect(text(state.failed(second, .authentication(), now: start)) == [])
        #expect(!state.isWanted(second) && text(state.succeeded(second, AccessToken("c"), now: start)) == [])
        #expect(state.held?.token.value == "b" && state.snapshot.mark.failures == 0)
    }

    @Test("A refresh that takes too long fails those who wait, once, and is joined by those after them")
    func overdue() throws {
        var state = state(AccessToken("a", refreshToken: "r"))
        let seen = state.snapshot.mark
        let flight = try begun(state.renew(after: seen, "1"))
        _ = state.renew(after: seen, "2")
        #expect(text(state.overdue(flight, .authentication(), now: start)) == ["1: authentication", "2: authentication"])
        // Nobody waits: nothing happens.
        let mark = state.snapshot.mark
        #expect(text(state.overdue(flight, .authentication(), now: start)) == [] && state.snapshot.mark == mark)
        #expect(text(state.renew(after: seen, "3")) == "failed authentication")
        #expect(text(state.renew(after: mark, "4")) == "joined")
        #expect(text(state.overdue(flight, .authentication(), now: start)) == ["4: authentication"])
        #expect(text(state.renew(after: state.snapshot.mark, "5")) == "joined")
        #expect(text(state.succeeded(flight, AccessToken("b"), now: start)) == ["5: b"] && state.held?.token.value == "b")
        #expect(text(state.overdue(flight, .authentication(), now: start)) == [])
        // Given up for good, the next begins anew.
        let second = try begun(state.renew(after: state.snapshot.mark, "6"))
        #expect(text(state.overdue(second, .authentication(), now: start)) == ["6: authentication"])
        #expect(text(state.failed(second, .authentication(), now: start)) == [])
        #expect(text(state.renew(after: state.snapshot.mark, "7")) == "begin b")
    }

    @Test("An early refresh that fails is tried again when half of the rest has passed")
    func earlyFailure() throws {
        var state = state(AccessToken("a", expires: after(100)))
        let flight = try begun(state.renew(after: state.snapshot.mark, "1"))
        _ = state.failed(flight, .authentication(), now: after(80))
        #expect(standing(state, after(80)) == "good" && standing(state, after(89)) == "good")
        #expect(standing(state, after(90)) == "early" && standing(state, after(100)) == "missing")
        // A clock that jumps back asks for nothing that the server doesn't.
        #expect(standing(state, after(-5000)) == "good")
    }

    @Test(
        "A fresh token isn't renewed at every request, however short its life and whatever the clock says",
        arguments: [(life: 40.0, at: 19.0, "good"), (40, 20, "early"), (40, 40, "missing"), (-10, 0, "good"), (-10, 1e9, "good")])
    func shortLife(life: Double, at: Double, expected: String) throws {
        var state = state(nil)
        let flight = try begun(state.renew(after: state.snapshot.mark, "1"))
        _ = state.succeeded(flight, AccessToken("b", expires: after(life)), now: start)
        #expect(standing(state, after(at)) == expected)
    }

    @Test("A refusal that can't wait has the next request renew the token; one of an old token doesn't")
    func refused() throws {
        var state = state(AccessToken("a"))
        state.refused(state.snapshot.mark.number - 1)
        #expect(standing(state, start) == "good")
        state.refused(state.snapshot.mark.number)
        #expect(standing(state, start) == "missing")
        let flight = try begun(state.renew(after: state.snapshot.mark, "1"))
        _ = state.succeeded(flight, AccessToken("b"), now: start)
        #expect(standing(state, start) == "good")
    }

    @Test("Signing in or out ends what waits, and what a refresh of before gives is not taken")
    func signing() throws {
        var state = state(AccessToken("a"))
        let seen = state.snapshot.mark
        let flight = try begun(state.renew(after: seen, "1"))
        #expect(text(state.set(nil)) == ["1: authentication"])
        #expect(!state.isWanted(flight) && text(state.succeeded(flight, AccessToken("b"), now: start)) == [] && state.held == nil)
        #expect(text(state.renew(after: seen, "2")) == "failed authentication")
        let other = try begun(state.renew(after: state.snapshot.mark, "3"))
        #expect(text(state.set(AccessToken("c"))) == ["3: c"])
        #expect(text(state.failed(other, .authentication(), now: start)) == [] && state.held?.token.value == "c")
    }

    @Test("A token is newer than those of lower numbers only")
    func newer() {
        var state = state(AccessToken("a"))
        let number = state.snapshot.mark.number
        #expect(state.newer(than: number) == nil)
        _ = state.set(AccessToken("b"))
        #expect(state.newer(than: number)?.token.value == "b")
        _ = state.set(nil)
        #expect(state.newer(than: number) == nil)
    }
}
