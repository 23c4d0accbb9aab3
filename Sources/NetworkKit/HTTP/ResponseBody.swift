public import PlatformBase

/// The body of an answer: a stream of chunks with back-pressure, read once.
///
/// ```swift
/// for try await chunk in response.body { hash.update(chunk) }
/// let data = try await response.body.collect(upTo: 1 << 20)
/// ```
///
/// It is a handle: copies share one stream. A second reader gets ``RequestError/stream(_:)``. Letting go of the last handle, or
/// ``discard()``, ends the transfer; the short rest of a body is read away first, so that the connection can be kept.
public struct ResponseBody: Sendable {
    private let handle: Handle

    init(_ source: any BodySource) { handle = Handle(source) }

    /// A body that is there as a whole.
    public init(_ data: Data, trailers: HTTPFields = [:]) {
        self.init(DataSource(data, trailers: trailers))
    }

    /// A body that is made chunk by chunk, as tests, caches and transports of one's own do.
    ///
    /// - Parameters:
    ///   - chunks: the bytes.
    ///   - length: how many there will be, when that is known.
    ///   - trailers: the fields after the body; asked for when it has been read.
    ///   - metrics: what the request cost; asked for whenever the reader asks.
    public init<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks, length: Int64? = nil, trailers: @escaping @Sendable () -> HTTPFields = { [:] },
        metrics: @escaping @Sendable () -> RequestMetrics? = { nil }
    ) where Chunks.Element == Data, Chunks.Failure == RequestError {
        self.init(SequenceSource(chunks, length: length, trailers: trailers, metrics: metrics))
    }

    /// A body without a byte.
    public static var empty: ResponseBody { ResponseBody(Data()) }

    /// How many bytes will come, when that is known: 0 for none.
    public var expectedLength: Int64? { handle.source.expectedLength }

    /// Reads the whole body.
    ///
    /// - Parameter limit: the most bytes to read.
    /// - Throws: ``RequestError/responseTooLarge(_:)`` as soon as the limit is sure to be passed, before the rest is read;
    ///   ``RequestError/stream(_:)`` when the body is being read already; and what ends the transfer.
    public func collect(upTo limit: Int) async throws(RequestError) -> Data {
        try handle.begin()
        if let expectedLength, expectedLength > limit {
            handle.source.end()
            throw .tooLarge(limit: limit, declared: expectedLength)
        }
        do {
            return try await handle.source.collect(upTo: limit)
        } catch {
            handle.source.end()
            throw error
        }
    }

    /// Ends the transfer; what hasn't been read is lost.
    public func discard() { handle.source.end() }

    /// The fields after the body (RFC 9110 §6.5): empty until the body has been read to its end.
    public var trailers: HTTPFields { handle.source.trailers }

    /// What the request cost, as far as it has come; `nil` for a body that didn't come from a transport.
    public var metrics: RequestMetrics? { handle.source.metrics }

    /// Whether all of it is here, and nothing is being transferred any more.
    var isWhole: Bool { handle.source.isWhole }

    /// All of it, where it is here and nobody has taken any; it stays for its reader.
    var held: Data? { handle.source.held }

    /// Says in the figures what a cache did; `false` where that takes another source in front.
    func note(_ use: RequestMetrics.CacheUse) -> Bool { handle.source.note(use) }

    /// Who is to be told of the model that is made of the body.
    var decoding: (@Sendable (DecodingStep) -> Void)? { handle.source.decoding }

    /// Takes a watcher without another source in front, where there is one already that takes some.
    func take(_ watcher: any BodyWatcher, on clock: CallClock) -> Bool { handle.source.take(watcher, on: clock) }

    /// The body as another source sees it, such as one that decodes a coding.
    func map(_ wrap: (any BodySource) -> any BodySource) -> ResponseBody {
        ResponseBody(wrap(KeepAlive(handle)))
    }

    /// The stream and whether somebody reads it. When the last handle goes, so does the transfer.
    fileprivate final class Handle: Sendable {
        let source: any BodySource
        private let isRead = Atomic(false)

        init(_ source: any BodySource) { self.source = source }

        func begin() throws(RequestError) {
            guard isRead.exchange(true, ordering: .relaxed) else { return }
            throw .stream(.init(reason: "the body is read already; it can be read once. Collect it, and pass the data on"))
        }

        deinit { source.end() }
    }

    /// A source that keeps the handle it was taken from.
    private final class KeepAlive: BodyWrapper {
        private let handle: Handle
        init(_ handle: Handle) { self.handle = handle }
        var source: any BodySource { handle.source }
        func next(isolation: isolated (any Actor)?) async throws(RequestError) -> Data? { try await source.next(isolation: isolation) }
        func collect(upTo limit: Int) async throws(RequestError) -> Data { try await source.collect(upTo: limit) }
    }
}

extension ResponseBody: AsyncSequence {
    /// A piece of the body, never empty.
    public typealias Element = Data
    /// What ends the transfer early.
    public typealias Failure = RequestError

    /// Begins to read.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(handle) }

    /// Reads the body, piece by piece. Letting go of it lets go of the body.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let handle: Handle
        private var refusal: RequestError?

        fileprivate init(_ handle: Handle) {
            self.handle = handle
            do { try handle.begin() } catch { refusal = error }
        }

        /// The next piece, or `nil` at the end.
        public mutating func next() async throws(RequestError) -> Data? {
            try await next(isolation: nil)
        }

        /// The next piece, or `nil` at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(RequestError) -> Data? {
            if let refusal { throw refusal }
            return try await handle.source.next(isolation: actor)
        }
    }
}

extension RequestError {
    static func tooLarge(limit: Int, declared: Int64? = nil) -> RequestError {
        let size = declared.map { "declares \($0) bytes" } ?? "goes on"
        return .responseTooLarge(
            .init(
                .init(limit: limit, declared: declared),
                reason: "the body \(size), and the limit is \(limit); raise maximumBodySize or read it as a stream"))
    }
}
