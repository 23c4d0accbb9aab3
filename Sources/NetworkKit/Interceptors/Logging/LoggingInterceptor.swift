internal import PlatformBase

extension Interceptor where Self == LoggingInterceptor {
    /// Writes a line for each call, when its body has been read or let go of: method, URL, status, size, time, and where there is
    /// something to say of them, attempts and cache. Secrets are masked.
    ///
    /// It belongs outermost, where it sees a call as its caller does; behind `.redirects()` it writes a line for each hop.
    ///
    /// - Parameters:
    ///   - level: how much it says.
    ///   - sink: where it goes.
    public static func logging(level: LogLevel = .line, sink: LogSink = .standardError) -> LoggingInterceptor {
        LoggingInterceptor(level: level, sink: sink)
    }
}

/// Writes a log: see ``Interceptor/logging(level:sink:)``.
public struct LoggingInterceptor: StockInterceptor {
    let level: LogLevel
    let sink: LogSink

    /// Sends the request on, and follows what becomes of it.
    public func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
        guard !sink.takesNothing else { return try await next(request) }
        let call = LoggedCall(request, level: level, sink: sink)
        do {
            let response = try await next(call.request)
            call.answered(response.head)
            return response.watched(by: call, on: request.context.clock)
        } catch {
            call.failed(error)
            throw error
        }
    }

    /// How much it says.
    public func describe(_ request: HTTPRequest) -> String? {
        switch level {
        case .failures: "writes a line if the call fails"
        case .line: "writes a line"
        case .fields: "writes a line and the fields"
        case .bodies(let limit): "writes a line, the fields, and up to \(limit) bytes of each body"
        }
    }
}

/// One call, from its request to the line about it. It keeps what the line needs, and makes nothing of it: that is for where it is written.
final class LoggedCall: BodyWatcher {
    /// The request to send on: one that tells this call what becomes of it.
    var request: HTTPRequest {
        var request = original
        request.listen(take)
        if let sentBody { request.body = request.body?.watched(by: sentBody) }
        return request
    }

    let original: HTTPRequest
    let level: LogLevel
    let date: Date
    let start: Duration
    let sentBody: PassedBytes?
    private let sink: LogSink
    private let state = Lock(State())

    private struct State {
        var journal = AttemptJournal()
        var head: ResponseHead?
    }

    init(_ original: HTTPRequest, level: LogLevel, sink: LogSink) {
        self.original = original
        self.level = level
        self.sink = sink
        let clock = original.context.clock
        date = clock.date
        start = clock.now
        sentBody = level.bodyLimit > 0 ? original.body.map { _ in PassedBytes(limit: level.bodyLimit) } : nil
    }

    private func take(_ event: TransportEvent) {
        switch event {
        case .sending, .answered, .failed:
            let now = original.context.clock.now
            state.withLock { $0.journal.take(event, at: now) }
        default: break
        }
    }

    /// What was sent so far. A call that is over sends nothing more.
    var journal: AttemptJournal { state.withLock { $0.journal } }
    /// The answer's head, if one came.
    var head: ResponseHead? { state.withLock { $0.head } }

    func answered(_ head: ResponseHead) { state.withLock { $0.head = head } }

    var keptBytes: Int { level.bodyLimit }

    func ended(_ passage: BodyPassage) {
        guard level != .failures || passage.error != nil || head.map({ $0.status.code >= 400 }) ?? true else { return }
        sink.send(LogRecord(call: self, end: passage.time, passage: passage, error: passage.error))
    }

    func failed(_ error: RequestError) {
        sink.send(LogRecord(call: self, end: original.context.clock.now, error: error))
    }

    var hearsDecoding: Bool { true }

    /// A body that came and isn't the model is a failure too, though the stack doesn't see it.
    func take(_ step: DecodingStep) {
        guard case .ended(.some(let error)) = step else { return }
        sink.send(LogRecord(call: self, end: original.context.clock.now, error: error, isDecoding: true))
    }
}
