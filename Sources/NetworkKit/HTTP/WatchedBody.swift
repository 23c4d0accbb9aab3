internal import PlatformBase

/// What has passed by of a body, and how that ended.
struct BodyPassage: Sendable {
    enum Ending: Sendable {
        /// The body was read to its end.
        case whole
        /// Reading failed.
        case failed(RequestError)
        /// The reader let go of it.
        case letGo
    }

    /// How many bytes came, decoded.
    var count: Int64 = 0
    /// The first of them, as many as were to be kept.
    var kept = Data()
    var ending = Ending.letGo
    /// What the transport says it cost.
    var metrics: RequestMetrics?

    mutating func take(_ chunk: Data, keeping limit: Int) {
        count += Int64(chunk.count)
        if kept.count < limit { kept.append(chunk.prefix(limit - kept.count)) }
    }
}

extension HTTPResponse {
    /// The answer with a body that is looked at while it passes by, and never read for that. `ended` is called once: when the body has
    /// been read, has failed, or is let go of.
    func watched(
        keeping limit: Int = 0, decoding: (@Sendable (DecodingStep) -> Void)? = nil, ended: @escaping @Sendable (BodyPassage) -> Void
    ) -> HTTPResponse {
        var response = self
        let metrics = metrics
        response.body = body.map { source in
            WatchedBody(source, keeping: limit, decoding: decoding) { passage in
                var passage = passage
                passage.metrics = source.metrics ?? metrics
                ended(passage)
            }
        }
        return response
    }
}

private final class WatchedBody: BodyWrapper {
    let source: any BodySource
    private let limit: Int
    private let ownDecoding: (@Sendable (DecodingStep) -> Void)?
    private let state: Lock<State>

    private struct State {
        var passage = BodyPassage()
        var ended: (@Sendable (BodyPassage) -> Void)?
    }

    init(
        _ source: any BodySource, keeping limit: Int, decoding: (@Sendable (DecodingStep) -> Void)?,
        ended: @escaping @Sendable (BodyPassage) -> Void
    ) {
        self.source = source
        self.limit = limit
        ownDecoding = decoding
        state = Lock(State(ended: ended))
    }

    var decoding: (@Sendable (DecodingStep) -> Void)? {
        guard let ownDecoding else { return source.decoding }
        guard let inner = source.decoding else { return ownDecoding }
        return { step in
            inner(step)
            ownDecoding(step)
        }
    }

    func next(isolation: isolated (any Actor)?) async throws(RequestError) -> Data? {
        do throws(RequestError) {
            guard let chunk = try await source.next(isolation: isolation) else {
                finish(.whole)
                return nil
            }
            state.withLock { $0.passage.take(chunk, keeping: limit) }
            return chunk
        } catch {
            finish(.failed(error))
            throw error
        }
    }

    func collect(upTo limit: Int) async throws(RequestError) -> Data {
        do throws(RequestError) {
            let data = try await source.collect(upTo: limit)
            state.withLock { $0.passage.take(data, keeping: self.limit) }
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
        let (ended, passage) = state.withLock { state in
            state.passage.ending = ending
            return (state.ended.take(), state.passage)
        }
        ended?(passage)
    }
}
