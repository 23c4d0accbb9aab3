internal import PlatformBase

/// Where a body's bytes come from. One reader calls `next` or `collect`; `end` may come from anywhere, more than once.
protocol BodySource: AnyObject, Sendable {
    /// How many bytes will come, when that is known.
    var expectedLength: Int64? { get }
    /// The fields after the body, once it has ended.
    var trailers: HTTPFields { get }
    /// What the transfer cost so far.
    var metrics: RequestMetrics? { get }
    /// Whether reading ends by itself when the call's scope does, as it does where a stock transport made the source.
    var endsWithCall: Bool { get }
    /// Whether all bytes are here, and nothing is being transferred any more.
    var isWhole: Bool { get }
    /// All bytes, where they are here and nobody has taken any; they stay for the reader. `nil` where that can't be told at once.
    var held: Data? { get }
    /// Who is to be told of the model that is made of the body; `nil` where nobody asked.
    var decoding: (@Sendable (DecodingStep) -> Void)? { get }
    /// Says in the figures what a cache did; `false` where that can't be said here.
    func note(_ use: RequestMetrics.CacheUse) -> Bool
    /// Takes one more watcher of what passes by; `false` where nobody watches here, or no longer.
    func take(_ watcher: any BodyWatcher, on clock: CallClock) -> Bool
    /// The next bytes, never empty; `nil` at the end.
    func next(isolation: isolated (any Actor)?) async throws(RequestError) -> Data?
    /// All bytes.
    func collect(upTo limit: Int) async throws(RequestError) -> Data
    /// Lets go of the transfer.
    func end()
}

extension BodySource {
    var trailers: HTTPFields { [:] }
    var metrics: RequestMetrics? { nil }
    var endsWithCall: Bool { false }
    var isWhole: Bool { false }
    var held: Data? { nil }
    var decoding: (@Sendable (DecodingStep) -> Void)? { nil }
    func take(_ watcher: any BodyWatcher, on clock: CallClock) -> Bool { false }
    func note(_ use: RequestMetrics.CacheUse) -> Bool { false }

    func collect(upTo limit: Int) async throws(RequestError) -> Data {
        var result = Data()
        while let chunk = try await next(isolation: nil) {
            guard result.count + chunk.count <= limit else { throw .tooLarge(limit: limit) }
            // A body of one chunk, as most are, is handed on uncopied.
            if result.isEmpty { result = chunk } else { result.append(chunk) }
        }
        return result
    }
}

/// Making the model of a body: the part of a call that lies behind the stack.
enum DecodingStep: Sendable {
    case began
    /// It is over; with an error where the body isn't the model.
    case ended(RequestError?)
}

/// A source in front of another, which it changes in what it says itself.
protocol BodyWrapper: BodySource {
    var source: any BodySource { get }
}

extension BodyWrapper {
    var expectedLength: Int64? { source.expectedLength }
    var trailers: HTTPFields { source.trailers }
    var metrics: RequestMetrics? { source.metrics }
    var endsWithCall: Bool { source.endsWithCall }
    var isWhole: Bool { source.isWhole }
    var decoding: (@Sendable (DecodingStep) -> Void)? { source.decoding }
    func end() { source.end() }
}

/// A body that is there as a whole.
final class DataSource: BodySource {
    let expectedLength: Int64?
    let trailers: HTTPFields
    let endsWithCall = true
    let isWhole = true
    var held: Data? { rest.withLock { $0 } }
    private let rest: Lock<Data?>

    init(_ data: Data, trailers: HTTPFields = [:]) {
        expectedLength = Int64(data.count)
        self.trailers = trailers
        rest = Lock(data.isEmpty ? nil : data)
    }

    func next(isolation: isolated (any Actor)?) async throws(RequestError) -> Data? {
        rest.withLock { rest in
            defer { rest = nil }
            return rest
        }
    }

    /// It has no figures; those of its answer count.
    func note(_ use: RequestMetrics.CacheUse) -> Bool { true }

    func end() { rest.withLock { $0 = nil } }
}

/// A body that somebody else's sequence makes.
final class SequenceSource: BodySource {
    let expectedLength: Int64?
    private let reader: AsyncReader
    private let makeTrailers: @Sendable () -> HTTPFields
    private let makeMetrics: @Sendable () -> RequestMetrics?

    init<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks, length: Int64?, trailers: @escaping @Sendable () -> HTTPFields,
        metrics: @escaping @Sendable () -> RequestMetrics?
    ) where Chunks.Element == Data {
        expectedLength = length
        reader = AsyncReader(chunks)
        makeTrailers = trailers
        makeMetrics = metrics
    }

    var trailers: HTTPFields { makeTrailers() }
    var metrics: RequestMetrics? { makeMetrics() }

    func next(isolation: isolated (any Actor)?) async throws(RequestError) -> Data? {
        do {
            while let chunk = try await reader.next() {
                if !chunk.isEmpty { return chunk }
            }
            return nil
        } catch let error as RequestError {
            throw error
        } catch is CancellationError {
            throw .cancelled()
        } catch {
            throw .interceptor(error)
        }
    }

    func end() { reader.end() }
}
