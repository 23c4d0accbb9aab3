internal import PlatformBase

/// The head of an answer as the driver hands it over.
final class ReceivedHead: Sendable {
    let head: ResponseHead
    /// How many bytes of body will come, before decoding, when the answer says so.
    let length: Int64?
    let metrics: RequestMetrics
    /// Whether the body may be coded still.
    let mayBeCoded: Bool

    init(head: ResponseHead, length: Int64?, metrics: RequestMetrics, mayBeCoded: Bool = true) {
        self.head = head
        self.mayBeCoded = mayBeCoded
        self.length = length
        self.metrics = metrics
    }
}

/// What the driver and the reader of one transfer agree on. A pure value: each step changes it and says who is to be told what, so
/// that every order of events can be tested without a network.
///
/// `HeadWaiter` and `BodyWaiter` are what is resumed: continuations in the driver, anything in a test.
struct TransferState<HeadWaiter: Sendable, BodyWaiter: Sendable> {
    /// Whom to tell what, after the lock is let go of.
    struct Wakeups: Sendable {
        var head: (waiter: HeadWaiter, result: Result<ReceivedHead, RequestError>)?
        var body: (waiter: BodyWaiter, result: Result<Data?, RequestError>)?
    }

    /// What a reader gets.
    enum Reading {
        /// Bytes, or the end; `resumes` when the driver waits for the reader and may go on.
        case ready(Result<Data?, RequestError>, resumes: Bool)
        /// Nothing yet.
        case nothing
    }

    /// Bytes held for the reader past which the driver stops reading.
    static var highWater: Int { 2 << 20 }
    /// Bytes held for the reader below which it goes on.
    static var lowWater: Int { 512 << 10 }

    private var head: ReceivedHead?
    private(set) var end: Result<Void, RequestError>?
    private(set) var metrics = RequestMetrics()
    private(set) var trailers = HTTPFields()
    /// How many bytes the reader wants at once: the driver then gathers, and hands over when all is there. `nil` for a reader who
    /// takes piece by piece.
    private(set) var gathering: Int?
    private var chunks = Chunks()
    private var buffered = 0
    /// Whether the reader has had nothing yet.
    private var isUntouched = true
    private var isPaused = false
    private(set) var isDropped = false
    private var headWaiter: HeadWaiter?
    private var bodyWaiter: BodyWaiter?

    /// - Parameter gathering: how many bytes are wanted at once, for a caller who wants a value.
    init(gathering: Int?) { self.gathering = gathering }

    // MARK: The driver's side

    /// Takes the head. A caller who wants a value is told of it before the body only when it comes alone.
    mutating func receive(head: ReceivedHead) -> Wakeups {
        guard end == nil else { return Wakeups() }
        self.head = head
        metrics = head.metrics
        gathering = nil
        defer { headWaiter = nil }
        return Wakeups(head: headWaiter.map { ($0, .success(head)) })
    }

    /// Takes bytes of the body, and whether the driver has stopped reading because so many are held. `resumes` when it may go on.
    mutating func receive(_ chunk: Data, isPaused: Bool) -> (wakeups: Wakeups, held: Int, resumes: Bool) {
        guard end == nil else { return (Wakeups(), 0, false) }
        self.isPaused = isPaused
        if !chunk.isEmpty {
            chunks.append(chunk)
            buffered += chunk.count
        }
        guard gathering == nil, let waiter = bodyWaiter, !chunks.isEmpty else { return (Wakeups(), buffered, takePause()) }
        bodyWaiter = nil
        let data = takeChunk()
        return (Wakeups(body: (waiter, .success(data))), buffered, takePause())
    }

    /// Takes the end: with the whole answer, or what broke it off.
    mutating func finish(
        _ result: Result<Void, RequestError>, head: ReceivedHead? = nil, last: Data = Data(), metrics: RequestMetrics,
        trailers: HTTPFields = [:]
    ) -> Wakeups {
        guard end == nil else { return Wakeups() }
        end = result
        self.metrics = metrics
        self.trailers = trailers
        self.head = self.head ?? head
        if !last.isEmpty {
            chunks.append(last)
            buffered += last.count
        }
        return wakeAll()
    }

    // MARK: The reader's side

    /// Ends the transfer from outside: cancelled, out of time, or let go of. `false` when it was over already.
    mutating func fail(_ error: RequestError) -> (wakeups: Wakeups, isFirst: Bool) {
        guard end == nil else { return (Wakeups(), false) }
        end = .failure(error)
        clear()
        return (wakeAll(), true)
    }

    /// Says what a cache did, in the figures of a transfer that is over.
    mutating func note(_ use: RequestMetrics.CacheUse) -> Bool {
        guard end != nil else { return false }
        metrics.cache = use
        return true
    }

    /// The head, or why there is none; `nil` when the waiter waits.
    mutating func waitForHead(_ waiter: HeadWaiter) -> Result<ReceivedHead, RequestError>? {
        if let head, gathering == nil || end != nil { return headResult(head) }
        if let end { return end.flatMap { .failure(.noResponse()) } }
        headWaiter = waiter
        return nil
    }

    /// The next bytes, if they are there.
    mutating func read() -> Reading {
        if isDropped { return .ready(.failure(.discarded), resumes: false) }
        if !chunks.isEmpty {
            let data = takeChunk()
            return .ready(.success(data), resumes: takePause())
        }
        guard let end else { return .nothing }
        return .ready(end.map { nil }, resumes: false)
    }

    /// Whether the transfer is over, and well.
    var isWhole: Bool { if case .success = end { !isDropped } else { false } }

    /// All bytes, if they are all here in one piece, as those of a small answer are.
    var held: Data? { isWhole && isUntouched ? chunks.only : nil }

    /// All bytes, if the transfer is over; else the driver is to gather them.
    mutating func gather(upTo limit: Int) -> Reading {
        if isDropped { return .ready(.failure(.discarded), resumes: false) }
        guard let end else {
            gathering = limit
            return .nothing
        }
        return .ready(end.map { takeAll() }, resumes: false)
    }

    /// What is there by now for a reader who would wait; `nil` when the waiter waits.
    mutating func waitForBody(_ waiter: BodyWaiter) -> Reading? {
        let reading = gathering.map { gather(upTo: $0) } ?? read()
        guard case .nothing = reading else { return reading }
        bodyWaiter = waiter
        return nil
    }

    /// Lets go of what is held for a reader who doesn't come. One who comes all the same, or waits already, is told.
    mutating func dropBuffered() -> Wakeups {
        isDropped = isDropped || end == nil || buffered > 0
        clear()
        defer { bodyWaiter = nil }
        return Wakeups(body: bodyWaiter.map { ($0, .failure(.discarded)) })
    }

    // MARK: Within

    private mutating func wakeAll() -> Wakeups {
        defer {
            headWaiter = nil
            bodyWaiter = nil
        }
        let headResult = head.map(headResult) ?? end.map { $0.flatMap { .failure(.noResponse()) } }
        var wakeups = Wakeups()
        if let headWaiter, let headResult { wakeups.head = (headWaiter, headResult) }
        if let bodyWaiter {
            let reading = gathering.map { gather(upTo: $0) } ?? read()
            if case .ready(let result, _) = reading { wakeups.body = (bodyWaiter, result) }
        }
        return wakeups
    }

    /// A caller who wants a value has no use for a head whose body broke off.
    private func headResult(_ head: ReceivedHead) -> Result<ReceivedHead, RequestError> {
        if gathering != nil, case .failure(let error) = end { return .failure(error) }
        return .success(head)
    }

    private mutating func clear() {
        chunks = Chunks()
        buffered = 0
    }

    private mutating func takeChunk() -> Data {
        isUntouched = false
        let data = chunks.removeFirst()
        buffered -= data.count
        return data
    }

    private mutating func takeAll() -> Data? {
        isUntouched = false
        defer { clear() }
        if let only = chunks.only { return only }
        guard !chunks.isEmpty else { return nil }
        var all = Data(capacity: buffered)
        while !chunks.isEmpty { all.append(chunks.removeFirst()) }
        return all
    }

    /// Whether the driver waits for room that is there now.
    private mutating func takePause() -> Bool {
        guard isPaused, buffered <= Self.lowWater else { return false }
        isPaused = false
        return true
    }
}

/// Pieces of a body, in order. Most answers have one, which then costs no array.
private struct Chunks {
    private var first: Data?
    private var others: ArraySlice<Data> = []

    var isEmpty: Bool { first == nil }
    /// The one piece, where there is one.
    var only: Data? { others.isEmpty ? first : nil }

    mutating func append(_ chunk: Data) {
        if first == nil { first = chunk } else { others.append(chunk) }
    }

    /// Takes the first. There must be one.
    mutating func removeFirst() -> Data {
        defer { first = others.popFirst() }
        return first ?? Data()
    }
}

extension RequestError {
    fileprivate static var discarded: RequestError { .stream(.init(reason: "the body was discarded before its end")) }
}
