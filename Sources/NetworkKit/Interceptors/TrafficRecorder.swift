internal import PlatformBase

extension Interceptor where Self == RecordingInterceptor {
    /// Keeps what is sent and answered in a recorder, each attempt and each hop of a redirect an exchange of its own.
    ///
    /// It belongs innermost. A body is kept while it passes by, and never read for that.
    public static func recording(_ recorder: TrafficRecorder) -> RecordingInterceptor { RecordingInterceptor(recorder: recorder) }
}

/// A session's traffic, kept in memory, as an HTTP archive that browsers can show. Secrets are masked before anything is kept.
///
/// ```swift
/// let recorder = TrafficRecorder()
/// let session = HTTPSession(interceptors: [.recording(recorder)])
/// …
/// try recorder.archive.json.write(to: file)
/// ```
public final class TrafficRecorder: Sendable {
    /// How many bytes of each body are kept.
    public let bodyLimit: Int
    /// How many exchanges are kept; the oldest go first.
    public let limit: Int
    private let entries = Lock<[HAR.Entry]>([])

    /// A recorder.
    public init(bodyLimit: Int = 1 << 20, limit: Int = 1000) {
        self.bodyLimit = max(bodyLimit, 0)
        self.limit = max(limit, 1)
    }

    /// What was recorded so far: exchanges whose bodies have been read or let go of, in the order in which that happened.
    public var archive: HAR { HAR(entries: entries.withLock { $0 }) }

    /// Begins anew.
    public func removeAll() { entries.withLock { $0 = [] } }

    fileprivate func add(_ entry: HAR.Entry) {
        entries.withLock { entries in
            if entries.count >= limit { entries.removeFirst(entries.count - limit + 1) }
            entries.append(entry)
        }
    }
}

/// Records traffic: see ``Interceptor/recording(_:)``.
public struct RecordingInterceptor: PerHopInterceptor {
    let recorder: TrafficRecorder

    /// Sends the request on, and keeps what comes of it.
    public func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
        let sent = PassedBytes(limit: recorder.bodyLimit)
        // Checked here, so that what is kept is what is sent.
        let request = try request.checked()
        var watched = request
        watched.body = request.body?.watched(by: sent)
        let started = Date()
        let clock = request.context.clock
        let start = clock.now
        let keep: @Sendable (ResponseHead?, BodyPassage?, RequestError?) -> Void = { [recorder] head, passage, error in
            recorder.add(
                HAR.Entry(
                    request, sent: sent, head: head, passage: passage, error: error, started: started,
                    duration: clock.now - start, secrets: request.allSecrets))
        }
        do {
            let response = try await next(watched)
            return response.watched(keeping: recorder.bodyLimit) { passage in
                if case .failed(let error) = passage.ending {
                    keep(response.head, passage, error)
                } else {
                    keep(response.head, passage, nil)
                }
            }
        } catch {
            keep(error.response?.head, nil, error)
            throw error
        }
    }

    /// How much is kept.
    public func describe(_ request: HTTPRequest) -> String? { "keeps the exchange, and up to \(recorder.bodyLimit) bytes of each body" }
}
