internal import PlatformBase

/// The life of one call: it ends when its deadline passes or its task is cancelled, and then whoever waits for something on its
/// behalf is told at once.
///
/// A deadline can't cancel a Swift task from outside without giving every call a task of its own, which costs two changes of
/// thread. So the waits themselves, which are few and all ours, listen here.
final class CallScope: Sendable {
    private struct State {
        var ending: RequestError?
        // A call has one at a time, nearly always.
        var listener: (any CallListener)?
        var more: [any CallListener] = []
        var attempts = AttemptList()
        var remark: String?
        /// Who has counted the call: a budget of retries as a rule, and perhaps one of hedging.
        var budget: ObjectIdentifier?
        var moreBudgets: [ObjectIdentifier] = []
        var idempotencyKeys: [IdempotencyKey] = []
    }

    private let state = Lock(State())
    /// Whether `ending` is set: asked before each step of a call, nearly none of which is over.
    private let isOver = Atomic(false)
    /// Whether a call has begun with it.
    private let hasBegun = Atomic(false)
    /// When the call began, on its clock.
    private let start: Duration
    /// How often the call had sent before this was made, where it is the scope of a part of it.
    private let sentBefore: Int
    /// The call's own scope, where this is that of one of its attempts.
    private let call: CallScope?
    /// Whether the call's task, and no other, sends and waits, so that the call's end is also that of every wait in it.
    let isOneTask: Bool

    init(isOneTask: Bool = false, start: Duration = .zero, sentBefore: Int = 0) {
        self.isOneTask = isOneTask
        self.start = start
        self.sentBefore = sentBefore
        call = nil
    }

    /// The scope of one of a call's attempts, which can end alone. Its maker sees to it that it ends with the call, where there is one.
    init(attemptOf call: CallScope?) {
        isOneTask = false
        start = .zero
        sentBefore = 0
        self.call = call?.call ?? call
    }

    /// Takes it for a call; `false` when it is another's already.
    func begin() -> Bool { !hasBegun.exchange(true, ordering: .relaxed) }

    /// Why the call is over, or `nil` while it goes on.
    var ending: RequestError? { isOver.load(ordering: .acquiring) ? state.withLock { $0.ending } : nil }

    /// Ends the call. The first reason stands.
    func end(_ reason: RequestError) {
        let (listener, more) = state.withLock { state -> ((any CallListener)?, [any CallListener]) in
            guard state.ending == nil else { return (nil, []) }
            state.ending = reason
            isOver.store(true, ordering: .releasing)
            defer {
                state.listener = nil
                state.more = []
            }
            return (state.listener, state.more)
        }
        listener?.callEnded(reason)
        for listener in more { listener.callEnded(reason) }
    }

    /// Tells `listener` when the call ends, at once if it has. The call holds it until then, or until it is forgotten.
    func listen(_ listener: any CallListener) {
        let ending = state.withLock { state -> RequestError? in
            if let ending = state.ending { return ending }
            if state.listener == nil { state.listener = listener } else { state.more.append(listener) }
            return nil
        }
        if let ending { listener.callEnded(ending) }
    }

    /// Takes a listener back.
    func forget(_ listener: any CallListener) {
        // What is let go of here may hold more than itself, so it goes outside of the lock.
        let gone = state.withLock { state -> (any CallListener)? in
            if state.listener === listener { return state.listener.take() }
            state.more.removeAll { $0 === listener }
            return nil
        }
        _ = gone
    }
}

// What is told of the call when it fails. It is kept here, since whoever sends knows only what it sent itself.
extension CallScope {
    /// Notes that something is sent; gives its place among the call's attempts.
    func beginAttempt(at time: Duration) -> Int {
        if let call { return call.beginAttempt(at: time) }
        return state.withLock { state in
            state.remark = nil
            return state.attempts.begin(at: time)
        }
    }

    /// Notes how it ended.
    func endAttempt(_ place: Int, at time: Duration, status: HTTPStatus?, failure: String? = nil) {
        if let call { return call.endAttempt(place, at: time, status: status, failure: failure) }
        state.withLock { $0.attempts.end(place, at: time, status: status, failure: failure) }
    }

    /// How many attempts there were so far.
    var attemptCount: Int { call?.attemptCount ?? state.withLock { $0.attempts.count } }

    /// How often the call has sent so far: hops, retries, hedges, and what was sent again with another credential.
    var sentCount: Int { call?.sentCount ?? state.withLock { $0.attempts.count } + sentBefore }

    /// The attempts so far.
    ///
    /// - Parameters:
    ///   - number: how many to leave out, from the first on.
    ///   - start: what their times count from; the call's beginning, unless said otherwise.
    ///   - ending: how one is called that goes on.
    func attempts(
        dropping number: Int = 0, since start: Duration? = nil, now: Duration, ending: String = "unfinished"
    ) -> [RequestAttempt] {
        if let call { return call.attempts(dropping: number, since: start, now: now, ending: ending) }
        return state.withLock { $0.attempts }
            .attempts(dropping: number, since: start ?? self.start, now: now, ending: ending)
    }

    /// Takes over what was sent on the call's behalf by an exchange that it shares with others.
    func adopt(attemptsOf other: CallScope) {
        if let call { return call.adopt(attemptsOf: other) }
        let (attempts, remark) = other.state.withLock { ($0.attempts, $0.remark) }
        state.withLock { state in
            state.attempts.append(attempts)
            state.remark = remark ?? state.remark
        }
    }

    /// Why an answer that means failure is the call's last, for the error that is made of it.
    var remark: String? {
        get { call?.remark ?? state.withLock { $0.remark } }
        set {
            if let call { return call.remark = newValue }
            state.withLock { $0.remark = newValue }
        }
    }

    /// Whether the call has not been counted by a budget yet. From then on it has.
    func isNew(to budget: AnyObject) -> Bool {
        if let call { return call.isNew(to: budget) }
        let id = ObjectIdentifier(budget)
        return state.withLock { state in
            guard let first = state.budget else {
                state.budget = id
                return true
            }
            guard first != id, !state.moreBudgets.contains(id) else { return false }
            state.moreBudgets.append(id)
            return true
        }
    }
}

/// The key that was made for one of a call's requests.
private struct IdempotencyKey {
    let method: HTTPMethod
    let url: URL
    let value: String
}

extension CallScope {
    /// The key that makes a request idempotent, made at first need. The same request of the same call has the same key from then on, also
    /// where it is sent again by somebody who doesn't know of the key, as for a new token.
    func idempotencyKey(of request: HTTPRequest, _ make: () -> String) -> String {
        if let call { return call.idempotencyKey(of: request, make) }
        let (method, url) = (request.method, request.url)
        return state.withLock { state in
            if let known = state.idempotencyKeys.first(where: { $0.method == method && $0.url == url }) { return known.value }
            let key = IdempotencyKey(method: method, url: url, value: make())
            state.idempotencyKeys.append(key)
            return key.value
        }
    }
}

/// Whoever waits on a call's behalf.
protocol CallListener: AnyObject, Sendable {
    /// The call is over.
    func callEnded(_ reason: RequestError)
}

extension CallScope {
    /// Runs work that may not notice the call's end by itself, and gives the end at once when it comes first. The work is cancelled
    /// then; it has a task of its own, so that the caller need not wait for one that ignores that.
    func race<Value: Sendable>(
        _ work: @escaping @Sendable () async throws(RequestError) -> Value
    ) async -> Result<Value, RequestError> {
        let outcome = OneShot<Result<Value, RequestError>>()
        let task = Task {
            do throws(RequestError) {
                outcome.resolve(.success(try await work()))
            } catch {
                outcome.resolve(.failure(error))
            }
        }
        let racer = Racer(outcome: outcome, task: task)
        listen(racer)
        defer { forget(racer) }
        return await outcome.value()
    }

    private final class Racer<Value: Sendable>: CallListener {
        let outcome: OneShot<Result<Value, RequestError>>
        let task: Task<Void, Never>

        init(outcome: OneShot<Result<Value, RequestError>>, task: Task<Void, Never>) {
            self.outcome = outcome
            self.task = task
        }

        func callEnded(_ reason: RequestError) {
            outcome.resolve(.failure(reason))
            task.cancel()
        }
    }
}

/// A value that one side gives, once, and one side waits for.
final class OneShot<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case waiting(CheckedContinuation<Value, Never>)
        case resolved(Value)
    }

    private let state = Lock(State.empty)

    /// Gives the value. Only the first counts; says whether this was it.
    @discardableResult
    func resolve(_ value: Value) -> Bool {
        let (isFirst, waiter) = state.withLock { state -> (Bool, CheckedContinuation<Value, Never>?) in
            switch state {
            case .resolved: return (false, nil)
            case .empty:
                state = .resolved(value)
                return (true, nil)
            case .waiting(let continuation):
                state = .resolved(value)
                return (true, continuation)
            }
        }
        waiter?.resume(returning: value)
        return isFirst
    }

    /// The value, if it is there.
    var known: Value? { state.withLock { if case .resolved(let value) = $0 { value } else { nil } } }

    /// The value, as soon as it is there. One side waits.
    func value() async -> Value {
        await withCheckedContinuation { continuation in
            let value = state.withLock { state -> Value? in
                if case .resolved(let value) = state { return value }
                state = .waiting(continuation)
                return nil
            }
            if let value { continuation.resume(returning: value) }
        }
    }
}
