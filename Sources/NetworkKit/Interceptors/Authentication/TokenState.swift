internal import PlatformBase

/// A token and its renewal, as a value: who may send, who waits, and who begins.
///
/// Tokens are counted: a request remembers the number of the one that it was sent with. One that fails with an old number goes again
/// with what there is now; only the first to fail with the present number begins a refresh. Refreshes that failed are counted as well,
/// so that a request which began before a failure shares it, and doesn't try once more.
struct TokenState<Waiter> {
    enum Renewal {
        /// Somebody has renewed it.
        case held(HeldToken)
        /// Somebody has tried, while this request was under way.
        case failed(RequestError)
        /// A refresh is under way.
        case joined
        /// The refresh is this request's to begin, and it waits for it.
        case begin(TokenFlight)
    }

    /// Who is to be told what.
    typealias Told = [(waiter: Waiter, outcome: Result<HeldToken, RequestError>)]

    private let window: Duration
    private(set) var held: HeldToken?
    private var mark = TokenMark(number: 0, failures: 0)
    private var expires: Date?
    private var early: Date?
    private var lastFailure: RequestError?
    private var flight: (TokenFlight, waiters: [Waiter])?
    private var lastID = 0

    /// - Parameter window: how long before its end a token is renewed.
    init(_ token: AccessToken?, window: Duration) {
        self.window = window
        hold(token, now: nil)
    }

    var snapshot: TokenSnapshot { TokenSnapshot(held: held, mark: mark, expires: expires, early: early) }

    /// A token with a later number than the one that failed.
    func newer(than number: Int) -> HeldToken? { held.flatMap { $0.number > number ? $0 : nil } }

    /// Notes that a token was refused by a request that can't wait for another.
    mutating func refused(_ number: Int) {
        if number == mark.number { expires = .distantPast }
    }

    /// A request wants a token other than the one that it saw.
    mutating func renew(after seen: TokenMark, _ waiter: Waiter) -> Renewal {
        if seen.number != mark.number { return held.map { .held($0) } ?? .failed(.signedOut) }
        if seen.failures != mark.failures, let lastFailure { return .failed(lastFailure) }
        if flight != nil {
            flight?.waiters.append(waiter)
            return .joined
        }
        lastID += 1
        let begun = TokenFlight(id: lastID, number: mark.number, token: held?.token)
        flight = (begun, [waiter])
        return .begin(begun)
    }

    /// Whether what a refresh gives would still be taken.
    func isWanted(_ flight: TokenFlight) -> Bool { flight.number == mark.number }

    /// A refresh has given a token, in time or late: the server may have taken the old one back, so a late one counts as well.
    mutating func succeeded(_ done: TokenFlight, _ token: AccessToken, now: Date) -> Told {
        guard isWanted(done) else { return [] }
        let waiters = flight?.waiters ?? []
        hold(token, now: now)
        return waiters.map { waiter in (waiter, held.map { .success($0) } ?? .failure(.signedOut)) }
    }

    /// A refresh takes too long for those who wait. It goes on, since the server may have taken the old refresh token back by now, and
    /// whoever wants a token from here on waits for it as well.
    mutating func overdue(_ slow: TokenFlight, _ error: RequestError, now: Date) -> Told {
        guard let flight, flight.0.id == slow.id, !flight.waiters.isEmpty else { return [] }
        self.flight = (slow, [])
        noteFailure(error, now: now)
        return flight.waiters.map { ($0, .failure(error)) }
    }

    /// A refresh has failed, or is given up.
    mutating func failed(_ done: TokenFlight, _ error: RequestError, now: Date) -> Told {
        guard let flight, flight.0.id == done.id else { return [] }
        self.flight = nil
        noteFailure(error, now: now)
        return flight.waiters.map { ($0, .failure(error)) }
    }

    private mutating func noteFailure(_ error: RequestError, now: Date) {
        mark.failures += 1
        lastFailure = error
        // An early one may be tried again when half of what is left has passed.
        if let expires, expires > now { early = now.addingTimeInterval(expires.timeIntervalSince(now) / 2) }
    }

    /// Somebody has signed in or out: what runs for the credentials before is of no use any more.
    mutating func set(_ token: AccessToken?) -> Told {
        let waiters = flight?.waiters ?? []
        hold(token, now: nil)
        return waiters.map { waiter in (waiter, held.map { .success($0) } ?? .failure(.signedOut)) }
    }

    private mutating func hold(_ token: AccessToken?, now: Date?) {
        mark = TokenMark(number: mark.number + 1, failures: 0)
        flight = nil
        lastFailure = nil
        held = token.map { HeldToken($0, number: mark.number) }
        (expires, early) = (token?.expires, nil)
        guard let end = token?.expires else { return }
        var window = window / .seconds(1)
        if let now {
            let life = end.timeIntervalSince(now)
            // A fresh token that is over at once says that this clock is wrong. The server knows better.
            if life <= 0 { return expires = nil }
            // A token that lives no longer than the window isn't renewed at every request.
            window = min(window, life / 2)
        }
        early = end.addingTimeInterval(-window)
    }
}

extension TokenState: Sendable where Waiter: Sendable {}

extension RequestError {
    static let signedOut = RequestError.authentication(.init(reason: "there is no token any more: the credentials were taken back"))
}
