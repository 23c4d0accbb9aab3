internal import NetworkKit
internal import PlatformBase

/// What a server knows of its connections and requests, and who waits for it to change.
final class Ledger: Sendable {
    /// The numbers that can be waited for.
    struct Counts {
        var accepted = 0
        var open = 0
        var requests = 0
        var answers = 0
    }

    private struct Waiter {
        let isMet: @Sendable (Counts) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var counts = Counts()
        var sockets: [Int: StreamSocket] = [:]
        var records: [RecordedRequest] = []
        var recordedBytes = 0
        var faults: [LoopbackError] = []
        var waiters: [Int: Waiter] = [:]
        var lastWaiter = 0
        var isClosed = false
    }

    private let state = Lock(State())
    private let limits: LoopbackServer.Limits

    init(limits: LoopbackServer.Limits) { self.limits = limits }

    var counts: Counts { state.withLock { $0.counts } }
    var records: [RecordedRequest] { state.withLock { $0.records } }
    var faults: [LoopbackError] { state.withLock { $0.faults } }

    /// Takes a connection into the books under a number of its own; `nil` when there is no room or the server stops.
    func open(_ make: (_ number: Int) -> StreamSocket) -> (number: Int, socket: StreamSocket)? {
        change { state in
            guard !state.isClosed, state.counts.open < limits.connections else { return nil }
            state.counts.accepted += 1
            state.counts.open += 1
            let number = state.counts.accepted
            let socket = make(number)
            state.sockets[number] = socket
            return (number, socket)
        }
    }

    func closed(connection number: Int) {
        change { state in
            if state.sockets.removeValue(forKey: number) != nil { state.counts.open -= 1 }
        }
    }

    /// Closes the books: no connection comes in any more, nobody is left waiting.
    func close() -> [StreamSocket] {
        let (sockets, waiters) = state.withLock { state in
            state.isClosed = true
            defer { state.waiters = [:] }
            return (Array(state.sockets.values), Array(state.waiters.values))
        }
        for waiter in waiters { waiter.continuation.resume() }
        return sockets
    }

    /// Writes down a request whose head has arrived. The first ones are kept, the later ones only counted.
    func record(_ head: RequestHead, connection: Int, isReused: Bool) -> Int {
        change { state in
            state.counts.requests += 1
            let number = state.counts.requests
            if state.records.count < limits.recordedRequests {
                state.records.append(
                    RecordedRequest(
                        number: number, method: head.method, target: head.target, headers: head.fields, connection: connection,
                        isReused: isReused))
            }
            return number
        }
    }

    func record(_ data: Data, ofRequest number: Int) {
        state.withLock { state in
            guard state.records.indices.contains(number - 1) else { return }
            let room = min(
                limits.recordedBodySize - state.records[number - 1].body.count, limits.recordedBodySizeInAll - state.recordedBytes)
            let kept = data.prefix(max(0, room))
            state.records[number - 1].body.append(kept)
            state.recordedBytes += kept.count
            if kept.count < data.count { state.records[number - 1].bodyIsTruncated = true }
        }
    }

    func recordEnd(ofRequest number: Int, trailers: HTTPFields) {
        state.withLock { state in
            guard state.records.indices.contains(number - 1), !state.records[number - 1].isComplete else { return }
            state.records[number - 1].isComplete = true
            state.records[number - 1].trailers = trailers
        }
    }

    func recordAnswer() {
        change { $0.counts.answers += 1 }
    }

    func record(_ fault: LoopbackError) {
        state.withLock { state in
            if state.faults.count < 1_000 { state.faults.append(fault) }
        }
    }

    /// Waits until the counts are as wished; returns too when the server stops or the task is cancelled.
    func wait(until isMet: @escaping @Sendable (Counts) -> Bool) async {
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDone = state.withLock { state in
                    if isMet(state.counts) || state.isClosed || Task.isCancelled { return true }
                    state.waiters[id] = Waiter(isMet: isMet, continuation: continuation)
                    return false
                }
                if isDone { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.continuation.resume()
        }
    }

    /// Changes the state and resumes those whose wait is over by that.
    private func change<Result>(_ body: (inout State) -> sending Result) -> sending Result {
        let (result, met) = state.withLock { state in
            let result = body(&state)
            guard !state.waiters.isEmpty else { return (result, [Waiter]()) }
            let met = state.waiters.filter { $0.value.isMet(state.counts) }
            for id in met.keys { state.waiters[id] = nil }
            return (result, Array(met.values))
        }
        for waiter in met { waiter.continuation.resume() }
        return result
    }
}
