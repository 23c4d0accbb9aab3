internal import NetworkKit
internal import PlatformBase

/// Turns a stub's answer into what a transport gives: waits, head, body, and what it costs.
struct StubDelivery: Sendable {
    private let request: HTTPRequest
    private let sent: Int
    private let handOver: (@Sendable (any Sendable) -> Data)?
    private let silence: StubSilence
    private let start: Duration

    init(_ request: HTTPRequest, sent: Int, handOver: (@Sendable (any Sendable) -> Data)?) {
        self.request = request
        self.sent = sent
        self.handOver = handOver
        silence = StubSilence(request)
        start = silence.clock.now
    }

    /// - Throws: the failure that stands in the place of an answer, or what ends the wait for it.
    func response(_ answer: StubAnswer) async throws(RequestError) -> HTTPResponse {
        if Task.isCancelled { throw .cancelled(.init(reason: "the task was cancelled")) }
        tell(.connected(reused: false))
        if sent > 0 { tell(.sent(Int64(sent))) }
        if let delay = answer.script.delay { try await silence.wait(delay) }
        if answer.script.isSilent { try await silence.wait(nil) }
        if case .failure(let error) = answer.body { throw error }
        if case .response(let response) = answer.body { return response }
        for (status, fields) in answer.interim { tell(.interim(status, fields)) }
        tell(.head(answer.status))
        if let length = length(answer) { tell(.expecting(length)) }
        let head = ResponseHead(status: answer.status, headers: answer.headers, url: request.url, interim: answer.interim)
        let firstByte = elapsed
        if let data = whole(answer) {
            // What comes at once has cost by now what it costs.
            let figures = metrics(firstByte, received: data.count, isEnd: true)
            if !data.isEmpty { tell(.received(Int64(data.count))) }
            tell(.ended(figures))
            return HTTPResponse(head: head, body: ResponseBody(data, trailers: answer.trailers), metrics: figures)
        }
        return HTTPResponse(
            head: head, body: body(answer, after: firstByte), metrics: metrics(firstByte, received: 0, isEnd: false))
    }

    /// The body, where it comes at once and whole.
    private func whole(_ answer: StubAnswer) -> Data? {
        switch answer.body {
        case _ where request.method == .head: Data()
        case .failure, .response: Data()
        case .value(let value): handOver?(value) ?? Data()
        case .pieces(let pieces, _) where pieces.count <= 1 && answer.script.isPlain: pieces.first ?? Data()
        case .pieces, .sequence: nil
        }
    }

    /// The body, made while it is read.
    private func body(_ answer: StubAnswer, after firstByte: Duration) -> ResponseBody {
        let final = Lock<RequestMetrics?>(nil)
        let body = StubBody(body: answer.body, script: answer.script, silence: StubSilence(request, isBody: true)) {
            [self] bytes, isEnd in
            let figures = metrics(firstByte, received: bytes, isEnd: isEnd)
            final.withLock { $0 = figures }
            tell(isEnd ? .ended(figures) : .received(Int64(bytes)))
        }
        return ResponseBody(body, length: length(answer), trailers: { answer.trailers }, metrics: { final.withLock { $0 } })
    }

    /// How long the body is that will come, where the answer says so.
    private func length(_ answer: StubAnswer) -> Int64? {
        switch answer.body {
        case _ where request.method == .head: 0
        case .pieces(_, let length), .sequence(_, let length): length
        case .failure, .response, .value: nil
        }
    }

    /// How long it has taken so far.
    private var elapsed: Duration { silence.clock.now - start }

    private func metrics(_ firstByte: Duration, received: Int, isEnd: Bool) -> RequestMetrics {
        var metrics = RequestMetrics()
        metrics.firstByte = firstByte
        if isEnd { metrics.total = elapsed }
        metrics.bodyBytesSent = Int64(sent)
        metrics.bodyBytesReceived = Int64(received)
        metrics.sends = 1
        return metrics
    }

    private func tell(_ event: TransportEvent) { request.context.events?(event) }
}
