internal import PlatformBase

/// What has passed by of a body, and how that ended: one reference, which all who watched it share.
final class BodyPassage: Sendable {
    enum Ending: Sendable {
        /// The body was read to its end.
        case whole
        /// Reading failed.
        case failed(RequestError)
        /// The reader let go of it.
        case letGo
    }

    /// How many bytes came, decoded.
    let count: Int64
    let ending: Ending
    /// When that was, on the call's clock.
    let time: Duration
    /// What the transport says it cost.
    let metrics: RequestMetrics
    private let kept: Data

    fileprivate init(count: Int64, kept: Data, ending: Ending, time: Duration, metrics: RequestMetrics) {
        self.count = count
        self.kept = kept
        self.ending = ending
        self.time = time
        self.metrics = metrics
    }

    /// The first bytes, where they were to be kept.
    func first(_ limit: Int) -> Data { kept.prefix(limit) }

    /// Why reading failed, if it did.
    var error: RequestError? {
        if case .failed(let error) = ending { error } else { nil }
    }
}

/// Looks at a body while it passes by.
protocol BodyWatcher: AnyObject, Sendable {
    /// How many of the first bytes are to be kept.
    var keptBytes: Int { get }
    /// Whether it wants to hear of the model that is made of the body.
    var hearsDecoding: Bool { get }
    /// The body has been read, has failed, or has been let go of. It comes once.
    func ended(_ passage: BodyPassage)
    /// A step of making the model.
    func take(_ step: DecodingStep)
}

extension BodyWatcher {
    var keptBytes: Int { 0 }
    var hearsDecoding: Bool { false }
    func take(_ step: DecodingStep) {}
}

extension HTTPResponse {
    /// The answer with a body that is looked at while it passes by, and never read for that.
    func watched(by watcher: any BodyWatcher, on clock: CallClock) -> HTTPResponse {
        if body.take(watcher, on: clock) { return self }
        var response = self
        response.body = body.map { WatchedBody($0, watcher, clock, metrics) }
        return response
    }

    /// The same for who wants to know how it ended, and nothing else.
    func watched(on clock: CallClock, ended: @escaping @Sendable (BodyPassage) -> Void) -> HTTPResponse {
        watched(by: EndWatcher(hear: ended), on: clock)
    }
}

private final class EndWatcher: BodyWatcher {
    private let hear: @Sendable (BodyPassage) -> Void

    init(hear: @escaping @Sendable (BodyPassage) -> Void) { self.hear = hear }

    func ended(_ passage: BodyPassage) { hear(passage) }
}

private final class WatchedBody: BodyWrapper {
    let source: any BodySource
    private let clock: CallClock
    private let metricsBefore: RequestMetrics
    private let state: Lock<State>

    private struct State {
        // Whoever watched first is told first.
        var watchers: [any BodyWatcher]
        var limit: Int
        var count: Int64 = 0
        var kept = Data()
        var isOver = false

        mutating func take(_ chunk: Data) {
            count += Int64(chunk.count)
            if kept.count < limit { kept.append(chunk.prefix(limit - kept.count)) }
        }
    }

    init(_ source: any BodySource, _ watcher: any BodyWatcher, _ clock: CallClock, _ metrics: RequestMetrics) {
        self.source = source
        self.clock = clock
        metricsBefore = metrics
        // Room for as many as there are, as a rule.
        var watchers: [any BodyWatcher] = []
        watchers.reserveCapacity(4)
        watchers.append(watcher)
        state = Lock(State(watchers: watchers, limit: watcher.keptBytes))
    }

    /// Most bodies have several watchers, one for each interceptor that observes. They share this one, unless it has begun to be read.
    func take(_ watcher: any BodyWatcher, on clock: CallClock) -> Bool {
        guard clock === self.clock else { return false }
        return state.withLock { state in
            guard !state.isOver, state.count == 0 else { return false }
            state.watchers.append(watcher)
            state.limit = max(state.limit, watcher.keptBytes)
            return true
        }
    }

    var decoding: (@Sendable (DecodingStep) -> Void)? {
        let watchers = state.withLock { $0.watchers.filter(\.hearsDecoding) }
        let inner = source.decoding
        guard !watchers.isEmpty else { return inner }
        return { step in
            inner?(step)
            for watcher in watchers { watcher.take(step) }
        }
    }

    var isWhole: Bool { source.isWhole }

    func next(isolation: isolated (any Actor)?) async throws(RequestError) -> Data? {
        do throws(RequestError) {
            guard let chunk = try await source.next(isolation: isolation) else {
                finish(.whole)
                return nil
            }
            state.withLock { $0.take(chunk) }
            return chunk
        } catch {
            finish(.failed(error))
            throw error
        }
    }

    func collect(upTo limit: Int) async throws(RequestError) -> Data {
        do throws(RequestError) {
            let data = try await source.collect(upTo: limit)
            state.withLock { $0.take(data) }
            finish(.whole)
            return data
        } catch {
            finish(.failed(error))
            throw error
        }
    }

    func end() {
        source.end()
        finish(.letGo)
    }

    private func finish(_ ending: BodyPassage.Ending) {
        let over = state.withLock { state -> State? in
            guard !state.isOver else { return nil }
            state.isOver = true
            return state
        }
        guard let over else { return }
        let passage = BodyPassage(
            count: over.count, kept: over.kept, ending: ending, time: clock.now, metrics: source.metrics ?? metricsBefore)
        for watcher in over.watchers { watcher.ended(passage) }
    }
}
