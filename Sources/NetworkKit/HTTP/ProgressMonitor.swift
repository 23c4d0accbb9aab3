internal import PlatformBase

/// Follows how far a call has come: one monitor a call, given to it in ``RequestOptions/progress``.
///
/// ```swift
/// let progress = ProgressMonitor()
/// async let reply = client.data(for: Upload(file, options: .init(progress: progress)))
/// for await step in progress.updates { show(step.upload.fraction) }   // ends with the call
/// ```
///
/// or, as a callback:
///
/// ```swift
/// let progress = ProgressMonitor { step in show(step.upload.fraction) }
/// ```
///
/// Bytes are counted as they pass over the network: with gzip, the coded ones against the coded length. Only an answer that means
/// success counts as downloaded, and one that didn't come over the network, as from a cache, with its decoded length when it is there. No
/// count goes back when a request is sent again; it stands until the new sending has caught up.
///
/// It follows the first call that it is given to; make another for the next.
public final class ProgressMonitor: Sendable {
    /// How far a call has come.
    public struct Update: Sendable, Hashable {
        /// The request's body.
        public var upload: TransferProgress
        /// The answer's body.
        public var download: TransferProgress
        /// Whether the call is over, well or not: then no further update comes.
        public var isLast: Bool

        /// A state of things.
        public init(upload: TransferProgress = .init(), download: TransferProgress = .init(), isLast: Bool = false) {
            self.upload = upload
            self.download = download
            self.isLast = isLast
        }
    }

    /// How many updates there are at most in a second, unless a monitor is made for another number.
    public static let standardRate = 10

    private struct State {
        var progress = ProgressState()
        var throttle: UpdateThrottle
        var isTaken = false
        var isOver = false
        /// Whether whoever reads the body counts it.
        var isDownloadCounted = false
        var listeners: [Int: AsyncStream<Update>.Continuation] = [:]
        var lastListener = 0

        var update: Update { Update(upload: progress.upload, download: progress.download, isLast: isOver) }
    }

    private let state: Lock<State>
    private let outlet: LatestOutlet<Update>?

    /// A monitor.
    ///
    /// - Parameters:
    ///   - updatesPerSecond: how many updates there are at most in a second; those between are left out, never the last. Default 10.
    ///   - onUpdate: called with one after the other, on a thread of its own. While it is busy one update waits, and a newer one takes that
    ///     one's place. A call that gives a value returns after the last, unless its deadline or its cancellation comes first.
    public init(updatesPerSecond: Int = standardRate, onUpdate: (@Sendable (Update) -> Void)? = nil) {
        state = Lock(State(throttle: UpdateThrottle(updatesPerSecond: updatesPerSecond)))
        outlet = onUpdate.map { LatestOutlet($0) }
    }

    /// How far the call has come by now, whether there has been an update or not.
    public var current: Update { state.withLock(\.update) }

    /// The updates from now on: each listener has its own, and one that is slow gets the newest. It ends with the call.
    public var updates: AsyncStream<Update> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let (number, last) = state.withLock { state -> (Int, Update?) in
                if state.isOver { return (0, state.update) }
                state.lastListener += 1
                state.listeners[state.lastListener] = continuation
                return (state.lastListener, nil)
            }
            if let last {
                continuation.yield(last)
                return continuation.finish()
            }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { state in _ = state.listeners.removeValue(forKey: number) }
            }
        }
    }
}

// What a call tells it.
extension ProgressMonitor {
    /// Makes it that of a call; `false` when it is another's.
    ///
    /// - Parameter countsDownload: `false` where whoever reads the body tells of it, by `received`.
    func begin(countsDownload: Bool = true) -> Bool {
        state.withLock { state in
            guard !state.isTaken else { return false }
            state.isTaken = true
            state.isDownloadCounted = !countsDownload
            return true
        }
    }

    /// Takes what the transport says.
    func take(_ event: TransportEvent, at time: @autoclosure () -> Duration) {
        tell(at: time()) { $0.progress.take(event, countsDownload: !$0.isDownloadCounted) }
    }

    /// Takes what whoever reads the body has counted.
    func received(_ count: Int64, of total: Int64?, at time: Duration) {
        tell(at: time) { $0.progress.received(count, of: total) }
    }

    /// The call is over.
    ///
    /// - Parameter length: how long the decoded body is, where all of it is there.
    func finish(length: Int64?) {
        let (update, listeners) = state.withLock { state -> (Update?, [AsyncStream<Update>.Continuation]) in
            guard !state.isOver else { return (nil, []) }
            if let length { state.progress.succeed(length: length) }
            state.isOver = true
            defer { state.listeners = [:] }
            outlet?.send(state.update)
            return (state.update, Array(state.listeners.values))
        }
        guard let update else { return }
        for listener in listeners {
            listener.yield(update)
            listener.finish()
        }
    }

    /// The same; waits until the callback has had the last update, where the call went well, and for no longer than the call may take. One
    /// that failed may be over because it took too long, and waits for nobody.
    nonisolated(nonsending) func finished(length: Int64?, in context: CallContext) async {
        finish(length: length)
        if length != nil { await outlet?.taken(in: context) }
    }

    private func tell(at time: @autoclosure () -> Duration, _ change: (inout State) -> Bool) {
        // Told of under the lock, so that the order is kept: neither of the two waits.
        state.withLock { state in
            guard !state.isOver, change(&state), state.throttle.isDue(at: time()) else { return }
            let update = state.update
            outlet?.send(update)
            for listener in state.listeners.values { listener.yield(update) }
        }
    }
}

extension ProgressMonitor: Hashable {
    /// Whether two are one and the same.
    public static func == (left: ProgressMonitor, right: ProgressMonitor) -> Bool { left === right }
    /// By identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
