internal import PlatformBase

extension Credential {
    /// A token that is renewed when it expires or is refused, as `Authorization: Bearer`.
    ///
    /// ```swift
    /// .authentication(.refreshing(keychain.token, save: { await keychain.store($0) }) { old in
    ///     let grant = try await signIn.send(Refresh(old?.refreshToken)).get()       // a client without this interceptor
    ///     return AccessToken(grant.access, expires: .now + grant.lifetime, refreshToken: grant.refresh)
    /// })
    /// ```
    ///
    /// However many requests need it, one refresh runs. They wait for it, each until its own deadline or cancellation. A refresh
    /// that fails fails all of them, once, with ``RequestError/authentication(_:)``. See ``RefreshableToken`` for the details.
    ///
    /// - Parameters:
    ///   - token: the token so far; `nil` has the first request ask for one.
    ///   - window: how long before its end a token is renewed.
    ///   - timeLimit: how long requests wait for one refresh. It goes on after that, for those who come later, and is cancelled when it
    ///     has taken five times as long.
    ///   - isRefusal: which answers say that the token is no longer good. Default: 401.
    ///   - save: stores a new token. Nobody goes on with it before this has returned.
    ///   - refresh: gets a new token by the old one, `nil` for none.
    public static func refreshing(
        _ token: AccessToken?, window: Duration = RefreshableToken.standardWindow,
        timeLimit: Duration = RefreshableToken.standardTimeLimit,
        isRefusal: @escaping @Sendable (ResponseHead) -> Bool = { $0.status == 401 },
        save: @escaping @Sendable (AccessToken) async -> Void = { _ in },
        refresh: @escaping @Sendable (AccessToken?) async throws -> AccessToken
    ) -> Credential {
        refreshing(
            RefreshableToken(token, window: window, timeLimit: timeLimit, isRefusal: isRefusal, save: save, refresh: refresh))
    }

    /// A token that is renewed, held by something that the app can reach too: to sign in and out, or to share it among sessions.
    public static func refreshing(_ token: RefreshableToken) -> Credential { Credential(kind: .refreshed(token)) }
}

/// A token that is renewed: one for all requests that use it, of however many sessions.
///
/// A request whose token has expired waits for a new one before it is sent; one within the window before that as well, but goes on with
/// the old one where the refresh fails. A request that is refused waits and is sent once more; refused again, the answer is returned.
/// One that was refused with a token that isn't the present one goes again with that, and no refresh is made. One whose body can't be
/// sent again gets the refusal itself, and the next request renews the token.
///
/// The refresh runs in a task of its own, which outlives the requests that wait for it: the server may have taken the old refresh token
/// back by then, and the new one must not be lost. So a refresh that takes too long fails the requests that wait, and goes on: later
/// ones join it, and no second one uses the same refresh token beside it. A request that the refresh sends through the same session goes without
/// the token, and is not waited for by itself.
public final class RefreshableToken: Sendable {
    /// How long before its end a token is renewed, unless said otherwise: 30 s, and at most half of its life.
    public static let standardWindow = Duration.seconds(30)
    /// How long requests wait for one refresh, unless said otherwise: 30 s.
    public static let standardTimeLimit = Duration.seconds(30)
    /// How many time limits a refresh may take before it is cancelled.
    private static let turns = 5

    typealias State = TokenState<Wait>
    typealias Wait = CallWait<Result<HeldToken, RequestError>>

    private struct Content {
        var state: State
        var identity = CallIdentity.madeUp()
    }

    let isRefusal: @Sendable (ResponseHead) -> Bool
    private let content: Lock<Content>
    private let timeLimit: Duration
    private let save: @Sendable (AccessToken) async -> Void
    private let refresh: @Sendable (AccessToken?) async throws -> AccessToken

    /// A token to be renewed: see ``Credential/refreshing(_:window:timeLimit:isRefusal:save:refresh:)``.
    public init(
        _ token: AccessToken?, window: Duration = standardWindow, timeLimit: Duration = standardTimeLimit,
        isRefusal: @escaping @Sendable (ResponseHead) -> Bool = { $0.status == 401 },
        save: @escaping @Sendable (AccessToken) async -> Void = { _ in },
        refresh: @escaping @Sendable (AccessToken?) async throws -> AccessToken
    ) {
        content = Lock(Content(state: State(token, window: window)))
        self.timeLimit = timeLimit
        self.isRefusal = isRefusal
        self.save = save
        self.refresh = refresh
    }

    /// The token now.
    public var current: AccessToken? { content.withLock { $0.state.held?.token } }

    /// Signs in as somebody, or out with `nil`. Who waits for a refresh gets this token instead, or
    /// ``RequestError/authentication(_:)``; what a refresh that is under way gives is no longer taken. The identity changes.
    public func set(_ token: AccessToken?) {
        let told = content.withLock { content in
            content.identity = CallIdentity.madeUp()
            return content.state.set(token)
        }
        Self.tell(told)
    }

    /// Whose token it is.
    var identity: String { content.withLock(\.identity) }

    var snapshot: TokenSnapshot { content.withLock { $0.state.snapshot } }

    func newer(than number: Int) -> HeldToken? { content.withLock { $0.state.newer(than: number) } }

    func refused(_ number: Int) { content.withLock { $0.state.refused(number) } }

    /// A token other than the one that a request saw, or why there is none.
    ///
    /// - Throws: why the call is over, if it is first.
    nonisolated(nonsending) func renewed(
        after mark: TokenMark, in context: CallContext
    ) async throws(RequestError) -> Result<HeldToken, RequestError> {
        let wait = Wait()
        switch content.withLock({ $0.state.renew(after: mark, wait) }) {
        case .held(let held): return .success(held)
        case .failed(let error): return .failure(error)
        case .begin(let flight): run(flight, clock: context.clock)
        case .joined: break
        }
        return try await wait.value(in: context)
    }

    /// Runs a refresh. Those who wait are told when its time is over, and it itself is cancelled after some more. It outlives the call
    /// that began it.
    private func run(_ flight: TokenFlight, clock: CallClock) {
        let start = clock.now
        let work = Task {
            do throws(RequestError) {
                let token = try await renewedToken(flight)
                Self.tell(content.withLock { [date = clock.date] in $0.state.succeeded(flight, token, now: date) })
            } catch {
                Self.tell(content.withLock { [date = clock.date] in $0.state.failed(flight, error, now: date) })
            }
        }
        let timer = Task { [timeLimit] in
            let error = RequestError.authentication(.init(reason: "the token was not refreshed within \(timeLimit)"))
            for turn in 1...Self.turns {
                guard (try? await clock.sleep(until: start + timeLimit * turn)) != nil else { return }
                let date = clock.date
                Self.tell(
                    content.withLock { content in
                        turn < Self.turns
                            ? content.state.overdue(flight, error, now: date) : content.state.failed(flight, error, now: date)
                    })
            }
            work.cancel()
        }
        Task {
            await work.value
            timer.cancel()
        }
    }

    private func renewedToken(_ flight: TokenFlight) async throws(RequestError) -> AccessToken {
        do {
            return try await CredentialWork.run(for: self) { [self] in
                let token = try await refresh(flight.token)
                guard !token.value.isEmpty else { throw RequestError.noCredential("new token") }
                // Somebody who signed out must not find the token of before stored again. And what is stored is stored whole: it is
                // cut short by no time limit.
                if content.withLock({ $0.state.isWanted(flight) }) { await Task { [save] in await save(token) }.value }
                return token
            }
        } catch {
            throw .noCredential("the token could not be refreshed", error).retold { story in
                for secret in [flight.token?.value, flight.token?.refreshToken].compactMap(\.self) { story.secrets.insert(secret) }
            }
        }
    }

    private static func tell(_ told: State.Told) {
        for (wait, outcome) in told { _ = wait.give(.success(outcome)) }
    }
}
