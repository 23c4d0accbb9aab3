internal import NetworkKit
internal import PlatformBase

/// One exchange that is being recorded. It is on the tape when its body has ended, failed, or been let go of.
final class RecordedExchange: Sendable {
    private struct State {
        var head: ResponseHead?
        var version = ""
        var data = Data()
        var chunks: [HAR.Chunk] = []
        var headTime = Duration.zero
        var trailers: HTTPFields = [:]
        var isOnTape = false
    }

    private let request: HAR.Request
    private let clock: CallClock
    private let isValue: Bool
    private let limit: Int
    private let start: Duration
    private let started: Date
    private let tape: Tape
    private let order: Int
    private let state = Lock(State())

    init(_ asked: HAR.Request, _ request: HTTPRequest, _ tape: Tape) {
        self.request = asked
        self.tape = tape
        clock = request.context.clock
        isValue = request.context.delivery == .value
        limit = request.options.maximumBodySize ?? .max
        start = clock.now
        started = clock.date
        order = tape.begin()
    }

    // A reader may let go of a body before its end, and then nobody is there to hear of a fault.
    deinit {
        if let entry = finish(.letGo) { tape.addUnheard(entry, at: order) }
    }

    /// The answer, watched while its body is read; read at once where the caller wants a value.
    func record(_ response: HTTPResponse) async throws(RequestError) -> HTTPResponse {
        let now = clock.now
        state.withLock { state in
            state.head = response.head
            state.version = response.metrics.version?.description ?? "HTTP/1.1"
            state.headTime = now
        }
        var watched = response
        let body = response.body
        watched.body = ResponseBody(
            RecordedBody(body: body, exchange: self), length: body.expectedLength, trailers: { body.trailers }, metrics: { body.metrics })
        guard isValue else { return watched }
        let data: Data
        do {
            data = try await watched.body.collect(upTo: limit)
        } catch {
            // The status counts even so, as it does when a transport reads the body later.
            watched.body = ResponseBody(FailingBody(data: state.withLock(\.data), error: error))
            return watched
        }
        let metrics = body.metrics
        if let metrics { watched.metrics = metrics }
        watched.body = ResponseBody(data, trailers: body.trailers)
        return watched
    }

    fileprivate func came(_ chunk: Data) {
        let now = clock.now
        state.withLock { state in
            state.data.append(chunk)
            state.chunks.append(HAR.Chunk(size: chunk.count, time: (now - state.headTime).milliseconds))
        }
    }

    fileprivate func ended(_ ending: Ending, trailers: HTTPFields = [:]) throws(RequestError) {
        state.withLock { $0.trailers = trailers }
        if let entry = finish(ending) { try tape.add(entry, at: order) }
    }

    enum Ending {
        case whole
        case letGo
        case failed(RequestError)

        var text: String? {
            switch self {
            case .whole: nil
            case .letGo: TapePlayer.unread
            case .failed(.connection(let details)): "connection \(details.kind.rawValue)"
            case .failed: "failed"
            }
        }
    }

    /// The body as it was before it was coded: transports decode what they asked to have coded, and no more.
    private static func content(_ taken: State, _ head: ResponseHead, isCut: Bool, keepsChunks: Bool) -> HAR.Content {
        let type = head.headers[.contentType] ?? ""
        guard let plain = PlainContent.of(taken.data, fields: head.headers, isCut: isCut) else {
            var content = HAR.Content(size: Int64(taken.data.count), mimeType: type)
            content.comment = PlainContent.isNotKept
            return content
        }
        var content = HAR.Content(plain, mimeType: type)
        // Of what was decoded here nobody knows in which pieces it would have come.
        if keepsChunks, plain.count == taken.data.count { content.chunks = taken.chunks }
        return content
    }

    /// The entry, once.
    private func finish(_ ending: Ending) -> HAR.Entry? {
        let end = clock.now
        let taken = state.withLock { state -> State? in
            guard !state.isOnTape, state.head != nil else { return nil }
            state.isOnTape = true
            return state
        }
        guard let taken, let head = taken.head else { return nil }
        let content = Self.content(taken, head, isCut: ending.text != nil, keepsChunks: taken.chunks.count > 1 || !isValue)
        var response = HAR.Response(
            status: head.status.code, headers: head.headers.harPairs, content: content, error: ending.text)
        response.statusText = head.status.reasonPhrase ?? ""
        response.httpVersion = taken.version
        if !taken.trailers.isEmpty { response.trailers = taken.trailers.harPairs }
        if !head.interim.isEmpty {
            response.interim = head.interim.map { HAR.Interim(status: $0.status.code, headers: $0.headers.harPairs) }
        }
        response.redirectURL = head.headers[.location] ?? ""
        response.bodySize = Int64(taken.data.count)
        var timings = HAR.Timings()
        timings.wait = (taken.headTime - start).milliseconds
        timings.receive = (end - taken.headTime).milliseconds
        var request = request
        request.httpVersion = taken.version
        return HAR.Entry(started: started, request: request, response: response, timings: timings)
    }
}

/// A body that is recorded while it is read.
private struct RecordedBody: AsyncSequence, Sendable {
    typealias Element = Data
    typealias Failure = RequestError
    let body: ResponseBody
    let exchange: RecordedExchange

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(source: body, body: body.makeAsyncIterator(), exchange: exchange) }

    struct AsyncIterator: AsyncIteratorProtocol {
        let source: ResponseBody
        var body: ResponseBody.AsyncIterator
        let exchange: RecordedExchange

        mutating func next() async throws(RequestError) -> Data? { try await next(isolation: nil) }

        mutating func next(isolation actor: isolated (any Actor)?) async throws(RequestError) -> Data? {
            let chunk: Data?
            do {
                chunk = try await body.next(isolation: actor)
            } catch {
                try exchange.ended(.failed(error))
                throw error
            }
            if let chunk { exchange.came(chunk) } else { try exchange.ended(.whole, trailers: source.trailers) }
            return chunk
        }
    }
}

/// What came of a body, and then what ended it.
private struct FailingBody: AsyncSequence, Sendable {
    typealias Element = Data
    typealias Failure = RequestError
    let data: Data
    let error: RequestError

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(data: data.isEmpty ? nil : data, error: error) }

    struct AsyncIterator: AsyncIteratorProtocol {
        var data: Data?
        let error: RequestError

        mutating func next() async throws(RequestError) -> Data? { try await next(isolation: nil) }

        mutating func next(isolation actor: isolated (any Actor)?) async throws(RequestError) -> Data? {
            guard let data = data.take() else { throw error }
            return data
        }
    }
}

extension Duration {
    /// As archives count.
    var milliseconds: Double { self / .milliseconds(1) }
}
