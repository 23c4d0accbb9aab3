internal import NetworkKit
internal import PlatformBase

/// The waits of a stubbed request: by the session's clock, and ended by what ends a real one's.
struct StubSilence: Sendable {
    let clock: CallClock
    let timeout: Duration
    let deadline: Duration?
    let deadlineLength: Duration?

    /// - Parameter isBody: whether it is the body that is waited for; a stream's may be silent for longer.
    init(_ request: HTTPRequest, isBody: Bool = false) {
        clock = request.context.clock
        timeout = isBody ? request.options.bodyTimeout : request.options.timeout ?? RequestOptions.Standard.timeout
        deadline = request.context.deadline
        deadlineLength = request.options.deadline
    }

    /// Waits.
    ///
    /// - Parameter duration: how long; `nil` for ever.
    /// - Throws: ``RequestError/timedOut(_:)`` when the request's `timeout` or deadline comes first, ``RequestError/cancelled(_:)``
    ///   when the task is cancelled.
    func wait(_ duration: Duration?) async throws(RequestError) {
        let start = clock.now
        let silenceEnds = start + timeout
        let wakes = duration.map { start + $0 }
        let end = [wakes, silenceEnds, deadline].compactMap { $0 }.min() ?? silenceEnds
        do {
            try Task.checkCancellation()
            try await clock.sleep(until: end)
        } catch {
            throw .cancelled(.init(reason: "the task was cancelled"))
        }
        if wakes == end { return }
        if deadline == end {
            throw .timedOut(.init(.init(limit: .deadline, after: deadlineLength), reason: "the call was not over by its deadline"))
        }
        throw .timedOut(.init(.init(limit: .attempt, after: timeout), reason: "the stub stays silent"))
    }
}
