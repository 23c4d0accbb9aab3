internal import PlatformBase

extension Interceptor where Self == RecordingInterceptor {
    /// Keeps what is sent and answered in a recorder, each attempt and each hop of a redirect an exchange of its own.
    ///
    /// It belongs innermost. A body is kept while it passes by, and never read for that.
    public static func recording(_ recorder: TrafficRecorder) -> RecordingInterceptor { RecordingInterceptor(recorder: recorder) }
}

/// A session's traffic, kept in memory, as an HTTP archive that browsers can show. Secrets are masked before anything is kept. A
/// body with a `Content-Encoding` is kept as it was before it was coded with gzip or deflate; of one that is coded in another way nothing is
/// kept.
///
/// ```swift
/// let recorder = TrafficRecorder()
/// let session = HTTPSession(interceptors: [.recording(recorder)])
/// …
/// try recorder.archive.json.write(to: file)
/// ```
public final class TrafficRecorder: Sendable {
    /// How many bytes of each body are kept. A longer one is marked as partial, and a cassette plays it as one that breaks off.
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
        // Checked here, so that what is kept is what is sent.
        let exchange = RecordedExchange(try request.checked(), recorder)
        do {
            let response = try await next(exchange.watched)
            exchange.answered(response.head)
            return response.watched(by: exchange, on: request.context.clock)
        } catch {
            exchange.keep(error.response?.head, nil, error)
            throw error
        }
    }

    /// How much is kept.
    public func describe(_ request: HTTPRequest) -> String? { "keeps the exchange, and up to \(recorder.bodyLimit) bytes of each body" }
}

private final class RecordedExchange: BodyWatcher {
    /// The request to send on: one whose body is looked at.
    let watched: HTTPRequest
    let keptBytes: Int
    private let request: HTTPRequest
    private let recorder: TrafficRecorder
    private let sent: PassedBytes
    private let date: Date
    private let start: Duration
    private let head = Lock<ResponseHead?>(nil)

    init(_ request: HTTPRequest, _ recorder: TrafficRecorder) {
        self.request = request
        self.recorder = recorder
        keptBytes = recorder.bodyLimit
        let sent = PassedBytes(limit: recorder.bodyLimit)
        self.sent = sent
        var watched = request
        watched.body = request.body?.watched(by: sent)
        self.watched = watched
        let clock = request.context.clock
        date = clock.date
        start = clock.now
    }

    func answered(_ head: ResponseHead) { self.head.withLock { $0 = head } }
    func ended(_ passage: BodyPassage) { keep(head.withLock { $0 }, passage, passage.error) }

    func keep(_ head: ResponseHead?, _ passage: BodyPassage?, _ error: RequestError?) {
        recorder.add(
            HAR.Entry(
                request, sent: sent, head: head, passage: passage, kept: keptBytes, error: error, started: date,
                duration: (passage?.time ?? request.context.clock.now) - start, secrets: request.allSecrets))
    }
}
