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
        let call = LoggedCall(request, level: level, sink: sink)
        do {
            let response = try await next(call.request)
            return response.watched(keeping: level.bodyLimit, decoding: call.decoding) { call.answered(response.head, $0) }
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

/// One call, from its request to the line about it.
private final class LoggedCall: Sendable {
    /// The request to send on: one that tells this call what becomes of it.
    let request: HTTPRequest

    private let original: HTTPRequest
    private let level: LogLevel
    private let sink: LogSink
    private let date = Date()
    private let start: Duration
    private let journal: AttemptJournal
    private let sentBody: PassedBytes?
    private let head = Lock<ResponseHead?>(nil)

    init(_ original: HTTPRequest, level: LogLevel, sink: LogSink) {
        self.original = original
        self.level = level
        self.sink = sink
        let clock = original.context.clock
        start = clock.now
        let journal = AttemptJournal(clock)
        self.journal = journal
        var request = original
        request.context.events = Fanout.of(original.context.events) { journal.take($0) }
        sentBody = level.bodyLimit > 0 ? request.body.map { _ in PassedBytes(limit: level.bodyLimit) } : nil
        if let sentBody { request.body = request.body?.watched(by: sentBody) }
        self.request = request
    }

    func answered(_ head: ResponseHead, _ passage: BodyPassage) {
        self.head.withLock { $0 = head }
        var record = record()
        record.head = head
        record.passage = passage
        if case .failed(let error) = passage.ending { record.error = error }
        guard level != .failures || record.error != nil || head.status.code >= 400 else { return }
        sink.send(record)
    }

    func failed(_ error: RequestError) {
        var record = record()
        record.error = error
        record.head = error.response?.head
        sink.send(record)
    }

    /// A body that came and isn't the model is a failure too, though the stack doesn't see it.
    var decoding: @Sendable (DecodingStep) -> Void {
        { [self] step in
            guard case .ended(.some(let error)) = step else { return }
            var record = record()
            record.error = error
            record.isDecoding = true
            record.head = head.withLock { $0 }
            sink.send(record)
        }
    }

    private func record() -> LogRecord {
        LogRecord(
            level: level, request: original, date: date, duration: original.context.clock.now - start, attempts: journal.attempts,
            secrets: journal.secrets(with: original), sentBody: sentBody?.bytes)
    }
}
